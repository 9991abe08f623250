package toolset_test

import (
	"encoding/json"
	"fmt"
	"maps"
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

// oddNames reach the corners: too long by one, twins by case, twins once they
// are clean, names that look like what is made of others, and nothing at all.
func oddNames() *rapid.Generator[string] {
	long := strings.Repeat("p", 52)
	return rapid.OneOf(
		rapid.String(),
		rapid.StringN(1, 100, -1),
		rapid.StringMatching(`[aAbB]([._/ -]{0,2}[bBß]){0,3}`),
		rapid.StringMatching(`(get|Get|GET)[_-]?[0-9a-f]{0,8}`),
		rapid.Map(rapid.StringMatching(`[ab]{0,14}`), func(tail string) string { return long + tail }),
		rapid.StringMatching(`[._/ -]{1,70}`),
		rapid.SampledFrom([]string{"tool", "tool_", "TOOL", "日本", "日", "ſet", "SET", "K", "k", "\x00", "\xff", "a\u0301", "á", "İ", "i"}),
	)
}

// checkAssigned holds what is promised for every list of names.
func checkAssigned(t failer, prefix string, names []string) {
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
	sorted, reversed := slices.Sorted(slices.Values(names)), slices.Clone(names)
	slices.Reverse(reversed)
	for _, order := range [][]string{reversed, sorted} {
		if again := toolset.AssignNames(prefix, order); !maps.Equal(got, again) {
			t.Fatalf("the order counts: %q and %q", got, again)
		}
	}
	for _, original := range names {
		if name := prefix + original; legal.MatchString(name) && strings.Trim(original, "_-") != "" && alone(prefix, original, names) && got[original] != name {
			t.Fatalf("%q became %q for no reason among %q", name, got[original], names)
		}
	}
}

// alone reports whether no other tool's name is like one, or could be made so.
func alone(prefix, original string, names []string) bool {
	return !slices.ContainsFunc(names, func(other string) bool {
		return other != original && (!legal.MatchString(prefix+other) || strings.EqualFold(other, original))
	})
}

type failer interface{ Fatalf(string, ...any) }

func TestC1_AnyNames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		prefix := rapid.OneOf(rapid.Just(""), oddNames()).Draw(t, "prefix")
		names := rapid.SliceOfNDistinct(oddNames(), 0, 12, rapid.ID).Draw(t, "names")
		// A name that is what another one would be made into.
		if len(names) > 0 && rapid.Bool().Draw(t, "taken") {
			made := toolset.AssignNames(prefix, names)
			for _, name := range slices.Sorted(maps.Values(made)) {
				if short, ok := strings.CutPrefix(name, prefix); ok && !slices.Contains(names, short) && !slices.Contains(names, strings.ToUpper(short)) {
					names = append(names, rapid.SampledFrom([]string{short, strings.ToUpper(short)}).Draw(t, "twin"))
				}
			}
		}
		checkAssigned(t, prefix, slices.Compact(slices.Sorted(slices.Values(names))))
	})
}

// FuzzNames gives any list of names, one a line, to a toolset.
func FuzzNames(f *testing.F) {
	long := strings.Repeat("p", 64)
	for _, seed := range [][2]string{
		{"", "get\nGet\nGET"}, {"", long + "_create\n" + long + "_delete\n" + long}, {"srv:", "read.memory\nns/tool\n日本"}, {"my server", "a.b\na/b\na_b"},
		{"", "tool\n___\n \n-"}, {long, "a\nb"}, {"p_", "p_a\na"}, {"", "\xff\n\x00\nſ\nS\nK\nk"}, {"", "get_5d41402a\nGET_5D41402A"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, prefix, lines string) {
		names := strings.Split(lines, "\n")
		checkAssigned(t, prefix, slices.Compact(slices.Sorted(slices.Values(names))))
	})
}

// legal is what every model provider takes as a tool's name.
var legal = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`)
