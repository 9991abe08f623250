//go:build unix

package soak

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/headers"
	"github.com/mcptoolset/mcptoolset/toolset"
)

var (
	length  = flag.Duration("for", 4*time.Second, "how long TestSoak runs")
	seed    = flag.Uint64("seed", 1, "what TestSoak draws its luck from")
	callers = flag.Int("callers", 200, "how many call at a time in TestSoak")
)

func TestMain(m *testing.M) {
	if path, ok := os.LookupEnv(ledgerEnv); ok {
		if err := serveStdio(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// world is all that is running.
type world struct {
	ledger  *ledger
	fronts  []*front
	targets []*target
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{ledger: newLedger(t)}
	modern, older, sse := w.front(t, false), w.front(t, false), w.front(t, true)
	executable, err := os.Executable()
	require.NoError(t, err)
	child := config.NewStdio(executable).Env(ledgerEnv, w.ledger.path).Env("GORACE", "atexit_sleep_ms=0").Env("GOCOVERDIR", t.TempDir())
	w.target(t, "stdio", child).nameless = true
	w.target(t, "sse", config.NewSSE(sse.address()))
	w.target(t, "http, older", config.NewStreamableHTTP(older.address()).ProtocolVersion("2025-11-25"))
	w.target(t, "http, 2026-07-28", config.NewStreamableHTTP(modern.address()))
	w.target(t, "in-process", config.NewInProcess(newServer(w.ledger)))
	return w
}

func (w *world) front(t *testing.T, sse bool) *front {
	t.Helper()
	f := newFront(t, w.ledger, sse, *seed+uint64(len(w.fronts)))
	w.fronts = append(w.fronts, f)
	return f
}

func (w *world) target(t *testing.T, name string, b *config.Builder) *target {
	t.Helper()
	cfg, err := b.Name(name).CallTimeout(3 * time.Second).ConnectTimeout(15 * time.Second).Trusted(true).Build()
	require.NoError(t, err)
	var options []toolset.Option
	if cfg.Stdio == nil {
		options = append(options, toolset.WithHeaderProvider(headers.FromContext))
	}
	set, err := toolset.New(cfg, options...)
	require.NoError(t, err)
	to := &target{name: name, set: set, charges: map[string]outcome{}}
	w.targets = append(w.targets, to)
	return to
}

// disturb does harm until ctx ends.
func (w *world) disturb(ctx context.Context, t *testing.T, random *rand.Rand) {
	for pause := time.NewTicker(150 * time.Millisecond); ; {
		select {
		case <-ctx.Done():
			pause.Stop()
			return
		case <-pause.C:
		}
		dice := random.IntN(1000)
		if victim := random.IntN(len(w.fronts) + 1); victim < len(w.fronts) {
			w.fronts[victim].disturb(dice)
			continue
		}
		w.kill(t, dice)
	}
}

// kill ends the child at work, or stops it for a while.
func (w *world) kill(t *testing.T, dice int) {
	for _, id := range w.ledger.processes(t) {
		if dice%3 != 0 {
			_ = syscall.Kill(id, syscall.SIGKILL)
			continue
		}
		if syscall.Kill(id, syscall.SIGSTOP) == nil {
			time.Sleep(50 * time.Millisecond)
			_ = syscall.Kill(id, syscall.SIGCONT)
		}
	}
}

func (w *world) call(ctx context.Context, user int) {
	random := rand.New(rand.NewPCG(*seed, uint64(user)+1000))
	for i := 0; ctx.Err() == nil; i++ {
		to := w.targets[random.IntN(len(w.targets))]
		to.call(fmt.Sprintf("user-%d", user), fmt.Sprintf("%d.%d", user, i), random)
	}
}

func (w *world) close(t *testing.T) {
	t.Helper()
	for _, to := range w.targets {
		assert.NoError(t, to.set.Close(), to.name)
	}
	for _, f := range w.fronts {
		f.CloseClientConnections()
		f.Close()
	}
}

func TestSoak(t *testing.T) {
	files := openFiles()
	w := newWorld(t)
	ctx, cancel := context.WithTimeout(t.Context(), *length)
	defer cancel()
	var running sync.WaitGroup
	for user := range *callers {
		running.Go(func() { w.call(ctx, user) })
	}
	running.Go(func() { w.disturb(ctx, t, rand.New(rand.NewPCG(*seed, 0))) })
	early := memoryAfter(ctx, *length/4)
	running.Wait()
	late := memory()
	w.close(t)
	w.judge(t)
	t.Logf("memory after a quarter: %d MB, at the end: %d MB; files open before: %d, after: %d; child processes there were: %d",
		early>>20, late>>20, files, openFiles(), len(w.ledger.processes(t)))
	assert.LessOrEqual(t, late, early*3/2+64<<20, "memory grows")
	assert.LessOrEqual(t, openFiles(), files+5, "files stay open")
	for _, id := range w.ledger.processes(t) {
		assert.ErrorIs(t, syscall.Kill(id, 0), syscall.ESRCH, "child %d is still there", id)
	}
}

// judge compares what callers were told with what took effect.
func (w *world) judge(t *testing.T) {
	t.Helper()
	effects := w.ledger.counts(t, effect)
	var table strings.Builder
	out := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "connection\tcalls\tanswered\trefused\tunknown\tcancelled\teffects\ttwice\tworst\t")
	for _, to := range w.targets {
		once, twice := 0, 0
		for key, result := range to.charges {
			n := effects[key]
			once += min(n, 1)
			if n > 1 {
				twice++
			}
			assert.False(t, result == answered && n == 0, "%s: %s was answered and has no effect", to.name, key)
			assert.False(t, result == refused && n > 0, "%s: %s was said not to have run and has an effect", to.name, key)
		}
		assert.Zero(t, twice, "%s: calls that took effect twice", to.name)
		assert.Empty(t, to.faults, to.name)
		assert.Positive(t, to.outcomes[answered], to.name)
		fmt.Fprintf(out, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%v\t\n", to.name, to.calls, to.outcomes[answered], to.outcomes[refused],
			to.outcomes[unknown], to.outcomes[cancelled], once, twice, to.worst.Round(time.Millisecond))
	}
	require.NoError(t, out.Flush())
	t.Logf("seed %d, %v, %d callers\n%s", *seed, *length, *callers, table.String())
}

// openFiles counts those of this process; 0 where the system does not tell.
func openFiles() int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(entries)
}

func memoryAfter(ctx context.Context, pause time.Duration) uint64 {
	select {
	case <-ctx.Done():
	case <-time.After(pause):
	}
	return memory()
}

// memory is what is in use after a collection.
func memory() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
