package proc

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestB10_ReadableStderr(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ in, want string }{
		"plain":               {"missing API_TOKEN\n", "missing API_TOKEN"},
		"nothing":             {"", ""},
		"blank":               {"\n \t\n", ""},
		"colours":             {"\x1b[31;1merror\x1b[0m: no", "error: no"},
		"a title and a link":  {"\x1b]0;title\x07\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"},
		"cursor":              {"\x1b[2K\x1b[1Gdone\x1bM", "done"},
		"line endings":        {"a\r\nb\rc", "a\nb\nc"},
		"control characters":  {"a\x00b\x07c\u0085d\x7f", "abcd"},
		"not UTF-8":           {"caf\xe9 \xff\xfe!", "caf\uFFFD \uFFFD!"},
		"tabs and lines stay": {"a\tb\n\nc", "a\tb\n\nc"},
		"half an escape":      {"a\x1b", "a"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tt.want, readable(tt.in))
		})
	}
}

func TestB10_LastLines(t *testing.T) {
	t.Parallel()
	x := func(n int) string { return strings.Repeat("x", n) }
	tests := map[string]struct {
		in   string
		cut  bool
		want string
	}{
		"short":                       {"a\nb", false, "a\nb"},
		"just fits":                   {x(tailShown), false, x(tailShown)},
		"cut before this":             {"of a line\nwhole", true, "whole"},
		"cut inside the only line":    {"abc", true, "bc"},
		"cut, nothing left":           {"", true, ""},
		"one long line":               {x(tailShown + 7), false, x(tailShown)},
		"a line border at the border": {"lost\n" + x(tailShown), false, x(tailShown)},
		"a line border behind it":     {"lost " + x(9) + "\n" + x(tailShown-3), false, x(tailShown - 3)},
		"a rune border":               {strings.Repeat("é", tailShown) + "x", false, strings.Repeat("é", tailShown/2-1) + "x"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tt.want, lastLines(tt.in, tt.cut))
		})
	}
}

func TestB10_TailIsBoundedAndValid(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := &stderr{}
		var all strings.Builder
		for range rapid.IntRange(0, 40).Draw(t, "chunks") {
			chunk := strings.Repeat(string(rapid.SliceOfN(rapid.Byte(), 1, 20).Draw(t, "bytes")), rapid.IntRange(1, 200).Draw(t, "times"))
			all.WriteString(chunk)
			s.keep([]byte(chunk))
		}
		got := s.text()
		require.True(t, utf8.ValidString(got))
		require.LessOrEqual(t, len(got), tailShown)
		require.Truef(t, strings.HasSuffix(readable(all.String()), got), "%q", got)
	})
}

func TestStderrOfAFloodIsBounded(t *testing.T) {
	t.Parallel()
	s := &stderr{}
	for range 1000 {
		s.keep(make([]byte, 32<<10))
	}
	assert.LessOrEqual(t, cap(s.tail), 128<<10)
}

// stderrPipe is a stderr whose writing side is in the test's hands.
func stderrPipe(t *testing.T, callback func(string)) (*stderr, *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	s := newStderr(r, callback)
	t.Cleanup(func() {
		_ = w.Close()
		s.close()
	})
	return s, w
}

func TestStderrLinesReachTheOwner(t *testing.T) {
	t.Parallel()
	var got []string
	s, w := stderrPipe(t, func(line string) { got = append(got, line) })
	for _, part := range []string{"one\ntw", "o\r\n", "\n\xff\n", strings.Repeat("l", maxLine+5), "more\n", "last"} {
		_, err := w.WriteString(part)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	<-s.eof
	<-s.lines.drained
	assert.Equal(t, []string{"one", "two", "", "\uFFFD", strings.Repeat("l", maxLine) + "…", "last"}, got)
}

func TestStderrCallbackThatPanics(t *testing.T) {
	t.Parallel()
	var got []string
	s, w := stderrPipe(t, func(line string) {
		if line == "bad" {
			panic(line)
		}
		got = append(got, line)
	})
	_, err := w.WriteString("a\nbad\nb\n")
	require.NoError(t, err)
	require.NoError(t, w.Close())
	<-s.eof
	<-s.lines.drained
	assert.Equal(t, []string{"a", "b"}, got)
}

func TestStderrCallbackThatIsSlowBlocksNothing(t *testing.T) {
	t.Parallel()
	const all = 10 * maxLines
	release := make(chan struct{})
	var got []string
	s, w := stderrPipe(t, func(line string) {
		<-release
		got = append(got, line)
	})
	for range all {
		_, err := w.WriteString(strings.Repeat("z", 99) + "\n") // more than a pipe holds
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	<-s.eof
	close(release)
	<-s.lines.drained
	assert.Less(t, len(got), all)
	assert.GreaterOrEqual(t, len(got), maxLines)
}

func TestStderrLinesLeftOutAreCounted(t *testing.T) {
	t.Parallel()
	entered, release := make(chan struct{}), make(chan struct{})
	var got []string
	l := newLines(func(line string) {
		if line == "first" {
			close(entered)
			<-release
		}
		got = append(got, line)
	})
	l.feed([]byte("first\n"))
	<-entered
	l.feed([]byte(strings.Repeat("queued\n", maxLines) + strings.Repeat("lost\n", 7)))
	close(release)
	for len(l.queue) > 0 { // the callback takes them now
		l.wait(tick)
	}
	l.feed([]byte("after\n"))
	l.end()
	<-l.drained
	require.Len(t, got, 1+maxLines+2)
	assert.Equal(t, []string{"queued", "[7 lines left out]", "after"}, got[maxLines:])
}
