package toolset

import (
	"sync"
	"time"

	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// chores are goroutines of a Toolset that may outlive the calls they belong
// to. The zero value is ready.
type chores struct {
	mu     sync.Mutex
	closed bool
	work   sync.WaitGroup
}

// run starts f, or reports false after close.
func (c *chores) run(f func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	c.work.Go(f)
	return true
}

// close lets no more begin and waits for those that run, though not for
// longer than patience.
func (c *chores) close(patience time.Duration) {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	wire.Rested(&c.work, patience)
}
