package config_test

import (
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mcptoolset/mcptoolset/config"
)

func TestA3_RoundTripLosesNothing(t *testing.T) {
	t.Parallel()
	for _, connection := range connectionFields {
		c := filled(t, connection)
		got, err := c.Builder().Build()
		require.NoError(t, err)
		assert.Equal(t, c, got, connection)
		sparse := config.Config{}
		field := reflect.ValueOf(&sparse).Elem().FieldByName(connection)
		field.Set(reflect.ValueOf(c).FieldByName(connection))
		got, err = sparse.Builder().Build()
		require.NoError(t, err)
		assert.Equal(t, sparse, got, "%s: fields not set came back set", connection)
	}
}

// setters call the builder's method for each field with the field's value.
var setters = map[string]func(*config.Builder, config.Config){
	"Name":              func(b *config.Builder, c config.Config) { b.Name(c.Name) },
	"Prefix":            func(b *config.Builder, c config.Config) { b.Prefix(c.Prefix) },
	"Filter":            func(b *config.Builder, c config.Config) { b.Filter(c.Filter) },
	"Reserved":          func(b *config.Builder, c config.Config) { b.Reserve(c.Reserved[0]).Reserve(c.Reserved[1:]...) },
	"Resources":         func(b *config.Builder, c config.Config) { b.Resources(c.Resources) },
	"MaxResourceLength": func(b *config.Builder, c config.Config) { b.MaxResourceLength(c.MaxResourceLength) },
	"MaxOutput":         func(b *config.Builder, c config.Config) { b.MaxOutput(c.MaxOutput) },
	"ConnectTimeout":    func(b *config.Builder, c config.Config) { b.ConnectTimeout(c.ConnectTimeout) },
	"ListTimeout":       func(b *config.Builder, c config.Config) { b.ListTimeout(c.ListTimeout) },
	"CallTimeout":       func(b *config.Builder, c config.Config) { b.CallTimeout(c.CallTimeout) },
	"MaxItems":          func(b *config.Builder, c config.Config) { b.MaxItems(c.MaxItems) },
	"MaxPages":          func(b *config.Builder, c config.Config) { b.MaxPages(c.MaxPages) },
	"Trusted":           func(b *config.Builder, c config.Config) { b.Trusted(c.Trusted) },
	"ProtocolVersion":   func(b *config.Builder, c config.Config) { b.ProtocolVersion(c.ProtocolVersion) },
	"Command":           func(b *config.Builder, c config.Config) { b.Command(c.Stdio.Command) },
	"Args":              func(b *config.Builder, c config.Config) { b.Args(c.Stdio.Args...) },
	"Env":               func(b *config.Builder, c config.Config) { b.Env("One", "1").Envs(map[string]string{"Two": "2"}) },
	"InheritEnv":        func(b *config.Builder, c config.Config) { b.InheritEnv(c.Stdio.InheritEnv) },
	"Dir":               func(b *config.Builder, c config.Config) { b.Dir(c.Stdio.Dir) },
	"URL":               func(b *config.Builder, c config.Config) { b.URL("https://u:p@example.com/mcp?q=1") },
	"Headers":           func(b *config.Builder, c config.Config) { b.Header("One", "1").Headers(map[string]string{"Two": "2"}) },
	"HTTPClient": func(b *config.Builder, c config.Config) {
		if c.SSE != nil {
			b.HTTPClient(c.SSE.HTTPClient)
		} else {
			b.HTTPClient(c.StreamableHTTP.HTTPClient)
		}
	},
	"Server": func(b *config.Builder, c config.Config) { b.Server(c.InProcess.Server) },
}

