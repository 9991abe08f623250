package rig

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"caserig/fakesrv"
)

// The test binary, started under another name or with "fakesrv", is the driver
// and the fake server of these tests.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "fakesrv" {
		serveFake(os.Args[2:])
		return
	}
	if answer, ok := drivers[filepath.Base(os.Args[0])]; ok {
		drive(answer)
		return
	}
	os.Exit(m.Run())
}

func serveFake(args []string) { // -http ADDR -scenario FILE -log FILE
	s, err := fakesrv.Load(args[3], args[5])
	if err == nil {
		err = s.HTTP(args[1])
	}
	fmt.Fprintln(os.Stderr, err)
}

// drivers are what a driver makes of a call; all other ops they answer well.
var drivers = map[string]func(call M) M{
	"right":       func(M) M { return M{"ok": true, "text": "hello there"} },
	"wrong":       func(M) M { return M{"ok": true, "text": "good bye"} },
	"empty":       func(M) M { return M{"ok": true, "text": " \n"} },
	"goerror":     func(M) M { return M{"err": "broken pipe"} },
	"unsupported": func(M) M { return M{"unsupported": "calls"} },
	"panics":      func(M) M { return M{"panic": "nil map"} },
	"silent":      func(M) M { return nil },
	"dies":        func(M) M { panic("boom") },
}

func drive(answer func(M) M) {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var op M
		if err := json.Unmarshal(in.Bytes(), &op); err != nil {
			panic(err)
		}
		a := M{"ok": true, "tools": []M{{"name": "p_t"}}}
		if op["op"] == "call" {
			a = answer(op)
		}
		if a == nil {
			continue
		}
		a["id"] = op["id"]
		line, err := json.Marshal(a)
		if err != nil {
			panic(err)
		}
		fmt.Println(string(line))
	}
}

// runner starts the test binary as the named driver.
func runner(t *testing.T, name string) Runner {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	link := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.Symlink(self, link))
	return Runner{Driver: link, Server: []string{self, "fakesrv"}, Timeout: 10 * time.Second}
}

func hello(c *C) {
	c.Open()
	c.Good("t", "{}", "hello")
}

func TestRun_JudgesWhatADriverDoes(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		driver string
		status Status
		why    string
	}{
		{"right", Pass, ""},
		{"wrong", Fail, `observation of t lacks "hello": good bye`},
		{"empty", Fail, "call of t: empty observation"},
		{"goerror", Fail, "call of t is a Go error: broken pipe"},
		{"unsupported", Unsupported, "calls"},
		{"panics", Fail, "panic in the library: nil map"},
		{"silent", Fail, "no answer within the case's 1s"},
		{"dies", Fail, "the driver process died: panic: boom"},
	} {
		t.Run(tc.driver, func(t *testing.T) {
			t.Parallel()
			r := runner(t, tc.driver)
			if tc.driver == "silent" {
				r.Timeout = time.Second
			}
			res := r.Run(Row{Case{ID: "X1", Run: hello}, "stdio"})
			assert.Equal(t, tc.status, res.Status)
			assert.True(t, strings.HasPrefix(res.Why, tc.why), res.Why)
		})
	}
}

func TestRun_ACaseThatPanicsFails(t *testing.T) {
	t.Parallel()
	res := runner(t, "right").Run(Row{Case{ID: "X1", Run: func(*C) { panic("slip") }}, "stdio"})
	assert.Equal(t, Fail, res.Status)
	assert.Contains(t, res.Why, "slip")
}

func TestRun_LeavesNothingBehind(t *testing.T) {
	t.Parallel()
	var dir string
	var server int
	res := runner(t, "right").Run(Row{Case{ID: "X1", Run: func(c *C) {
		dir, server = filepath.Dir(c.File("x")), c.server.cmd.Process.Pid
		hello(c)
	}}, "http"})
	require.Equal(t, Pass, res.Status, res.Why)
	assert.NoDirExists(t, dir)
	assert.Empty(t, State(server))
}

func TestVerdicts_TheWorstRowDecides(t *testing.T) {
	t.Parallel()
	row := func(id string, s Status) Result { return Result{Row: Row{Case: Case{ID: id}}, Status: s} }
	got := Verdicts([]Result{
		row("A1", Pass), row("A1", Pass),
		row("A2", Pass), row("A2", Unsupported), row("A2", Pass),
		row("A3", Fail), row("A3", Unsupported), row("A3", Pass),
	})
	assert.Equal(t, map[string]Status{"A1": Pass, "A2": Unsupported, "A3": Fail}, got)
}

func TestCompareIDs_OrdersByNumber(t *testing.T) {
	t.Parallel()
	assert.Negative(t, CompareIDs("F2", "F10"))
	assert.Negative(t, CompareIDs("F10", "O01"))
	assert.Positive(t, CompareIDs("O10", "O09"))
	assert.Zero(t, CompareIDs("O10", "O10"))
}

func TestSameJSON_ComparesDigits(t *testing.T) {
	t.Parallel()
	assert.True(t, SameJSON(`{"a":1,"b":[2]}`, ` {"b":[2],"a":1}`))
	assert.False(t, SameJSON(`9007199254740993`, `9007199254740992`))
	assert.False(t, SameJSON(`1`, `1.0`))
	assert.False(t, SameJSON(``, ``))
}

func TestFind_KnowsPrefixes(t *testing.T) {
	t.Parallel()
	c := &C{tools: []Tool{{Name: "p_get"}, {Name: "get_all"}, {Name: "forget"}}}
	got, ok := c.Find("get")
	require.True(t, ok)
	assert.Equal(t, "p_get", got.Name)
	_, ok = c.Find("all_")
	assert.False(t, ok)
}
