package filter_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mcptoolset/mcptoolset/filter"
)

func TestO95_NamesThatMatchNothingAreReported(t *testing.T) {
	t.Parallel()
	allow, deny, match, not, and, or := filter.Allow, filter.Deny, filter.Match, filter.Not, filter.And, filter.Or
	custom := &own{names: func() []string { return []string{"mine", "a"} }}
	tests := map[string]struct {
		filter  filter.Filter
		unknown []string
		none    bool // ErrNoMatch
	}{
		"no filter":                                 {nil, nil, false},
		"all known":                                 {allow("a", "c"), nil, false},
		"a prefixed name":                           {allow("p_a"), []string{"p_a"}, true},
		"a made-up name":                            {allow("nope"), []string{"nope"}, true},
		"another case":                              {allow("A"), []string{"A"}, true},
		"known and unknown":                         {allow("nope", "a", "p_a", "nope"), []string{"nope", "p_a"}, false},
		"an empty name":                             {allow(""), []string{""}, true},
		"no names on purpose":                       {allow(), nil, false},
		"denied in vain":                            {deny("nope", "a"), []string{"nope"}, false},
		"denied in vain, all of them":               {deny("nope"), []string{"nope"}, false},
		"a pattern that fits":                       {match("[ab]"), nil, false},
		"a prefixed pattern":                        {match("p_*"), []string{"p_*"}, true},
		"one of two patterns":                       {match("p_*", "a*"), []string{"p_*"}, false},
		"no patterns on purpose":                    {match(), nil, false},
		"read only, predicate":                      {and(filter.ReadOnly(), filter.Predicate(nil)), nil, false},
		"a filter of somebody else":                 {custom, []string{"mine"}, false},
		"a nil pointer":                             {(*own)(nil), nil, false},
		"and: a list inside counts":                 {and(filter.ReadOnly(), allow("nope")), []string{"nope"}, true},
		"and: one good list does not save it":       {and(allow("a"), allow("nope")), []string{"nope"}, true},
		"and: names known, nothing in common":       {and(allow("a"), allow("b")), nil, false},
		"and: missed beats none on purpose":         {and(allow(), allow("nope")), []string{"nope"}, true},
		"and: unknown names of two parts, in order": {and(deny("y", "x"), allow("a", "x", "z")), []string{"y", "x", "z"}, false},
		"or: one list is enough":                    {or(allow("nope"), allow("a")), []string{"nope"}, false},
		"or: every list misses":                     {or(allow("nope"), match("p_*")), []string{"nope", "p_*"}, true},
		"or: beside something that is no name":      {or(allow("nope"), filter.ReadOnly()), []string{"nope"}, false},
		"or: beside nil, which keeps all":           {or(allow("nope"), nil), []string{"nope"}, false},
		"or: beside none on purpose":                {or(allow("nope"), allow()), []string{"nope"}, true},
		"or: nothing":                               {or(), nil, false},
		"not: taken away in vain":                   {not(allow("nope")), []string{"nope"}, false},
		"not: a pattern taken away in vain":         {not(match("p_*")), []string{"p_*"}, false},
		"not deny is allow":                         {not(deny("nope")), []string{"nope"}, true},
		"not deny of a known name":                  {not(deny("a", "nope")), []string{"nope"}, false},
		"not deny of nothing keeps none on purpose": {not(deny()), nil, false},
		"not nil keeps none on purpose":             {not(nil), nil, false},
		"not not":                                   {not(not(allow("nope"))), []string{"nope"}, true},
		"not or of denials is and of lists":         {not(or(deny("a"), deny("nope"))), []string{"nope"}, true},
		"not and of denials is or of lists":         {not(and(deny("a"), deny("nope"))), []string{"nope"}, false},
		"not and of nothing keeps none on purpose":  {not(and()), nil, false},
		"not or of nothing":                         {not(or()), nil, false},
		"not read only":                             {not(filter.ReadOnly()), nil, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			unknown, err := filter.Unknown(tt.filter, []string{"a", "b", "c"})
			assert.Equal(t, tt.unknown, unknown)
			if !tt.none {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, filter.ErrNoMatch)
			for _, n := range tt.unknown {
				assert.ErrorContains(t, err, fmt.Sprintf("%q", n))
			}
			assert.ErrorContains(t, err, `"b"`, "the error does not show what is there")
			assert.Empty(t, kept(t, tt.filter, "a", "b", "c"), "tools are kept, yet it is an error")
		})
	}
}

