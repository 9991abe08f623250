package resources

import (
	"context"
	"encoding/json"
)

// Server is what the tools need of an MCP server. Its methods may be called
// concurrently. Their errors are the server's own answer, which Rejected
// tells, or those of the connection.
type Server interface {
	// Page asks for one page of a list and returns the raw result. Method is
	// "resources/list" or "resources/templates/list"; an empty cursor asks for
	// the first page and is not sent.
	Page(ctx context.Context, method, cursor string) (json.RawMessage, error)
	// Read asks resources/read for a URI and returns the raw result.
	Read(ctx context.Context, uri string) (json.RawMessage, error)
	// Rejected reports whether err is the server's own answer, a JSON-RPC
	// error, as opposed to a failed connection.
	Rejected(err error) bool
}
