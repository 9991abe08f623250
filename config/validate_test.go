package config_test

import (
	"context"
	"errors"
	"math"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/filter"
)

func TestA1_O79_ExactlyOneConnection(t *testing.T) {
	t.Parallel()
	var (
		stdio = &config.Stdio{Command: "cat"}
		sse   = &config.SSE{URL: "http://h/sse"}
		web   = &config.StreamableHTTP{URL: "http://h/mcp"}
		in    = &config.InProcess{Server: server.NewMCPServer("in", "1")}

		noStdio *config.Stdio
		noSSE   *config.SSE
		noWeb   *config.StreamableHTTP
		noIn    *config.InProcess
	)
	for name, c := range map[string]config.Config{
		"stdio": {Stdio: stdio}, "sse": {SSE: sse}, "streamable http": {StreamableHTTP: web}, "in process": {InProcess: in},
		"one beside typed nils": {Stdio: noStdio, SSE: noSSE, StreamableHTTP: web, InProcess: noIn},
	} {
		assert.NoError(t, c.Validate(), name)
	}
	for name, c := range map[string]config.Config{
		"nothing": {}, "a name is no connection": {Name: "n", Resources: true},
		"typed nils": {Stdio: noStdio, SSE: noSSE, StreamableHTTP: noWeb, InProcess: noIn},
	} {
		for _, err := range bothDoors(c) {
			require.ErrorIs(t, err, config.ErrNoConnection, name)
			assert.NotErrorIs(t, err, config.ErrManyConnections)
			for _, field := range connectionFields {
				assert.ErrorContains(t, err, field, name)
			}
		}
	}
	for _, tt := range []struct {
		cfg   config.Config
		field string
	}{
		{config.Config{Stdio: stdio, StreamableHTTP: web}, "Stdio, StreamableHTTP"},
		{config.Config{SSE: sse, StreamableHTTP: web}, "SSE, StreamableHTTP"},
		{config.Config{SSE: sse, InProcess: in}, "SSE, InProcess"},
		{config.Config{Stdio: stdio, SSE: sse, StreamableHTTP: web, InProcess: in}, "Stdio, SSE, StreamableHTTP, InProcess"},
		{config.Config{Stdio: &config.Stdio{Command: "c"}, InProcess: &config.InProcess{Server: in.Server}, SSE: noSSE}, "Stdio, InProcess"},
	} {
		for _, err := range bothDoors(tt.cfg) {
			require.ErrorIs(t, err, config.ErrManyConnections)
			assert.NotErrorIs(t, err, config.ErrNoConnection)
			assert.Equal(t, []string{tt.field}, fieldsIn(t, err))
		}
	}
}

// bothDoors validates c as a literal and through a builder.
func bothDoors(c config.Config) []error {
	_, err := c.Builder().Build()
	return []error{c.Validate(), err}
}

