package toolset

import (
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/session"
)

// notified acts on a notification of the server.
func (ts *Toolset) notified(n session.Notice) {
	ts.cache.forget(changeable(n.Method))
	if uri, ok := n.Params["uri"].(string); ok && n.Method == mcp.MethodNotificationResourceUpdated {
		ts.cache.forgetURI(uri)
	}
}