func TestO95_TheServersOwnNamesCount(t *testing.T) {
	t.Parallel()
	// The toolset shows "a" as "p_a"; filters know only "a".
	assert.Equal(t, []string{"a"}, kept(t, filter.Allow("a"), "a", "b"))
	assert.Empty(t, kept(t, filter.Allow("p_a"), "a", "b"))
	_, err := filter.Unknown(filter.Allow("p_a"), []string{"a", "b"})
	assert.ErrorContains(t, err, "without a prefix")
}

func TestO95_AServerWithoutTools(t *testing.T) {
	t.Parallel()
	unknown, err := filter.Unknown(filter.Allow("a"), nil)
	assert.Equal(t, []string{"a"}, unknown)
	assert.ErrorIs(t, err, filter.ErrNoMatch)
	for _, f := range []filter.Filter{nil, filter.Allow(), filter.Deny("a"), filter.ReadOnly()} {
		_, err := filter.Unknown(f, nil)
		assert.NoError(t, err)
	}
}

func TestB7_UnknownSurvivesAFilterThatPanics(t *testing.T) {
	t.Parallel()
	broken := &own{names: func() []string { panic("broken names") }}
	unknown, err := filter.Unknown(filter.And(filter.Deny("nope"), broken), []string{"a"})
	assert.Equal(t, []string{"nope"}, unknown)
	assert.ErrorContains(t, err, "broken names")
	assert.NotErrorIs(t, err, filter.ErrNoMatch)
}

func TestO95_TheErrorIsBounded(t *testing.T) {
	t.Parallel()
	names := make([]string, 10_000)
	for i := range names {
		names[i] = strings.Repeat("n", 1000) + fmt.Sprint(i) + "\n"
	}
	_, err := filter.Unknown(filter.Allow("nope"), names)
	require.ErrorIs(t, err, filter.ErrNoMatch)
	assert.Less(t, len(err.Error()), 2000)
	assert.NotContains(t, err.Error(), "\n", "a server writes lines of its own into the error")
}

// filters draws a combination of filters that go by names only.
func filters(names []string) *rapid.Generator[filter.Filter] {
	list := rapid.SliceOfN(rapid.SampledFrom(names), 0, 3)
	leaf := rapid.OneOf(
		rapid.Map(list, func(n []string) filter.Filter { return filter.Allow(n...) }),
		rapid.Map(list, func(n []string) filter.Filter { return filter.Deny(n...) }),
		rapid.Map(list, func(n []string) filter.Filter { return filter.Match(n...) }),
		rapid.Just[filter.Filter](nil),
	)
	return rapid.Custom(func(t *rapid.T) filter.Filter {
		f := leaf.Draw(t, "leaf")
		for range rapid.IntRange(0, 4).Draw(t, "depth") {
			other := leaf.Draw(t, "other")
			switch rapid.IntRange(0, 2).Draw(t, "combinator") {
			case 0:
				f = filter.And(f, other)
			case 1:
				f = filter.Or(other, f)
			case 2:
				f = filter.Not(f)
			}
		}
		return f
	})
}

// Whatever the combination: ErrNoMatch only where no tool is kept, unknown
// names are exactly those spelt out and not listed, and the laws of logic hold.
func TestB7_CombinationsProperty(t *testing.T) {
	t.Parallel()
	listed := []string{"a", "b", "c"}
	names := []string{"a", "b", "c", "x", "y"}
	rapid.Check(t, func(t *rapid.T) {
		f, g := filters(names).Draw(t, "f"), filters(names).Draw(t, "g")
		keeps := func(f filter.Filter, n string) bool {
			keep, err := filter.Apply(t.Context(), f, filter.Tool{Name: n})
			require.NoError(t, err)
			return keep
		}
		for _, n := range names {
			require.NotEqual(t, keeps(f, n), keeps(filter.Not(f), n))
			require.Equal(t, keeps(f, n) && keeps(g, n), keeps(filter.And(f, g), n))
			require.Equal(t, keeps(f, n) || keeps(g, n), keeps(filter.Or(f, g), n))
			require.Equal(t, keeps(filter.Not(filter.Or(f, g)), n), keeps(filter.And(filter.Not(f), filter.Not(g)), n))
		}
		both := filter.And(f, g)
		unknown, err := filter.Unknown(both, listed)
		var want []string
		for _, n := range both.Names() {
			if !slices.Contains(listed, n) {
				want = append(want, n)
			}
		}
		require.Equal(t, want, unknown)
		if err != nil {
			require.ErrorIs(t, err, filter.ErrNoMatch)
			for _, n := range listed {
				require.False(t, keeps(both, n), "%v keeps %q, yet: %v", both, n, err)
			}
		}
	})
}
