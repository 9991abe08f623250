package toolset_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mcptoolset/mcptoolset/toolset"
)

func TestC1_Names(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("p", 64)
	for title, c := range map[string]struct {
		prefix string
		server []string
		keep   []bool // the name is the server's, with the prefix
	}{
		"plain":                                 {"", []string{"a", "get-it", "X_1"}, []bool{true, true, true}},
		"O22 long":                              {"", []string{long + "_create", long + "_delete", long}, []bool{false, false, true}},
		"O24 illegal":                           {"", []string{"read.memory", "ns/tool", "日本", "größe", "  "}, nil},
		"O24 prefix":                            {"srv_", []string{"read", "get"}, []bool{true, true}},
		"O24 an illegal prefix":                 {"my server:", []string{"read.memory", "get"}, nil},
		"O26 twins by case":                     {"", []string{"get", "Get", "GET"}, nil},
		"a first character that Gemini refuses": {"", []string{"2fa", "-x", "_2fa", "3d.view"}, nil},
		"twins after cleaning":                  {"", []string{"a.b", "a/b", "a_b"}, nil},
		"a prefix that makes them long":         {strings.Repeat("x", 20), []string{long, long[1:] + "q"}, nil},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			got := exposed(t, c.prefix, c.server)
			for i, name := range c.server {
				if i < len(c.keep) && c.keep[i] {
					assert.Equal(t, c.prefix+name, got[name])
				}
			}
		})
	}
}

// exposed lists tools of these names and returns the names a model is given,
// by the server's, checked to be legal, unique and routed.
func exposed(t *testing.T, prefix string, server []string) map[string]string {
	t.Helper()
	items := make([]string, len(server))
	for i, name := range server {
		quoted, err := json.Marshal(name)
		require.NoError(t, err)
		items[i] = fmt.Sprintf(`{"name":%s}`, quoted)
	}
	s := newRaw(t, lists("["+strings.Join(items, ",")+"]"))
	found, err := open(t, s.config().Prefix(prefix)).Tools(t.Context())
	require.NoError(t, err)
	got := map[string]string{}
	upper := map[string]bool{}
	for _, tool := range found {
		assert.Regexp(t, legal, tool.Name())
		assert.False(t, upper[strings.ToUpper(tool.Name())], "%s twice", tool.Name())
		upper[strings.ToUpper(tool.Name())] = true
		_, err := tool.Call(t.Context(), "{}")
		require.NoError(t, err)
		var sent struct{ Name string }
		calls := s.of("tools/call")
		require.NoError(t, json.Unmarshal(calls[len(calls)-1].Params, &sent))
		got[sent.Name] = tool.Name()
		assert.Equal(t, tool.(*toolset.Tool).OriginalName(), sent.Name)
	}
	return got
}

func TestO25_NamesDoNotDependOnTheOrder(t *testing.T) {
	t.Parallel()
	names := []string{strings.Repeat("p", 70) + "_a", strings.Repeat("p", 70) + "_b", "get", "Get", "a.b", "a/b"}
	forward := exposed(t, "x:", names)
	slices.Reverse(names)
	assert.Equal(t, forward, exposed(t, "x:", names))
}

func TestC1_AnyNames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		prefix := rapid.String().Draw(t, "prefix")
		names := rapid.SliceOfDistinct(rapid.OneOf(rapid.StringN(1, 100, -1), rapid.StringMatching(`[aA2-]?[._-]{0,2}[bB]{1,70}`)), rapid.ID).Draw(t, "names")
		got := toolset.AssignNames(prefix, names)
		if len(got) != len(names) {
			t.Fatalf("%d names for %d tools", len(got), len(names))
		}
		upper := map[string]string{}
		for original, name := range got {
			if !legal.MatchString(name) {
				t.Fatalf("%q became %q", original, name)
			}
			if other, twice := upper[strings.ToUpper(name)]; twice {
				t.Fatalf("%q and %q became %q", original, other, name)
			}
			upper[strings.ToUpper(name)] = original
		}
		slices.Reverse(names)
		for original, name := range toolset.AssignNames(prefix, names) {
			if got[original] != name {
				t.Fatalf("%q became %q and %q", original, got[original], name)
			}
		}
	})
}

// legal is what every model provider takes as a tool's name.
var legal = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`)
