package progress

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/mcptoolset/mcptoolset/toolset"
)

const (
	// defaultWidth is how many columns a line has unless [WithWidth] says so.
	defaultWidth = 80
	// pauseOnTerminal and pauseElsewhere are how long a line stays at least.
	pauseOnTerminal = 100 * time.Millisecond
	pauseElsewhere  = time.Second
	// maxCalls bounds the calls that are told apart.
	maxCalls = 100
)

// Option changes what [NewLine] makes.
type Option func(*Line)

// WithTerminal says whether the writer is a terminal, where one line is written
// over again. By default it is one if it is an [*os.File] that is a character
// device other than the null device.
func WithTerminal(is bool) Option { return func(l *Line) { l.terminal = is } }

// WithWidth bounds a line, in columns of a terminal, of which emoji and Chinese,
// Japanese and Korean characters take two; what is longer is cut. Less than 20
// is taken for 20. By default it is 80.
func WithWidth(columns int) Option { return func(l *Line) { l.width = max(columns, 20) } }

// WithPause is how long a line stays at least before the next replaces or
// follows it; what is told meanwhile is left out. That a call has come to its
// end is told at once, though elsewhere than on a terminal for each tool at most
// once in a pause. Zero or less is no pause. By default it is 100 ms on a
// terminal and a second elsewhere, there for each tool.
func WithPause(pause time.Duration) Option {
	return func(l *Line) { l.pause, l.paused = max(pause, 0), true }
}

// Line writes the progress of calls to one writer: on a terminal as one line
// that is written over, elsewhere as lines. It may be used concurrently and for
// several toolsets. It starts no goroutine. Errors of the writer are ignored.
type Line struct {
	w        io.Writer
	terminal bool
	width    int
	pause    time.Duration
	paused   bool // by an option

	mu      sync.Mutex
	shown   int // columns of the line on the terminal
	written map[string]notice
	running []toolset.Progress // the last of each tool, the latest at the end
}

// notice is one that was written.
type notice struct {
	at    time.Time
	ended bool
}

// NewLine returns a Line for w. It writes nothing yet.
func NewLine(w io.Writer, opts ...Option) *Line {
	l := &Line{w: w, terminal: isTerminal(w), width: defaultWidth, written: map[string]notice{}}
	for _, opt := range opts {
		if opt != nil {
			opt(l)
		}
	}
	switch {
	case l.paused:
	case l.terminal:
		l.pause = pauseOnTerminal
	default:
		l.pause = pauseElsewhere
	}
	return l
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || f == nil {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// Handle shows one notice. It is a handler for [toolset.WithProgressHandler].
// On a terminal the tools that have not come to their end are shown beside each
// other, the one told of last at the head; one that never says where it ends
// stays until Clear, as does whatever is left at the end of the program. Control
// characters of the server, line feeds and escape sequences among them, are
// shown as blanks.
func (l *Line) Handle(_ context.Context, p toolset.Progress) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.remember(p)
	switch {
	case !l.due(p):
	case l.terminal:
		l.rewrite()
	default:
		fmt.Fprintln(l.w, cut(text(p), l.width))
	}
	if ended(p) {
		l.running = l.running[:len(l.running)-1]
	}
}

// due reports whether it is time to write a notice, which then counts as
// written.
func (l *Line) due(p toolset.Progress) bool {
	key := ""
	if !l.terminal {
		key = name(p)
	}
	now := notice{time.Now(), ended(p)}
	last, ok := l.written[key]
	if ok && now.at.Sub(last.at) < l.pause && (!now.ended || last.ended && !l.terminal) {
		return false
	}
	if len(l.written) >= maxCalls {
		clear(l.written)
	}
	l.written[key] = now
	return true
}

// Clear takes the line off a terminal, before something else is written there.
// Elsewhere it does nothing.
func (l *Line) Clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.terminal && l.shown > 0 {
		_, _ = io.WriteString(l.w, l.blank())
	}
	l.shown, l.running = 0, nil
}

// blank goes back to the start of the line and takes off what stands there.
func (l *Line) blank() string {
	if l.shown == 0 {
		return "\r"
	}
	return "\r" + strings.Repeat(" ", l.shown) + "\r"
}

// remember puts a notice at the end, in place of the one before of its tool.
func (l *Line) remember(p toolset.Progress) {
	for i, r := range l.running {
		if name(r) == name(p) {
			l.running = append(l.running[:i], l.running[i+1:]...)
			break
		}
	}
	if len(l.running) >= maxCalls {
		l.running = l.running[1:]
	}
	l.running = append(l.running, p)
}

// rewrite writes over the line, the latest notice first.
func (l *Line) rewrite() {
	var parts []string
	for i := len(l.running) - 1; i >= 0; i-- {
		parts = append(parts, text(l.running[i]))
	}
	line := cut(strings.Join(parts, " | "), l.width-1) // the last column would wrap
	_, _ = io.WriteString(l.w, l.blank()+line)
	l.shown = width(line)
}

func name(p toolset.Progress) string { return p.Server + "\x00" + p.Tool }

// ended reports whether a notice says that a call has come to its end.
func ended(p toolset.Progress) bool { return p.Total > 0 && p.Progress >= p.Total }

// text is a notice in words.
func text(p toolset.Progress) string {
	words := plain(p.Tool)
	if p.Server != "" {
		words = plain(p.Server) + " " + words
	}
	switch {
	case p.Total > 0 && !math.IsInf(p.Total, 0) && !math.IsNaN(p.Progress):
		percent := min(max(p.Progress/p.Total*100, 0), 100)
		words += fmt.Sprintf(" %3.0f%%", math.Floor(percent))
	case p.Progress > 0:
		words += fmt.Sprintf(" %.6g", p.Progress)
	}
	if message := plain(p.Message); message != "" {
		words += " " + message
	}
	return words
}

// maxRead bounds how much of a text is looked at, in characters.
const maxRead = 1000

// plain is a text on one line, without what could change the terminal or the
// direction of reading.
func plain(s string) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n++; n > maxRead {
			break
		}
		if !unicode.IsPrint(r) {
			r = ' '
		}
		b.WriteRune(r)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
