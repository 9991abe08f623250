package config_test

import (
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/filter"
)

func TestA3_Defaults(t *testing.T) {
	t.Parallel()
	srv := server.NewMCPServer("in", "1")
	tests := map[string]struct {
		cfg     config.Config
		name    string
		connect time.Duration
	}{
		"stdio":           {config.Config{Stdio: &config.Stdio{Command: "/usr/bin/npx"}}, "npx", 60 * time.Second},
		"sse":             {config.Config{SSE: &config.SSE{URL: "http://h/sse"}}, "h", 30 * time.Second},
		"streamable http": {config.Config{StreamableHTTP: &config.StreamableHTTP{URL: "http://h:1/mcp"}}, "h:1", 30 * time.Second},
		"in process":      {config.Config{InProcess: &config.InProcess{Server: srv}}, "in-process", 30 * time.Second},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, tt.cfg.Validate())
			want := tt.cfg
			want.Name = tt.name
			want.MaxResourceLength, want.MaxOutput = 10_000, 50_000
			want.MaxItems, want.MaxPages = 10_000, 1_000
			want.ConnectTimeout, want.ListTimeout, want.CallTimeout = tt.connect, 60*time.Second, 5*time.Minute
			got := tt.cfg.WithDefaults()
			assert.Equal(t, want, got)
			assert.Nil(t, got.Filter, "no filter is all tools")
			assert.False(t, got.Resources, "resources are off")
			assert.NoError(t, got.Validate())
			assert.Equal(t, got, got.WithDefaults())
		})
	}
}

func TestA3_DefaultsLeaveWhatIsSet(t *testing.T) {
	t.Parallel()
	for _, connection := range connectionFields {
		c := filled(t, connection)
		assert.Equal(t, c, c.WithDefaults(), connection)
	}
	c := config.Config{CallTimeout: config.NoTimeout, MaxOutput: -1, ListTimeout: -time.Second}.WithDefaults()
	assert.Equal(t, config.NoTimeout, c.CallTimeout)
	assert.Equal(t, -1, c.MaxOutput, "a bad value is replaced instead of reported")
	assert.Equal(t, -time.Second, c.ListTimeout)
}

func TestA4_ConfigCopiesWhatItIsGiven(t *testing.T) {
	t.Parallel()
	for _, connection := range connectionFields {
		c := filled(t, connection)
		built, err := c.Builder().Build()
		require.NoError(t, err)
		again, err := built.Builder().Build()
		require.NoError(t, err)
		for name, got := range map[string]config.Config{"WithDefaults": c.WithDefaults(), "Builder": built, "twice": again} {
			assert.Equal(t, c, got)
			assert.False(t, sameMemory(reflect.ValueOf(c), reflect.ValueOf(got)), "%s with %s shares a map or slice", name, connection)
		}
	}
}

func TestA4_LaterChangesHaveNoEffect(t *testing.T) {
	t.Parallel()
	headers := map[string]string{"X-A": "1"}
	env := map[string]string{"A": "1"}
	args, reserved := []string{"a"}, []string{"r"}
	client := &http.Client{Timeout: time.Hour}
	before := *client

	web := config.NewSSE("http://h/sse").Headers(headers).HTTPClient(client).Reserve(reserved...)
	child := config.NewStdio("c", args...).Envs(env)
	first, err := web.Build()
	require.NoError(t, err)
	literal := config.Config{StreamableHTTP: &config.StreamableHTTP{URL: "http://h", Headers: headers}, Reserved: reserved}
	full := literal.WithDefaults()

	headers["X-A"], env["A"], args[0], reserved[0] = "2", "2", "b", "s"
	web.Header("X-A", "3").Reserve("t")

	assert.Equal(t, map[string]string{"X-A": "1"}, first.SSE.Headers)
	assert.Equal(t, []string{"r"}, first.Reserved)
	assert.Equal(t, map[string]string{"X-A": "1"}, full.StreamableHTTP.Headers)
	assert.Equal(t, []string{"r"}, full.Reserved)
	second, err := child.Build()
	require.NoError(t, err)
	assert.Equal(t, &config.Stdio{Command: "c", Args: []string{"a"}, Env: map[string]string{"A": "1"}}, second.Stdio)

	args = []string{"a"}
	child.Args(args...)
	args[0] = "b"
	second, err = child.Build()
	require.NoError(t, err)
	assert.Equal(t, []string{"a"}, second.Stdio.Args)

	assert.Same(t, client, first.SSE.HTTPClient, "the client is kept")
	assert.Equal(t, before, *client, "the caller's client was written to")
}