func TestA3_TheBuilderReachesEveryField(t *testing.T) {
	t.Parallel()
	empty := map[string]*config.Builder{
		"Stdio": config.NewStdio(""), "SSE": config.NewSSE(""), "StreamableHTTP": config.NewStreamableHTTP(""), "InProcess": config.NewInProcess(nil),
	}
	for _, connection := range connectionFields {
		want, b := filled(t, connection), empty[connection]
		for _, field := range fieldsOf(connection) {
			require.Contains(t, setters, field, "the builder cannot set %s", field)
			setters[field](b, want)
		}
		got, err := b.Build()
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
}

func TestA3_LiteralAndBuilderPassTheSameValidation(t *testing.T) {
	t.Parallel()
	literal := config.Config{
		Prefix: "0123456789012345678901234567890123456789x", MaxOutput: -1, ListTimeout: -time.Second, ProtocolVersion: "1",
		StreamableHTTP: &config.StreamableHTTP{URL: "localhost:1/mcp", Headers: map[string]string{"Host": "h", "a b": "c"}},
	}
	_, err := config.NewStreamableHTTP("localhost:1/mcp").Prefix(literal.Prefix).MaxOutput(-1).ListTimeout(-time.Second).
		ProtocolVersion("1").Headers(literal.StreamableHTTP.Headers).Build()
	require.Error(t, err)
	assert.EqualError(t, literal.Validate(), err.Error())
	assert.Len(t, faultsOf(t, err), 7)
}

func TestA5_AnExplicitZeroIsAFault(t *testing.T) {
	t.Parallel()
	tests := map[string]func(*config.Builder, int) *config.Builder{
		"MaxResourceLength": (*config.Builder).MaxResourceLength,
		"MaxOutput":         (*config.Builder).MaxOutput,
		"MaxItems":          (*config.Builder).MaxItems,
		"MaxPages":          (*config.Builder).MaxPages,
		"ConnectTimeout":    func(b *config.Builder, n int) *config.Builder { return b.ConnectTimeout(time.Duration(n)) },
		"ListTimeout":       func(b *config.Builder, n int) *config.Builder { return b.ListTimeout(time.Duration(n)) },
	}
	for field, set := range tests {
		for _, n := range []int{0, -1, -5} {
			c, err := set(config.NewSSE("http://h"), n).Build()
			require.Error(t, err, "%s(%d)", field, n)
			assert.Equal(t, []string{field}, fieldsIn(t, err), "%s(%d)", field, n)
			assert.Zero(t, c)
		}
		_, err := set(set(config.NewSSE("http://h"), 0), 5).Build()
		assert.NoError(t, err, "%s: the last call counts", field)
		_, err = set(set(config.NewSSE("http://h"), 5), 0).Build()
		assert.Error(t, err, "%s: the last call counts", field)
	}
}

func TestA3_CallTimeoutZeroIsTheCallersContextAlone(t *testing.T) {
	t.Parallel()
	for _, d := range []time.Duration{0, config.NoTimeout} {
		c, err := config.NewSSE("http://h").CallTimeout(d).Build()
		require.NoError(t, err)
		assert.Equal(t, config.NoTimeout, c.CallTimeout)
		assert.Equal(t, config.NoTimeout, c.WithDefaults().CallTimeout)
		again, err := c.Builder().Build()
		require.NoError(t, err)
		assert.Equal(t, c, again)
	}
	_, err := config.NewSSE("http://h").CallTimeout(-2).Build()
	assert.Error(t, err)
}

func TestA5_CallsThatDoNotFitTheConnectionAreFaults(t *testing.T) {
	t.Parallel()
	srv := server.NewMCPServer("in", "1")
	builders := map[string]func() *config.Builder{
		"Stdio":          func() *config.Builder { return config.NewStdio("c") },
		"SSE":            func() *config.Builder { return config.NewSSE("http://h") },
		"StreamableHTTP": func() *config.Builder { return config.NewStreamableHTTP("http://h") },
		"InProcess":      func() *config.Builder { return config.NewInProcess(srv) },
		"none":           func() *config.Builder { return new(config.Builder) },
	}
	calls := map[string]struct {
		call func(*config.Builder)
		fits []string
	}{
		"Command":    {func(b *config.Builder) { b.Command("d") }, []string{"Stdio"}},
		"Args":       {func(b *config.Builder) { b.Args("--token", "tok-123") }, []string{"Stdio"}},
		"Env":        {func(b *config.Builder) { b.Env("A", "tok-123") }, []string{"Stdio"}},
		"Envs":       {func(b *config.Builder) { b.Envs(map[string]string{"A": "tok-123"}) }, []string{"Stdio"}},
		"InheritEnv": {func(b *config.Builder) { b.InheritEnv(true) }, []string{"Stdio"}},
		"Dir":        {func(b *config.Builder) { b.Dir("d") }, []string{"Stdio"}},
		"URL":        {func(b *config.Builder) { b.URL("http://u:tok-123@h") }, []string{"SSE", "StreamableHTTP"}},
		"Header":     {func(b *config.Builder) { b.Header("X-A", "tok-123").Header("X-B", "tok-123") }, []string{"SSE", "StreamableHTTP"}},
		"Headers":    {func(b *config.Builder) { b.Headers(map[string]string{"X-A": "tok-123"}) }, []string{"SSE", "StreamableHTTP"}},
		"HTTPClient": {func(b *config.Builder) { b.HTTPClient(nil) }, []string{"SSE", "StreamableHTTP"}},
		"Server":     {func(b *config.Builder) { b.Server(srv) }, []string{"InProcess"}},
	}
	for connection, newBuilder := range builders {
		for method, tt := range calls {
			t.Run(connection+"/"+method, func(t *testing.T) {
				t.Parallel()
				b := newBuilder()
				tt.call(b)
				_, err := b.Build()
				if slices.Contains(tt.fits, connection) {
					require.NoError(t, err)
					return
				}
				require.Error(t, err)
				assert.Equal(t, "Builder."+method, fieldsIn(t, err)[0])
				assert.ErrorContains(t, err, connection)
				assert.NotContains(t, err.Error(), "tok-123")
				_, again := b.Build()
				assert.EqualError(t, again, err.Error())
			})
		}
	}
}

func TestA3_HeaderNamesCountWithoutCase(t *testing.T) {
	t.Parallel()
	c, err := config.NewSSE("http://h").Header("x-key", "1").Header("X-KEY", "2").Build()
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"X-KEY": "2"}, c.SSE.Headers)

	c, err = config.NewSSE("http://h").Header("x-key", "1").Header("X-KEY", "2").Header("X-Other", "3").
		Headers(map[string]string{"X-Key": "4"}).Headers(nil).Build()
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"X-Key": "4", "X-Other": "3"}, c.SSE.Headers)

	_, err = config.NewSSE("http://h").Headers(map[string]string{"X-Key": "1", "x-key": "2"}).Build()
	assert.ErrorContains(t, err, "same header", "one of two is dropped by chance")
}

