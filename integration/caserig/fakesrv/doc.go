// Package fakesrv is a raw MCP server that does exactly what a scenario says,
// also what no good server does: broken results, forgotten sessions, cut
// connections, noise on standard output. It is built on encoding/json and
// net/http only, so that no MCP library can repair what it sends, and it logs
// every message it receives with its raw bytes.
//
// It speaks the stdio transport, streamable HTTP at /mcp and the older
// HTTP+SSE transport at /sse.
package fakesrv
