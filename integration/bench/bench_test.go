package main

import (
	"encoding/xml"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	serveIfChild()
	os.Exit(m.Run())
}

// TestEveryRowCanBeMeasured runs each row once, so that none breaks unseen. It
// judges no figure.
func TestEveryRowCanBeMeasured(t *testing.T) {
	if os.Getenv("MCPTOOLSET_BENCH") == "" {
		t.Skip("it keeps the machine busy for minutes, which other tests would feel: MCPTOOLSET_BENCH=1 runs it, and make bench measures every row")
	}
	l := newLab(t.Context(), once)
	t.Cleanup(l.close)
	seen := map[string]bool{}
	for _, r := range rows {
		figures, err := r.run(l)
		require.NoError(t, err, r.name)
		if r.name != "corpus" { // the captures may be missing
			assert.NotEmpty(t, figures, r.name)
		}
		for _, f := range figures {
			assert.False(t, seen[f.name], "two figures are called %s", f.name)
			seen[f.name] = true
			assert.Regexp(t, `^RATIO \S+ +\S+ [<>]=\S+ (ok|over)`, f.String())
		}
	}
}

func TestFigureIsMet(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		f    figure
		want string
	}{
		"below":         {figure{name: "a", value: 0.5, bound: 1}, "RATIO a 0.5 <=1 ok"},
		"above":         {figure{name: "a", value: 1.5, bound: 1}, "RATIO a 1.5 <=1 over"},
		"below a least": {figure{name: "a", value: 0.5, bound: 1, atLeast: true}, "RATIO a 0.5 >=1 over"},
		"with a unit":   {figure{name: "a", value: 3, bound: 10, unit: "ms", note: "n"}, "RATIO a 3ms <=10ms ok # n"},
	} {
		assert.Equal(t, c.want, strings.Join(strings.Fields(c.f.String()), " "), name)
	}
}

func TestMedian(t *testing.T) {
	t.Parallel()
	assert.Zero(t, median(nil))
	assert.Equal(t, 2.0, median([]float64{3, 1, 2}))
	assert.Equal(t, 1.5, median([]float64{2, 1}))
}

// BenchmarkCall is a call over each kind of connection, for -cpuprofile and for
// comparing two states of the library with benchstat.
func BenchmarkCall(b *testing.B) {
	l := newLab(b.Context(), hasty)
	b.Cleanup(l.close)
	for _, c := range []struct {
		name                     string
		make                     func(version, tool, arguments string) (contenders, error)
		version, tool, arguments string
	}{
		{"http-legacy", l.overHTTP, legacy, toolEcho, echoArguments},
		{"http-modern", l.overHTTP, modern, toolEcho, echoArguments},
		{"stdio-legacy", l.overStdio, legacy, toolEcho, echoArguments},
		{"stdio-modern", l.overStdio, modern, toolEcho, echoArguments},
		{"http-64KB", l.overHTTP, modern, toolText64, "{}"},
		{"stdio-64KB", l.overStdio, modern, toolText64, "{}"},
		{"in-process", func(_, tool, arguments string) (contenders, error) { return l.inProcess(tool, arguments) }, "", toolEcho, echoArguments},
	} {
		cs, err := c.make(c.version, c.tool, c.arguments)
		require.NoError(b, err)
		for _, who := range cs {
			b.Run(c.name+"/"+who.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					require.NoError(b, who.call(b.Context()))
				}
			})
		}
		cs.close()
	}
}

func TestPlotShowsWhatRunsPrinted(t *testing.T) {
	t.Parallel()
	printed := figure{name: "a/b", value: 0.5, bound: 1, note: "n"}.String() + "\n" +
		figure{name: "c", value: 3, unit: "ms", bound: 2, atLeast: true}.String() + "\n   0 s  c\n" +
		figure{name: "a/b", value: 1.5, bound: 1}.String() + "\n" +
		figure{name: "a/b", value: 2.5, bound: 1}.String() + "\n"
	figures, err := readFigures(strings.NewReader(printed))
	require.NoError(t, err)
	assert.Equal(t, []figure{{name: "a/b", value: 1.5, bound: 1}, {name: "c", value: 3, unit: "ms", bound: 2, atLeast: true}}, figures)
	var svg strings.Builder
	require.NoError(t, plotFrom(strings.NewReader(printed), &svg))
	assert.NoError(t, xml.Unmarshal([]byte(svg.String()), new(struct{})), svg.String())
	assert.Contains(t, svg.String(), "3ms (≥ 2)")
	assert.ErrorContains(t, plotFrom(strings.NewReader("nothing"), &svg), "RATIO")
}