func TestA3_ABuilderGoesOnAfterBuild(t *testing.T) {
	t.Parallel()
	b := config.NewStreamableHTTP("http://h").Header("X-A", "1")
	first, err := b.Build()
	require.NoError(t, err)
	second, err := b.Header("X-B", "2").URL("http://i").Name("i").Build()
	require.NoError(t, err)
	assert.Equal(t, &config.StreamableHTTP{URL: "http://h", Headers: map[string]string{"X-A": "1"}}, first.StreamableHTTP)
	assert.Equal(t, &config.StreamableHTTP{URL: "http://i", Headers: map[string]string{"X-A": "1", "X-B": "2"}}, second.StreamableHTTP)
	assert.Equal(t, "h", first.ServerName())
}

// Configs drawn at random go to a builder and back, nil and empty kept apart.
func TestA3_RoundTripProperty(t *testing.T) {
	t.Parallel()
	text := rapid.StringMatching(`[a-zA-Z][a-zA-Z0-9 _-]{0,8}[a-z]`)
	list := rapid.OneOf(rapid.Just[[]string](nil), rapid.SliceOf(text))
	dict := rapid.OneOf(rapid.Just[map[string]string](nil), rapid.MapOf(rapid.StringMatching(`x-[a-z]{1,8}`), text))
	limit := rapid.IntRange(0, 1<<30)
	timeout := rapid.Map(rapid.Int64Min(0), func(n int64) time.Duration { return time.Duration(n) })
	rapid.Check(t, func(t *rapid.T) {
		c := config.Config{
			Name: text.Draw(t, "name"), Prefix: text.Draw(t, "prefix"), Reserved: list.Draw(t, "reserved"),
			Resources: rapid.Bool().Draw(t, "resources"), Trusted: rapid.Bool().Draw(t, "trusted"),
			MaxOutput: limit.Draw(t, "output"), MaxResourceLength: limit.Draw(t, "length"),
			MaxItems: limit.Draw(t, "items"), MaxPages: limit.Draw(t, "pages"),
			ConnectTimeout: timeout.Draw(t, "connect"), ListTimeout: timeout.Draw(t, "list"),
			CallTimeout: rapid.OneOf(timeout, rapid.Just(config.NoTimeout)).Draw(t, "call"),
		}
		switch rapid.IntRange(0, 2).Draw(t, "connection") {
		case 0:
			c.Stdio = &config.Stdio{Command: "/" + text.Draw(t, "command"), Args: list.Draw(t, "args"), Env: dict.Draw(t, "env")}
		case 1:
			c.SSE = &config.SSE{URL: "http://h/" + text.Draw(t, "path"), Headers: dict.Draw(t, "headers")}
		case 2:
			c.StreamableHTTP = &config.StreamableHTTP{URL: "http://h?" + text.Draw(t, "query"), Headers: dict.Draw(t, "headers")}
		}
		require.NoError(t, c.Validate())
		got, err := c.Builder().Build()
		require.NoError(t, err)
		require.Equal(t, c, got)
		full := c.WithDefaults()
		require.NoError(t, full.Validate())
		require.Equal(t, full, full.WithDefaults())
	})
}

// fieldsIn lists the fields an error of Validate names, in order.
func fieldsIn(t *testing.T, err error) []string {
	t.Helper()
	var fields []string
	for _, f := range faultsOf(t, err) {
		fields = append(fields, f.Field)
	}
	return fields
}

func faultsOf(t *testing.T, err error) []*config.Fault {
	t.Helper()
	joined, ok := err.(interface{ Unwrap() []error })
	require.True(t, ok, "%T joins nothing", err)
	var faults []*config.Fault
	for _, e := range joined.Unwrap() {
		f, ok := e.(*config.Fault)
		require.True(t, ok, "%T is no fault", e)
		faults = append(faults, f)
	}
	return faults
}

func TestA3_EveryFieldHasASetter(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, c := range connectionFields {
		for _, f := range fieldsOf(c) {
			known[f] = true
		}
	}
	assert.ElementsMatch(t, slices.Collect(maps.Keys(known)), slices.Collect(maps.Keys(setters)))
}
