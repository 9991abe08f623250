package filter_test

import (
	"path"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mcptoolset/mcptoolset/filter"
)

func TestB7_Patterns(t *testing.T) {
	t.Parallel()
	tests := []struct {
		pattern    string
		fits, lets []string // names that fit, names that do not
	}{
		{"", []string{""}, []string{"a"}},
		{"*", []string{"", "a", "a/b", "日本", "\xff"}, nil},
		{"**", []string{"", "a/b"}, nil},
		{"read_*", []string{"read_", "read_file", "read_a/b"}, []string{"read", "Read_file", "xread_"}},
		{"*_file", []string{"_file", "a_file_file"}, []string{"file", "a_files"}},
		{"*a*b*", []string{"ab", "xaxbx", "aab"}, []string{"ba", "a", "b"}},
		{"a*a*a", []string{"aaa", "aXaXa"}, []string{"aa"}},
		{"?", []string{"a", "é", "日", "\xff"}, []string{"", "ab", "e\u0301"}},
		{"a?c", []string{"abc", "a/c"}, []string{"ac", "abbc"}},
		{"[a-c]x", []string{"ax", "cx"}, []string{"dx", "x", "Ax", "-x"}},
		{"[^a-c]x", []string{"dx", "日x"}, []string{"ax", "x"}},
		{"[!a-c]x", []string{"dx", "日x"}, []string{"ax", "x"}},
		{"[ad-fz]", []string{"a", "e", "z"}, []string{"b", "-"}},
		{`[\]\-\\]`, []string{"]", "-", `\`}, []string{"a"}},
		{"[а-я]", []string{"п"}, []string{"p"}},
		{`\*`, []string{"*"}, []string{"a", `\*`}},
		{`a\[0\]`, []string{"a[0]"}, []string{"a0"}},
		{"ns.tool/x-1", []string{"ns.tool/x-1"}, []string{"nsXtool/x-1"}},
		{"\xff", []string{"\xff"}, []string{"\xfe", "\uFFFD"}},
		{"{a,b}", []string{"{a,b}"}, []string{"a"}},
	}
	for _, tt := range tests {
		f := filter.Match(tt.pattern)
		require.NoError(t, filter.Validate(f), tt.pattern)
		names := append(append([]string{}, tt.fits...), tt.lets...)
		want := append([]string{}, tt.fits...)
		assert.Equal(t, want, kept(t, f, names...), "pattern %q", tt.pattern)
	}
}

func TestB7_BadPatternsAreErrors(t *testing.T) {
	t.Parallel()
	for _, p := range []string{"[", "[a", "a[", "[]", "[]a]", "[^]", "[!]", "[a-]", "[-a]", "[a-b-c]", `\`, `a\`, `[\`, `[a\`, "[z-a]", "[\xff]", "*[", "x[a-"} {
		f := filter.Match("good", p)
		assert.ErrorIs(t, filter.Validate(f), path.ErrBadPattern, "%q", p)
		for _, name := range []string{"good", "a", "", p} {
			keep, err := filter.Apply(t.Context(), f, filter.Tool{Name: name})
			assert.ErrorIs(t, err, path.ErrBadPattern, "%q", p)
			assert.False(t, keep)
		}
		keep, err := filter.Apply(t.Context(), filter.Not(f), filter.Tool{Name: "a"})
		assert.ErrorIs(t, err, path.ErrBadPattern, "%q", p)
		assert.False(t, keep, "the opposite of a broken pattern keeps a tool")
		_, err = filter.Unknown(f, []string{"good"})
		assert.ErrorIs(t, err, path.ErrBadPattern, "%q", p)
	}
}

// The same answers as path.Match, where a separator plays no part and our two
// differences ("[!" and ranges that run backwards) are left out.
func TestB7_PatternsAgreeWithPathMatch(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringOf(rapid.SampledFrom([]rune(`ab*?[]^-\é`))).Draw(t, "pattern")
		name := rapid.StringOf(rapid.SampledFrom([]rune(`abé-]^`))).Draw(t, "name")
		want, wantErr := path.Match(pattern, name)
		f := filter.Match(pattern)
		err := filter.Validate(f)
		if err != nil && wantErr == nil && strings.Contains(err.Error(), "backwards") {
			t.Skip("path.Match takes a range that runs backwards")
		}
		require.Equal(t, wantErr != nil, err != nil, "pattern %q: %v, path.Match: %v", pattern, err, wantErr)
		if err == nil {
			got, err := f.Keep(t.Context(), filter.Tool{Name: name})
			require.NoError(t, err)
			require.Equal(t, want, got, "pattern %q, name %q", pattern, name)
		}
	})
}

func TestB7_AnEscapedNameMatchesItselfOnly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name, other := rapid.String().Draw(t, "name"), rapid.String().Draw(t, "other")
		f := filter.Match(strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(name))
		for _, n := range []string{name, other} {
			keep, err := f.Keep(t.Context(), filter.Tool{Name: n})
			require.NoError(t, err)
			require.Equal(t, n == name, keep)
		}
		require.Equal(t, []string{name}, f.Names())
	})
}

// Patterns that make naive matchers take exponential time.
func TestB7_PatternsCannotStallAListing(t *testing.T) {
	t.Parallel()
	f := filter.Match(strings.Repeat("*a", 100) + "b")
	assert.Empty(t, kept(t, f, strings.Repeat("a", 10_000)))
	assert.Len(t, kept(t, filter.Match(strings.Repeat("*", 1000)+"b"), strings.Repeat("a", 10_000)+"b"), 1)
}

func FuzzMatch(f *testing.F) {
	for _, s := range []string{"", "*", "[a-z]", `\`, "[^", "é?", "\xff*", "[\xff]"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, pattern, name string) {
		m := filter.Match(pattern)
		keep, err := m.Keep(t.Context(), filter.Tool{Name: name})
		if (filter.Validate(m) == nil) != (err == nil) {
			t.Fatalf("Validate and Keep disagree about %q", pattern)
		}
		_, missErr := filter.Unknown(m, []string{name})
		if err == nil && (missErr == nil) != keep {
			t.Fatalf("Keep says %v of %q and Unknown says %v", keep, name, missErr)
		}
		if err != nil && utf8.ValidString(pattern) && !utf8.ValidString(err.Error()) {
			t.Fatalf("error text is not UTF-8: %q", err)
		}
	})
}
