// Package inprocess speaks JSON-RPC with an mcp-go server in the same process:
// it is the [transport.Interface] that the wire room lies on for such servers.
//
// Unlike mcp-go's own it delivers what a tool reports while it runs before the
// tool's result, writes a result as JSON once, and gives no two sessions the
// same id.
package inprocess