func TestA2_AllFaultsAtOnceEachWithItsPath(t *testing.T) {
	t.Parallel()
	c := config.Config{
		Name:            "a\nb",
		Prefix:          strings.Repeat("p", 41),
		Stdio:           &config.Stdio{Args: []string{"ok", "\x00"}, Env: map[string]string{"": "x", "A=B": "y", "C": "\x00"}, Dir: "${HOME}/x"},
		StreamableHTTP:  &config.StreamableHTTP{URL: "http://", Headers: map[string]string{"X-A": "a\nb", "bad name": "c", "Accept": "d"}},
		SSE:             &config.SSE{},
		InProcess:       &config.InProcess{},
		Filter:          filter.Or(filter.Match("[", `\`), (*none)(nil)),
		Reserved:        []string{"ok", ""},
		MaxOutput:       -1,
		MaxPages:        math.MaxInt32,
		ConnectTimeout:  config.NoTimeout,
		CallTimeout:     -2,
		ProtocolVersion: "latest",
	}
	err := c.Validate()
	assert.Equal(t, []string{
		"Stdio, SSE, StreamableHTTP, InProcess",
		"Stdio.Command", "Stdio.Args[1]", "Stdio.Env", "Stdio.Env", `Stdio.Env["C"]`, "Stdio.Dir",
		"SSE.URL",
		"StreamableHTTP.URL", `StreamableHTTP.Headers["Accept"]`, `StreamableHTTP.Headers["X-A"]`, "StreamableHTTP.Headers",
		"InProcess.Server",
		"Name", "Prefix", "Filter", "Filter", "Filter", "Reserved[1]",
		"MaxOutput", "MaxPages", "ConnectTimeout", "CallTimeout", "ProtocolVersion",
	}, fieldsIn(t, err))
	assert.True(t, strings.HasPrefix(err.Error(), `config of server "a\nb": `), err.Error())
	assert.NotContains(t, err.Error(), "\n")
	assert.NotContains(t, err.Error(), "Filter: filter:")
	for _, f := range faultsOf(t, err) {
		assert.ErrorContains(t, err, f.Error())
		assert.NotEmpty(t, f.Problem)
		if f.Field != "Filter" {
			assert.Equal(t, f.Field+": "+f.Problem+": "+f.Remedy, f.Error())
			assert.NotEmpty(t, f.Remedy, f.Field)
		}
	}
	assert.ErrorIs(t, err, config.ErrManyConnections)
	assert.ErrorIs(t, err, path.ErrBadPattern)
	var fault *config.Fault
	require.ErrorAs(t, err, &fault)
	assert.Equal(t, "Stdio, SSE, StreamableHTTP, InProcess", fault.Field)
	for range 20 {
		require.EqualError(t, c.Validate(), err.Error(), "the order of faults changes")
	}
}

// none is a filter of somebody else.
type none struct{ err error }

func (*none) Keep(context.Context, filter.Tool) (bool, error) { return false, nil }
func (*none) Names() []string                                 { return nil }
func (n *none) Validate() error                               { return n.err }

func TestO81_UnusableURLs(t *testing.T) {
	t.Parallel()
	tests := map[string]string{ // URL: what the error must say
		"":                                 "empty",
		"   ":                              "empty",
		"\n":                               "empty",
		"${UNSET}/mcp":                     "${UNSET}",
		"https://${HOST}/mcp":              "${HOST}",
		"https://h/mcp?k=${API_KEY:-dflt}": "${API_KEY}",
		"https://h/${env:TOKEN}":           "${env:TOKEN}",
		"https://h/${input:token-x}":       "${input:token}",
		"https://h/${":                     "not expanded",
		"https://h/${1}":                   "not expanded",
		"localhost:8080/mcp":               "scheme",
		"127.0.0.1:8080/mcp":               "scheme",
		"example.com/mcp":                  "scheme",
		"//example.com/mcp":                "scheme",
		"/mcp":                             "scheme",
		"mcp":                              "scheme",
		"://x":                             "scheme",
		":":                                "scheme",
		"ftp://h/mcp":                      `"ftp"`,
		"wss://h/mcp":                      `"wss"`,
		"file:///etc/passwd":               `"file"`,
		"stdio://npx":                      `"stdio"`,
		"httpx://h/mcp":                    `"httpx"`,
		"http:/h/mcp":                      "scheme",
		"http:h/mcp":                       "scheme",
		`http:\\h\mcp`:                     "scheme",
		"http//h":                          "scheme",
		"mailto:me@h":                      "scheme",
		"http://":                          "host",
		"https:///mcp":                     "host",
		"http://:8080/mcp":                 "host",
		"http://?x=1":                      "host",
		"http://user@/mcp":                 "host",
		"http://user:pass@":                "host",
		"http://h:port/mcp":                "port",
		"http://h:99999/mcp":               "port",
		"http://h:0/mcp":                   "port",
		"http://h:-1/mcp":                  "port",
		"http://h h/mcp":                   "host",
		"http://<host>/mcp":                "host",
		"http://{host}/mcp":                "host",
		"http://$HOST/mcp":                 "host",
		"http://[::1/mcp":                  "host",
		"http://%zz/mcp":                   "escape",
		"http://h/%zz":                     "escape",
		"http://h/mcp\n":                   "line feed",
		"http://h/\x00":                    "control",
		" http://h/mcp":                    "white space",
		"http://h/mcp ":                    "white space",
		"http://h/mcp#tools":               "fragment",
		"http://u:p@ss/word@h/mcp":         "user part",
	}
	for url, want := range tests {
		t.Run(url, func(t *testing.T) {
			t.Parallel()
			for field, c := range map[string]config.Config{
				"SSE.URL":            {Name: "docs", SSE: &config.SSE{URL: url}},
				"StreamableHTTP.URL": {Name: "docs", StreamableHTTP: &config.StreamableHTTP{URL: url}},
			} {
				for _, err := range bothDoors(c) {
					require.Error(t, err)
					assert.Equal(t, []string{field}, fieldsIn(t, err), "one fault is enough")
					assert.ErrorContains(t, err, want)
					assert.ErrorContains(t, err, `"docs"`, "the error does not name the server")
					assert.NotContains(t, err.Error(), "dflt", "the default of a variable is shown")
				}
			}
		})
	}
}

// What stands where a scheme should may be anything, a token included.
func TestO81_OnlyWhatCanBeASchemeIsShown(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"tokabcdefgh://h", "tok-123://h", "tok123://h", "tokabc:x@h/mcp", "Tok abc://h"} {
		err := config.Config{Name: "n", SSE: &config.SSE{URL: url}}.Validate()
		require.Error(t, err)
		assert.NotContains(t, strings.ToLower(err.Error()), "tok")
	}
}

func TestA5_BadCommands(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"": "empty", "  ": "empty", "\t\n": "empty", "\u00a0": "empty", "a\x00b": "NUL", " npx": "white space", "npx\n": "white space",
		"npx -y @scope/server": "Args", "node server.js": "Args", "python\t-m x": "Args", "${HOME}/bin/x": "${HOME}",
	} {
		err := config.Config{Stdio: &config.Stdio{Command: command}}.Validate()
		require.Error(t, err, "%q", command)
		assert.Equal(t, []string{"Stdio.Command"}, fieldsIn(t, err), "%q", command)
		assert.ErrorContains(t, err, want)
	}
	for _, command := range []string{"npx", "./server", "/opt/My App/server", `C:\Program Files\x.exe`, "日本", "a=b", "-", "$HOME/x"} {
		assert.NoError(t, config.Config{Stdio: &config.Stdio{Command: command}}.Validate(), command)
	}
}

func TestA5_BadArgumentsAndEnvironment(t *testing.T) {
	t.Parallel()
	stdio := func(s config.Stdio) error {
		s.Command = "c"
		return config.Config{Stdio: &s}.Validate()
	}
	for name, tt := range map[string]struct {
		err   error
		field string
	}{
		"NUL in an argument":   {stdio(config.Stdio{Args: []string{"a", "b\x00"}}), "Stdio.Args[1]"},
		"empty name":           {stdio(config.Stdio{Env: map[string]string{"": "v"}}), "Stdio.Env"},
		"blank name":           {stdio(config.Stdio{Env: map[string]string{" ": "v"}}), "Stdio.Env"},
		"name with =":          {stdio(config.Stdio{Env: map[string]string{"A=tok-123": ""}}), "Stdio.Env"},
		"name that is a =":     {stdio(config.Stdio{Env: map[string]string{"=": ""}}), "Stdio.Env"},
		"name with NUL":        {stdio(config.Stdio{Env: map[string]string{"A\x00": ""}}), "Stdio.Env"},
		"name with line feed":  {stdio(config.Stdio{Env: map[string]string{"A\n": ""}}), "Stdio.Env"},
		"NUL in a value":       {stdio(config.Stdio{Env: map[string]string{"A": "tok-123\x00"}}), `Stdio.Env["A"]`},
		"NUL in the directory": {stdio(config.Stdio{Dir: "a\x00"}), "Stdio.Dir"},
		"variable in it":       {stdio(config.Stdio{Dir: "${HOME}"}), "Stdio.Dir"},
	} {
		require.Error(t, tt.err, name)
		assert.Equal(t, []string{tt.field}, fieldsIn(t, tt.err), name)
		assert.NotContains(t, tt.err.Error(), "tok-123", name)
	}
	assert.NoError(t, stdio(config.Stdio{
		Args: []string{"", " ", "-c", `echo "${HOME}" | x`, "a\nb"},
		Env:  map[string]string{"A": "", "B": "two\nlines ${X} pa$word", "npm_config_x.y": "1", "PROGRAMFILES(X86)": "c"},
		Dir:  "/no/such dir",
	}), "what a child may get as it stands is refused")
}

func TestA5_BadLimits(t *testing.T) {
	t.Parallel()
	base := func(change func(*config.Config)) error {
		c := config.Config{SSE: &config.SSE{URL: "http://h"}}
		change(&c)
		return c.Validate()
	}
	limits := map[string]func(*config.Config, int){
		"MaxResourceLength": func(c *config.Config, n int) { c.MaxResourceLength = n },
		"MaxOutput":         func(c *config.Config, n int) { c.MaxOutput = n },
		"MaxItems":          func(c *config.Config, n int) { c.MaxItems = n },
		"MaxPages":          func(c *config.Config, n int) { c.MaxPages = n },
	}
	for field, set := range limits {
		for _, n := range []int{-1, math.MinInt, math.MaxInt, 1<<30 + 1} {
			err := base(func(c *config.Config) { set(c, n) })
			require.Error(t, err, "%s %d", field, n)
			assert.Equal(t, []string{field}, fieldsIn(t, err))
		}
		for _, n := range []int{0, 1, 5, 6 << 20, 1 << 30} {
			assert.NoError(t, base(func(c *config.Config) { set(c, n) }), "%s %d", field, n)
		}
	}
	timeouts := map[string]func(*config.Config, time.Duration){
		"ConnectTimeout": func(c *config.Config, d time.Duration) { c.ConnectTimeout = d },
		"ListTimeout":    func(c *config.Config, d time.Duration) { c.ListTimeout = d },
		"CallTimeout":    func(c *config.Config, d time.Duration) { c.CallTimeout = d },
	}
	for field, set := range timeouts {
		for _, d := range []time.Duration{config.NoTimeout, -2, -time.Second, math.MinInt64} {
			err := base(func(c *config.Config) { set(c, d) })
			if field == "CallTimeout" && d == config.NoTimeout {
				assert.NoError(t, err)
				continue
			}
			require.Error(t, err, "%s %v", field, d)
			assert.Equal(t, []string{field}, fieldsIn(t, err))
		}
		for _, d := range []time.Duration{0, 1, time.Hour, math.MaxInt64} {
			assert.NoError(t, base(func(c *config.Config) { set(c, d) }), "%s %v", field, d)
		}
	}
}

func TestA5_BadNamesAndVersions(t *testing.T) {
	t.Parallel()
	mine := errors.New("mine")
	web := &config.SSE{URL: "http://h"}
	for field, cs := range map[string][]config.Config{
		"Name": {
			{Name: "a\nb"}, {Name: "a\x1b[31m"}, {Name: "a\xff"}, {Name: "a\u2028b"}, {Name: "a\u202eb"}, {Name: strings.Repeat("é", 129)},
		},
		"Prefix":          {{Prefix: strings.Repeat("p", 41)}, {Prefix: strings.Repeat("日", 64)}},
		"Reserved[0]":     {{Reserved: []string{""}}},
		"ProtocolVersion": {{ProtocolVersion: "2025"}, {ProtocolVersion: "latest"}, {ProtocolVersion: " 2025-06-18"}, {ProtocolVersion: strings.Repeat("9", 10_000)}},
		"Filter": {
			{Filter: (*none)(nil)}, {Filter: filter.And(filter.Allow("a"), (*none)(nil))}, {Filter: filter.Match("[")}, {Filter: &none{mine}},
			{Filter: filter.Not(filter.Or(filter.Match("a-[z")))},
		},
	} {
		for _, c := range cs {
			c.SSE = web
			for _, err := range bothDoors(c) {
				require.Error(t, err, "%+v", c)
				assert.Equal(t, []string{field}, fieldsIn(t, err))
				assert.Less(t, len(err.Error()), 700, "the error is not bounded")
			}
		}
	}
	err := config.Config{SSE: web, ProtocolVersion: "2025"}.Validate()
	for _, v := range mcp.ValidProtocolVersions {
		assert.ErrorContains(t, err, v)
		assert.NoError(t, config.Config{SSE: web, ProtocolVersion: v}.Validate())
	}
	assert.ErrorIs(t, config.Config{SSE: web, Filter: &none{mine}}.Validate(), mine)
	for _, c := range []config.Config{
		{Name: "my server ü (test)"}, {Name: strings.Repeat("é", 128)}, {Prefix: "srv:"}, {Prefix: "my server"}, {Prefix: "日本"}, {Prefix: strings.Repeat("日", 40)},
		{Reserved: []string{"a", "a"}}, {Filter: filter.Allow()}, {Filter: &none{}}, {Filter: filter.Predicate(nil)},
	} {
		c.SSE = web
		assert.NoError(t, c.Validate())
	}
}

func TestA1_AnInProcessServerMustBeThere(t *testing.T) {
	t.Parallel()
	for _, err := range bothDoors(config.Config{InProcess: &config.InProcess{}}) {
		assert.Equal(t, []string{"InProcess.Server"}, fieldsIn(t, err))
		assert.NotErrorIs(t, err, config.ErrNoConnection)
	}
}
