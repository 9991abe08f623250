// Package providers is a place for tests: LangChainGo's own packages for
// openai, anthropic, googleai, vertex, bedrock and mistral talk to APIs on
// loopback that answer from a script, with a real MCP server at the other end.
//
// Each API keeps what it was sent and refuses what the real one is known to
// refuse, so a request that a provider would not take fails its test. It is a
// module of its own so that nobody else pays for these packages.
package providers
