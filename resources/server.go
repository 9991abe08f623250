package resources

import (
	"context"
	"encoding/json"
	"errors"
)

// ErrReplaced, wrapped by the error of a Server's Page, says that the session
// which the cursor came by is over, and the cursor with it. A search begins its
// list anew then, twice at most.
var ErrReplaced = errors.New("resources: the session was replaced in the middle of the list")

// Server is what the tools need of an MCP server. Its methods may be called
// concurrently. Their errors are the server's own answer, which Rejected
// tells, or those of the connection.
type Server interface {
	// Page asks for one page of a list and returns the raw result. Method is
	// "resources/list" or "resources/templates/list"; an empty cursor asks for
	// the first page and is not sent. Where cursor is of a page that was asked
	// for before, and is of no use any more, the error may be ErrReplaced.
	Page(ctx context.Context, method, cursor string) (json.RawMessage, error)
	// Read asks resources/read for a URI and returns the raw result.
	Read(ctx context.Context, uri string) (json.RawMessage, error)
	// Rejected reports whether err is the server's own answer, a JSON-RPC
	// error, as opposed to a failed connection.
	Rejected(err error) bool
}
