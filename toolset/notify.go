package toolset

import (
	"github.com/mcptoolset/mcptoolset/internal/session"
)

// notified acts on a notification of the server.
func (ts *Toolset) notified(n session.Notice) {
	ts.cache.forget(changeable(n.Method))
}
