package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"caserig/rig"
)

func result(id, conn string, s rig.Status) rig.Result {
	return rig.Result{Row: rig.Row{Case: rig.Case{ID: id, Kind: "names"}, Conn: conn}, Status: s, Why: "why " + id}
}

var some = []rig.Result{
	result("F2", "stdio", rig.Pass), result("F2", "http", rig.Fail),
	result("F10", "stdio", rig.Pass),
	result("O01", "stdio", rig.Pass), result("O01", "http", rig.Pass),
	result("O02", "stdio", rig.Unsupported),
}

func listFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "passing.txt")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestPassing_FindsWhatIsLostAndWon(t *testing.T) {
	t.Parallel()
	list, err := readPassing(listFile(t, "# a comment\nF2\nO01 # another\nO02\n\nO77\n"))
	require.NoError(t, err)
	lost, won := list.compare(some)
	assert.Equal(t, []string{"F2", "O02"}, lost)
	assert.Equal(t, []string{"F10"}, won)
	assert.Equal(t, []string{"O77"}, list.unknown(some))
	assert.Equal(t, 3, list.among(some))
}

func TestPassing_AcceptWritesWhatPasses(t *testing.T) {
	t.Parallel()
	path := listFile(t, "F2\nO01\n")
	list, err := readPassing(path)
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, list.accept(&out, path, some))
	assert.Contains(t, out.String(), "2 numbers, added [F10], removed [F2]")
	list, err = readPassing(path)
	require.NoError(t, err)
	assert.Equal(t, passing{"F10", "O01"}, list)
}

func TestReport_CountsNumbersAndRows(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	report(&out, some, false)
	assert.Regexp(t, `names +2 +1 +1\n`, out.String())
	assert.Regexp(t, `all numbers +2 +1 +1\n`, out.String())
	assert.Regexp(t, `all cases, connections +4 +1 +1\n`, out.String())
	assert.Contains(t, out.String(), "fail: F2\nunsupported: O02\n")
	assert.Contains(t, out.String(), "why F2")
	assert.NotContains(t, out.String(), "why F10")
}

func TestSelection_ByNumberCaseKindAndConnection(t *testing.T) {
	t.Parallel()
	rows := func(only, on commaList) []string {
		var out []string
		for _, r := range (selection{only, on}).rows() {
			out = append(out, r.Name()+"/"+r.Conn)
		}
		return out
	}
	assert.Equal(t, []string{"O44/http", "O44/sse"}, rows(commaList{"O44"}, nil))
	assert.Equal(t, []string{"O31.old/stdio", "O31.old/http"}, rows(commaList{"O31.old"}, nil))
	assert.Equal(t, []string{"O44/sse"}, rows(commaList{"O44"}, commaList{"sse"}))
	assert.Contains(t, rows(commaList{"names"}, nil), "O25/stdio")
	assert.Greater(t, len(rows(nil, nil)), 200)
}

func TestRun_RefusesWhatItCannotDo(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"no driver":         {},
		"no case":           {"-driver", "x", "-only", "nothing"},
		"accept a part":     {"-driver", "x", "-passing", "p", "-accept", "-only", "O01"},
		"accept into what":  {"-driver", "x", "-accept"},
		"no jobs":           {"-driver", "x", "-j", "0"},
		"a stray argument":  {"-driver", "x", "y"},
		"an unknown option": {"-drive", "x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ok, err := run(args, &bytes.Buffer{})
			require.Error(t, err)
			assert.False(t, ok)
		})
	}
}

// Names of cases are how failures are spoken about, so they must be unique.
func TestCases_AreWellFormed(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range rig.Rows() {
		key := r.Name() + "/" + r.Conn
		assert.False(t, seen[key], "%s twice", key)
		seen[key] = true
		assert.Regexp(t, `^[A-K][0-9]+$|^O[0-9]{2}$`, r.ID)
		assert.NotEmpty(t, r.Title, key)
		assert.NotEmpty(t, r.Kind, key)
	}
	for i := 1; i <= 95; i++ {
		id := "O" + string(rune('0'+i/10)) + string(rune('0'+i%10))
		assert.NotEmpty(t, (selection{only: commaList{id}}).rows(), "%s has no case", id)
	}
}

func TestRetry_TriesListedNumbersOnceMore(t *testing.T) {
	t.Parallel()
	tries := 0
	slow := func(c *rig.C) { // fails at its first try only
		tries++
		c.Check(tries > 1, "too slow")
	}
	row := func(id string) rig.Row { return rig.Row{Case: rig.Case{ID: id, Run: slow}, Conn: "stdio"} }
	runner := rig.Runner{Driver: "/bin/cat", Server: []string{"none"}, Timeout: time.Minute}
	first := func() []rig.Result {
		tries = 0
		return []rig.Result{runner.Run(row("O01")), {Row: row("O02"), Status: rig.Fail}}
	}

	results := first()
	require.Equal(t, rig.Fail, results[0].Status)
	flaky := passing{"O01"}.retry(io.Discard, runner, results, false)
	assert.Equal(t, []string{"O01 on stdio passes only alone; beside others: too slow"}, flaky)
	assert.Equal(t, rig.Pass, results[0].Status)
	assert.Equal(t, rig.Fail, results[1].Status, "not listed")

	results = first()
	passing{}.retry(io.Discard, runner, results, true)
	assert.Equal(t, rig.Pass, results[1].Status)
}
