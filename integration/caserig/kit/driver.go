package kit

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tmc/langchaingo/tools"
)

// Main runs the protocol on the standard streams until input ends. causes are
// the sentinels, by name, to look for in errors.
//
// Standard output belongs to the protocol: what the library prints there goes
// to standard error instead. What it writes to slog.Default and log is kept
// for the op "show".
func Main(open func(Config) (Set, error), causes map[string]error) {
	out := os.Stdout
	os.Stdout = os.Stderr
	d := newDriver(open, causes, out)
	slog.SetDefault(slog.New(slog.NewTextHandler(&d.log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	log.SetOutput(&d.log)
	if err := d.serve(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "driver:", err)
		os.Exit(1)
	}
}

type driver struct {
	open   func(Config) (Set, error)
	causes map[string]error
	base   int // goroutines before anything was opened
	log    logBuffer

	writing sync.Mutex
	out     io.Writer

	mu    sync.Mutex
	set   Set
	tools map[string]tools.Tool // every tool listed so far, those of older listings too
	last  []tools.Tool
}

func newDriver(open func(Config) (Set, error), causes map[string]error, out io.Writer) *driver {
	return &driver{open: open, causes: causes, base: runtime.NumGoroutine(), out: out, tools: map[string]tools.Tool{}}
}

func (d *driver) serve(in io.Reader) error {
	var async sync.WaitGroup
	defer async.Wait()
	r := bufio.NewReaderSize(in, 1<<20)
	for {
		line, err := r.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var o op
			if e := json.Unmarshal(line, &o); e != nil {
				return fmt.Errorf("bad op: %w", e)
			}
			if o.Async {
				async.Go(func() { d.write(d.do(o)) })
			} else {
				d.write(d.do(o))
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (d *driver) write(a answer) {
	d.writing.Lock()
	defer d.writing.Unlock()
	_, _ = d.out.Write(a.encode()) // a rig that left is no fault
}

// do runs one op. A panic of the library becomes part of the answer.
func (d *driver) do(o op) (a answer) {
	start := time.Now()
	defer func() {
		if p := recover(); p != nil {
			a.OK, a.Panic = false, fmt.Sprint(p)
		}
		a.ID, a.MS = o.ID, time.Since(start).Milliseconds()
	}()
	ctx, done := o.context()
	defer done()
	err := d.run(ctx, o, &a)
	a.OK = err == nil
	if err != nil {
		d.blame(&a, err)
	}
	return a
}

// context is the caller's context of an op.
func (o op) context() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	done := []func(){cancel}
	if o.User != "" {
		ctx = context.WithValue(ctx, userKey{}, o.User)
	}
	if o.Token != "" {
		ctx = context.WithValue(ctx, tokenKey{}, o.Token)
	}
	if o.CancelMS > 0 {
		t := time.AfterFunc(time.Duration(o.CancelMS)*time.Millisecond, cancel)
		done = append(done, func() { t.Stop() })
	}
	if o.DeadlineMS > 0 {
		var end context.CancelFunc
		ctx, end = context.WithTimeout(ctx, time.Duration(o.DeadlineMS)*time.Millisecond)
		done = append(done, end)
	}
	return ctx, func() {
		for _, f := range done {
			f()
		}
	}
}

// blame puts an error into an answer.
func (d *driver) blame(a *answer, err error) {
	var u unsupported
	if errors.As(err, &u) {
		a.Unsupported = string(u)
		return
	}
	a.Err = err.Error()
	if a.Err == "" {
		a.Err = "(empty error)"
	}
	for name, cause := range d.causes {
		if errors.Is(err, cause) {
			a.Is = append(a.Is, name)
		}
	}
}

var errNotOpen = errors.New("no toolset is open")

func (d *driver) run(ctx context.Context, o op, a *answer) error {
	switch o.Op {
	case "new":
		return d.new(o.Config)
	case "leaks":
		a.Goroutines, a.Base, a.Children = runtime.NumGoroutine(), d.base, children()
		return nil
	}
	d.mu.Lock()
	set := d.set
	d.mu.Unlock()
	if set == nil {
		return errNotOpen
	}
	switch o.Op {
	case "tools":
		return d.listOp(ctx, set, o, a)
	case "call":
		return d.call(ctx, o, a)
	case "agent":
		return d.agent(ctx, set, o, a)
	case "close":
		return set.Close()
	case "show":
		a.Text = d.show(set)
		return nil
	}
	return Unsupported("op " + o.Op)
}

func (d *driver) new(cfg Config) error {
	s, err := d.open(cfg)
	if err != nil {
		return err
	}
	if cfg.MutateHeaders {
		cfg.mutateHeaders()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.set, d.last = s, nil
	return nil
}

func (d *driver) list(ctx context.Context, set Set) ([]tools.Tool, error) {
	ts, err := set.Tools(ctx)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, t := range ts {
		d.tools[t.Name()] = t
	}
	d.last = ts
	return ts, nil
}

func (d *driver) listOp(ctx context.Context, set Set, o op, a *answer) error {
	if r, ok := set.(Refresher); ok && o.Refresh {
		r.Refresh()
	}
	ts, err := d.list(ctx, set)
	if r, ok := set.(Reporter); ok {
		a.Report = r.Report()
	}
	for _, t := range ts {
		info := toolInfo{Name: t.Name(), Description: t.Description()}
		if p, ok := set.(Parameterer); ok {
			info.Parameters = p.Params(t)
		}
		a.Tools = append(a.Tools, info)
	}
	return err
}

func (d *driver) call(ctx context.Context, o op, a *answer) (err error) {
	d.mu.Lock()
	t := d.tools[o.Tool]
	d.mu.Unlock()
	if t == nil {
		return fmt.Errorf("no such tool in the driver: %s", o.Tool)
	}
	if o.N <= 1 {
		a.Text, err = t.Call(ctx, o.Input)
		return err
	}
	a.Texts, a.Errs = make([]string, o.N), make([]string, o.N)
	var wg sync.WaitGroup
	for i := range o.N {
		wg.Go(func() {
			text, err := t.Call(ctx, strings.ReplaceAll(o.Input, "%N%", strconv.Itoa(i)))
			a.Texts[i] = text
			if err != nil {
				a.Errs[i] = err.Error()
			}
		})
	}
	wg.Wait()
	return nil
}

// show prints the toolset's values as a careless user would, and the log.
func (d *driver) show(set Set) string {
	values := []any{set}
	if s, ok := set.(Shower); ok {
		values = s.Show()
	}
	var b strings.Builder
	for _, v := range values {
		fmt.Fprintf(&b, "%v\n%+v\n%#v\n", v, v, v)
	}
	b.WriteString("--- log\n" + d.log.String())
	return b.String()
}

// logBuffer keeps what was logged.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
