package toolset

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
)

// Root is a folder or file that servers are told they may work in (MCP,
// client/roots). It keeps no server from working elsewhere.
type Root struct {
	// URI begins with file://.
	URI string
	// Name is one for people; it may be empty.
	Name string
}

// FileRoot is the root of a folder or file by its path, made absolute. The
// error is that of filepath.Abs.
func FileRoot(path string) (Root, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return Root{}, err
	}
	slashed := filepath.ToSlash(absolute)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive's letter
	}
	return Root{URI: (&url.URL{Scheme: "file", Path: slashed}).String(), Name: filepath.Base(absolute)}, nil
}

// WithRoots tells servers which roots they may work in, when they ask;
// [Toolset.SetRoots] changes them later. Without any, servers are told that
// there are none yet. A root whose URI does not begin with file:// is a fault
// of New. By default servers are not told of roots, and a question for them
// is refused. Over SSE it has no effect, which the Report says.
func WithRoots(roots ...Root) Option {
	roots = slices.Clone(roots)
	return func(o *options) {
		if err := checkRoots(roots); err != nil {
			o.fault("WithRoots: %v", err)
		}
		o.roots, o.rooted = roots, true
	}
}

// ErrNoRoots is the cause when roots are set of a toolset without [WithRoots].
var ErrNoRoots = errors.New("the toolset was made without WithRoots, so that servers do not know of roots")

// SetRoots replaces the roots, and tells the servers of protocol versions before
// 2026-07-28 that they have changed, without waiting for them; newer ones are
// given the roots with each request that wants them. It is an error, and
// changes nothing, where the toolset was made without [WithRoots] ([ErrNoRoots])
// or a URI does not begin with file://.
func (ts *Toolset) SetRoots(roots ...Root) error {
	if ts.roots == nil {
		return ErrNoRoots
	}
	if err := checkRoots(roots); err != nil {
		return fmt.Errorf("toolset: %w", err)
	}
	ts.roots.set(roots)
	ts.pool.Announce(mcp.MethodNotificationRootsListChanged)
	return nil
}

func checkRoots(roots []Root) error {
	var err error
	for _, root := range roots {
		if at, bad := url.Parse(root.URI); bad != nil || at.Scheme != "file" || !strings.HasPrefix(root.URI, "file://") {
			err = errors.Join(err, fmt.Errorf("the root %q is no file:// URI", root.Name))
		}
	}
	return err
}

// rootList is the roots there are now.
type rootList struct {
	mu    sync.Mutex
	roots []Root
}

func (l *rootList) set(roots []Root) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.roots = slices.Clone(roots)
}

// answer is what a server is told.
func (l *rootList) answer() any {
	type root struct {
		URI  string `json:"uri"`
		Name string `json:"name,omitempty"`
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	told := make([]root, len(l.roots))
	for i, r := range l.roots {
		told[i] = root(r)
	}
	return map[string]any{"roots": told}
}
