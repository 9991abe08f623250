package toolset

import (
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/session"
)

// notified acts on a notification of the server.
func (ts *Toolset) notified(n session.Notice) {
	if n.Method == mcp.MethodNotificationToolsListChanged {
		ts.lists.forget()
	}
}
