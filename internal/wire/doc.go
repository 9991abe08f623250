// Package wire speaks JSON-RPC with one MCP server over one connection.
//
// It lies on an mcp-go transport. mcp-go's Client negotiates the protocol and
// answers the server's own requests; everything else (lists, calls, reads) is
// numbered, sent and answered here, so that results stay raw, a cancelled
// request is told to the server on every kind of connection, and a lost
// connection ends what is in flight at once.
//
// The link is the decorator between the two: every request of the Client and
// of ours passes through it and gets a number of its own there, so that the
// two can never take each other's answers.
//
// A Conn is never re-initialised. When its connection is lost it stays lost,
// and the session room replaces it.
package wire
