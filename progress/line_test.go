package progress_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/mcptoolset/mcptoolset/progress"
	"github.com/mcptoolset/mcptoolset/toolset"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func shown(notices []toolset.Progress, opts ...progress.Option) string {
	var out bytes.Buffer
	l := progress.NewLine(&out, append([]progress.Option{progress.WithPause(0)}, opts...)...)
	for _, p := range notices {
		l.Handle(context.Background(), p)
	}
	return out.String()
}

func TestE9_ProgressAsLines(t *testing.T) {
	t.Parallel()
	for title, c := range map[string]struct {
		p    toolset.Progress
		want string
	}{
		"with a total":       {toolset.Progress{Server: "s", Tool: "t", Progress: 1, Total: 3, Message: "step"}, "s t  33% step\n"},
		"without":            {toolset.Progress{Tool: "t", Progress: 12.5}, "t 12.5\n"},
		"words alone":        {toolset.Progress{Tool: "t", Message: "on it"}, "t on it\n"},
		"nearly done":        {toolset.Progress{Tool: "t", Progress: 999, Total: 1000}, "t  99%\n"},
		"beyond the total":   {toolset.Progress{Tool: "t", Progress: 9, Total: 3}, "t 100%\n"},
		"below nothing":      {toolset.Progress{Tool: "t", Progress: -9, Total: 3}, "t   0%\n"},
		"no number":          {toolset.Progress{Tool: "t", Progress: math.NaN(), Total: math.NaN()}, "t\n"},
		"no number of three": {toolset.Progress{Tool: "t", Progress: math.NaN(), Total: 3}, "t\n"},
		"infinitely far":     {toolset.Progress{Tool: "t", Progress: math.Inf(1), Total: 3}, "t 100%\n"},
		"endless":            {toolset.Progress{Tool: "t", Progress: 1, Total: math.Inf(1)}, "t 1\n"},
		"control signs":      {toolset.Progress{Tool: "t\x1b[2J", Message: "a\r\n\x07b\u202ec\u009bd\x00\xff"}, "t [2J a b c d \ufffd\n"},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, c.want, shown([]toolset.Progress{c.p}))
		})
	}
}

func TestE9_ProgressLinesAreBounded(t *testing.T) {
	t.Parallel()
	long := []toolset.Progress{{Tool: "t", Message: strings.Repeat("größe ", 100_000)}}
	for _, terminal := range []bool{true, false} {
		for width, want := range map[int]int{-1: 20, 30: 30, 80: 80} {
			line := strings.Trim(shown(long, progress.WithTerminal(terminal), progress.WithWidth(width)), "\r\n")
			assert.LessOrEqual(t, utf8.RuneCountInString(line), want)
			assert.True(t, utf8.ValidString(line))
			assert.True(t, strings.HasSuffix(line, "…"))
		}
	}
}

func TestE9_ProgressOfSeveralCallsOnOneLine(t *testing.T) {
	t.Parallel()
	out := shown([]toolset.Progress{
		{Tool: "a", Progress: 1, Total: 2}, {Tool: "b", Progress: 1}, {Tool: "a", Progress: 2, Total: 2}, {Tool: "b", Progress: 2},
	}, progress.WithTerminal(true))
	assert.Equal(t, "\ra  50%\r      \rb 1 | a  50%\r            \ra 100% | b 1\r            \rb 2", out)
}

// screen is what stands on the first line of a terminal in the end; what would
// wrap fails the test. double says which characters take two columns.
func screen(t *testing.T, out string, columns int, double func(rune) bool) string {
	t.Helper()
	line := make([]rune, columns)
	at := 0
	for _, r := range out {
		switch {
		case r == '\r':
			at = 0
			continue
		case at >= columns || double(r) && at == columns-1:
			t.Fatalf("%q does not fit into %d columns", out, columns)
		case double(r):
			line[at], line[at+1] = r, 0
			at += 2
		default:
			line[at] = r
			at++
		}
	}
	return strings.TrimRight(strings.ReplaceAll(string(line), "\x00", ""), " ")
}

func TestE9_ProgressLinesFitTheTerminalWhateverTheirCharactersTake(t *testing.T) {
	t.Parallel()
	for title, c := range map[string]struct {
		message string
		double  func(rune) bool
	}{
		"Chinese":                  {"読み込み中", func(r rune) bool { return r > 0x2e80 }},
		"Korean":                   {"읽는 중", func(r rune) bool { return r > 0x2e80 }},
		"emoji":                    {"✅🚀⏳❌", func(r rune) bool { return r > 0x2300 }},
		"emoji on an old terminal": {"✅🚀⏳❌", func(rune) bool { return false }},
		"German":                   {"größer als ", func(rune) bool { return false }},
		"marks":                    {"e\u0301", func(rune) bool { return false }},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			for n := range 40 {
				double := func(r rune) bool { return r != '…' && c.double(r) }
				out := shown([]toolset.Progress{
					{Tool: "t", Progress: 1, Total: 10, Message: strings.Repeat(c.message, n)},
					{Tool: "t", Progress: 2, Total: 10, Message: "short"},
				}, progress.WithTerminal(true), progress.WithWidth(30))
				assert.Equal(t, "t  20% short", screen(t, out, 30, double), "%q", out)
			}
		})
	}
}

func TestE9_EndsThatAServerRepeatsDoNotFloodALog(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		l := progress.NewLine(&out)
		for i := range 10_000 {
			for _, tool := range []string{"a", "b"} {
				l.Handle(t.Context(), toolset.Progress{Tool: tool, Progress: float64(i), Total: 1})
			}
			time.Sleep(250 * time.Microsecond) // 2.5 s in all
		}
		// Each has its beginning, its end, and its end again at 1 s and 2 s.
		assert.Equal(t, 8, strings.Count(out.String(), "\n"), out.String())
	})
}

func TestE9_ProgressLinesAreNotWrittenTooOften(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		l := progress.NewLine(&out)
		for i := range 100 {
			l.Handle(t.Context(), toolset.Progress{Tool: "t", Progress: float64(i + 1), Total: 100})
			time.Sleep(40 * time.Millisecond)
		}
		assert.Equal(t, 5, strings.Count(out.String(), "\n"), "at 0, 1, 2 and 3 s, and the end")
		assert.True(t, strings.HasSuffix(out.String(), "100%\n"), "the end is always told")
	})
}

func TestE9_ProgressLineIsCleared(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	l := progress.NewLine(&out, progress.WithTerminal(true))
	l.Clear()
	assert.Empty(t, out.String())
	l.Handle(t.Context(), toolset.Progress{Tool: "abc"})
	l.Clear()
	assert.Equal(t, "\rabc\r   \r", out.String())
}

func TestE9_ProgressLineFindsOutWhetherItIsATerminal(t *testing.T) {
	t.Parallel()
	file, err := os.Create(t.TempDir() + "/log")
	require.NoError(t, err)
	defer file.Close()
	progress.NewLine(file).Handle(t.Context(), toolset.Progress{Tool: "t"})
	text, err := os.ReadFile(file.Name())
	require.NoError(t, err)
	assert.Equal(t, "t\n", string(text))
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestE9_ProgressLinesMayBeWrittenConcurrently(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	for _, l := range []*progress.Line{progress.NewLine(&out, progress.WithTerminal(true), progress.WithPause(0)), progress.NewLine(full{})} {
		var all sync.WaitGroup
		for i := range 200 {
			all.Go(func() { l.Handle(t.Context(), toolset.Progress{Tool: fmt.Sprint(i), Progress: 1}) })
		}
		all.Wait()
		l.Clear()
	}
	assert.NotEmpty(t, out.String())
}
