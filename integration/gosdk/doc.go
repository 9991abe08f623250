// Package gosdk is a place for tests: the toolset against servers made with
// github.com/modelcontextprotocol/go-sdk, which shares no code with mcp-go and
// reads the specification with eyes of its own.
//
// The server runs as a child process, over streamable HTTP with and without
// sessions and with events or plain JSON, and over SSE, each in both protocol
// eras. What that SDK cannot do in some of these is said at the test that
// leaves it out. It is a module of its own so that nobody else pays for the SDK.
package gosdk