// Two configs built from one builder, and a builder and its config, do not
// write into each other's spare capacity.
func TestA4_ReservedNamesDoNotShareCapacity(t *testing.T) {
	t.Parallel()
	reserved := make([]string, 1, 8)
	reserved[0] = "a"
	base := config.Config{SSE: &config.SSE{URL: "http://h"}, Reserved: reserved}
	one, err := base.Builder().Reserve("one").Build()
	require.NoError(t, err)
	two, err := base.Builder().Reserve("two").Build()
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "one"}, one.Reserved)
	assert.Equal(t, []string{"a", "two"}, two.Reserved)
	assert.Empty(t, reserved[:2][1])
}

func TestA6_O83_TheFieldDecidesNotThePath(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"http://h/sse", "http://h/mcp", "http://h", "http://h/", "HTTP://H/Mcp/?b=2&a=1&a=%2F;x", "https://h:443//a/../b?",
		"http://[::1]:8080/sse", "https://größe.example/mcp", "http://h/a b?p=pa$word",
	} {
		sse, err := config.NewSSE(url).Build()
		require.NoError(t, err, url)
		assert.Equal(t, &config.SSE{URL: url}, sse.WithDefaults().SSE)
		assert.Nil(t, sse.WithDefaults().StreamableHTTP)
		web, err := config.NewStreamableHTTP(url).Build()
		require.NoError(t, err, url)
		assert.Equal(t, &config.StreamableHTTP{URL: url}, web.WithDefaults().StreamableHTTP)
		assert.Nil(t, web.WithDefaults().SSE)
	}
}

func TestA3_ServerName(t *testing.T) {
	t.Parallel()
	stdio := func(command string) config.Config { return config.Config{Stdio: &config.Stdio{Command: command}} }
	web := func(url string) config.Config {
		return config.Config{StreamableHTTP: &config.StreamableHTTP{URL: url}}
	}
	tests := []struct {
		cfg  config.Config
		want string
	}{
		{config.Config{Name: "given", Stdio: &config.Stdio{Command: "x"}}, "given"},
		{stdio("npx"), "npx"},
		{stdio("./bin/my-server"), "my-server"},
		{stdio("/opt/App Dir/my server"), "my server"},
		{stdio(`C:\Program Files\nodejs\NPX.CMD`), "NPX"},
		{stdio(".exe"), ".exe"},
		{stdio("/bin/"), "bin"},
		{stdio("server --token s3cret"), "server"},
		{stdio("/bin/server --token s3/cret"), "server"},
		{stdio(""), "mcp-server"},
		{stdio("  "), "mcp-server"},
		{stdio("/"), "mcp-server"},
		{stdio("a\nb\x00\xff"), "a"},
		{stdio("/a\x01\xff"), "a__"},
		{stdio(strings.Repeat("日", 200)), strings.Repeat("日", 128)},
		{web("https://user:s3cret@example.com:8443/mcp?token=s3cret"), "example.com:8443"},
		{web("http://[::1]/"), "[::1]"},
		{web("s3cret@host/mcp"), "mcp-server"},
		{web("https://u:s3/cret@host/"), "mcp-server"},
		{web("::"), "mcp-server"},
		{config.Config{SSE: &config.SSE{URL: "http://h/sse"}}, "h"},
		{config.Config{InProcess: &config.InProcess{}}, "in-process"},
		{config.Config{}, "mcp-server"},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, tt.cfg.ServerName())
		assert.Equal(t, tt.want, tt.cfg.WithDefaults().Name)
	}
}

func TestA3_DerivedNamesAreValid(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		any := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
		s := any.Draw(t, "text")
		for _, c := range []config.Config{
			{Stdio: &config.Stdio{Command: s}}, {SSE: &config.SSE{URL: s}}, {StreamableHTTP: &config.StreamableHTTP{URL: "http://" + s}},
		} {
			name := c.ServerName()
			require.NoError(t, config.Config{Name: name, SSE: &config.SSE{URL: "http://h"}}.Validate())
			require.NotEmpty(t, name)
		}
	})
}

func TestA3_FilterIsKept(t *testing.T) {
	t.Parallel()
	f := filter.Allow("a")
	c, err := config.NewSSE("http://h").Filter(f).Build()
	require.NoError(t, err)
	assert.Same(t, f, c.Filter)
	assert.Same(t, f, c.WithDefaults().Filter)
	c, err = c.Builder().Filter(nil).Build()
	require.NoError(t, err)
	assert.Nil(t, c.Filter)
}
