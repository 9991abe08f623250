package resources

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestH2_PositionsAsCursors(t *testing.T) {
	t.Parallel()
	for at, want := range map[position]string{
		{}:                                 "",
		{cursor: "abc"}:                    "abc",
		{cursor: "abc", passed: 12}:        "passed=12;page=abc",
		{passed: 12}:                       "passed=12;page=",
		{cursor: "passed=1"}:               "passed=1",
		{cursor: "passed=1;page="}:         "passed=0;page=passed=1;page=",
		{cursor: "passed=0;page=x"}:        "passed=0;page=passed=0;page=x",
		{cursor: "passed=-1;page=x"}:       "passed=-1;page=x",
		{cursor: "passed=x;page=y"}:        "passed=x;page=y",
		{cursor: "passed=1;page=a;page=b"}: "passed=0;page=passed=1;page=a;page=b",
	} {
		assert.Equal(t, want, at.String())
		assert.Equal(t, at, parsePosition(want))
	}
}

func TestH2_APositionReadsBackAsItself(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		at := position{
			cursor: rapid.StringMatching(`(passed=|;page=|[+0-9]|x){0,6}`).Draw(t, "cursor"),
			passed: rapid.IntRange(0, 1<<31-1).Draw(t, "passed"),
		}
		require.Equal(t, at, parsePosition(at.String()))
	})
}
