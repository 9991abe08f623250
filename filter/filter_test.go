package filter_test

import (
	"context"
	"errors"
	"fmt"
	"path"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/filter"
)

// kept lists the tools of the given names that f keeps.
func kept(t *testing.T, f filter.Filter, names ...string) []string {
	t.Helper()
	out := []string{}
	for _, n := range names {
		keep, err := filter.Apply(t.Context(), f, filter.Tool{Name: n})
		require.NoError(t, err)
		if keep {
			out = append(out, n)
		}
	}
	return out
}

func truth(v bool) *bool { return &v }

// own is a filter somebody else wrote.
type own struct {
	keep     func(context.Context, filter.Tool) (bool, error)
	names    func() []string
	validate func() error
}

func (o *own) Keep(ctx context.Context, t filter.Tool) (bool, error) { return o.keep(ctx, t) }
func (o *own) Names() []string                                       { return o.names() }
func (o *own) Validate() error                                       { return o.validate() }

// set and function are filters that are no pointers.
type set map[string]bool

func (s set) Keep(_ context.Context, t filter.Tool) (bool, error) { return s[t.Name], nil }
func (s set) Names() []string                                     { return nil }

type function func(filter.Tool) bool

func (f function) Keep(_ context.Context, t filter.Tool) (bool, error) { return f(t), nil }
func (f function) Names() []string                                     { return nil }

func typedNils() map[string]filter.Filter {
	return map[string]filter.Filter{"pointer": (*own)(nil), "function": function(nil)}
}

func TestO94_WhatAFilterKeeps(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		filter filter.Filter
		want   []string
	}{
		"no filter keeps all":                     {nil, []string{"a", "b", "c"}},
		"one name":                                {filter.Allow("a"), []string{"a"}},
		"the server's order stays":                {filter.Allow("c", "a"), []string{"a", "c"}},
		"an allow list without names keeps none":  {filter.Allow(), []string{}},
		"an allow list from an empty slice":       {filter.Allow([]string{}...), []string{}},
		"an allow list from a nil slice":          {filter.Allow([]string(nil)...), []string{}},
		"an empty name is no tool":                {filter.Allow(""), []string{}},
		"a nil predicate keeps all":               {filter.Predicate(nil), []string{"a", "b", "c"}},
		"a nil pointer keeps all":                 {(*own)(nil), []string{"a", "b", "c"}},
		"a nil function keeps all":                {function(nil), []string{"a", "b", "c"}},
		"a nil set has no names: it keeps none":   {set(nil), []string{}},
		"deny":                                    {filter.Deny("a", "c"), []string{"b"}},
		"deny without names keeps all":            {filter.Deny(), []string{"a", "b", "c"}},
		"match":                                   {filter.Match("[ab]"), []string{"a", "b"}},
		"match without patterns keeps none":       {filter.Match(), []string{}},
		"and":                                     {filter.And(filter.Allow("a", "b"), filter.Deny("b")), []string{"a"}},
		"and of nothing keeps all":                {filter.And(), []string{"a", "b", "c"}},
		"and passes over nil":                     {filter.And(nil, filter.Allow("a"), (*own)(nil)), []string{"a"}},
		"or":                                      {filter.Or(filter.Allow("a"), filter.Match("c")), []string{"a", "c"}},
		"or of nothing keeps none":                {filter.Or(), []string{}},
		"or with nil keeps all":                   {filter.Or(filter.Allow("a"), nil), []string{"a", "b", "c"}},
		"not":                                     {filter.Not(filter.Allow("a")), []string{"b", "c"}},
		"not nil keeps none":                      {filter.Not(nil), []string{}},
		"not a nil pointer keeps none":            {filter.Not((*own)(nil)), []string{}},
		"not an allow list without names is open": {filter.Not(filter.Allow()), []string{"a", "b", "c"}},
		"nested":                                  {filter.Not(filter.Or(filter.Allow("a"), filter.And(filter.Match("*"), filter.Deny("a", "c")))), []string{"c"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tt.want, kept(t, tt.filter, "a", "b", "c"))
		})
	}
}

func TestB7_NamesAreComparedExactly(t *testing.T) {
	t.Parallel()
	names := []string{"get", "Get", "GET", " get", "get ", "gét", "ge\u0301t", "get\x00", "get\xff"}
	for _, n := range names {
		assert.Equal(t, []string{n}, kept(t, filter.Allow(n), names...), "%q", n)
		assert.NotContains(t, kept(t, filter.Deny(n), names...), n)
		assert.Len(t, kept(t, filter.Deny(n), names...), len(names)-1)
	}
}

func TestB7_ListsAreCopied(t *testing.T) {
	t.Parallel()
	names := []string{"a", "b"}
	filters := map[string]filter.Filter{
		"allow": filter.Allow(names...), "deny": filter.Not(filter.Deny(names...)), "match": filter.Match(names...),
	}
	parts := []filter.Filter{filter.Allow("a")}
	filters["and"], filters["or"] = filter.And(parts...), filter.Or(parts...)
	printed := map[string]string{}
	for name, f := range filters {
		printed[name] = fmt.Sprint(f)
	}
	names[0], names[1] = "x", "y"
	parts[0] = filter.Allow("x")
	for name, f := range filters {
		assert.Equal(t, printed[name], fmt.Sprint(f))
		assert.Contains(t, kept(t, f, "a", "b", "x", "y"), "a", name)
		assert.NotContains(t, kept(t, f, "a", "b", "x", "y"), "x", name)
		got := f.Names()
		require.NotEmpty(t, got, name)
		got[0] = "x"
		assert.Equal(t, "a", f.Names()[0], "%s: Names gives its own slice away", name)
	}
}

func TestB7_ReadOnlyGoesByTheHint(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		tool filter.Tool
		want bool
	}{
		"says so":                     {filter.Tool{ReadOnly: truth(true)}, true},
		"says it is not":              {filter.Tool{ReadOnly: truth(false)}, false},
		"says nothing":                {filter.Tool{}, false},
		"other hints do not count":    {filter.Tool{Destructive: truth(false), Idempotent: truth(true)}, false},
		"destructive is beside point": {filter.Tool{ReadOnly: truth(true), Destructive: truth(true)}, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			keep, err := filter.Apply(t.Context(), filter.ReadOnly(), tt.tool)
			require.NoError(t, err)
			assert.Equal(t, tt.want, keep)
		})
	}
}

type userKey struct{}

func TestB7_PredicateSeesContextAndTool(t *testing.T) {
	t.Parallel()
	f := filter.Predicate(func(ctx context.Context, tool filter.Tool) (bool, error) {
		return ctx.Value(userKey{}) == "admin" && tool.Title == "T" && tool.Description == "D" && *tool.OpenWorld, nil
	})
	tool := filter.Tool{Name: "a", Title: "T", Description: "D", OpenWorld: truth(true)}
	admin := context.WithValue(t.Context(), userKey{}, "admin")
	for name, f := range map[string]filter.Filter{
		"alone": f, "and": filter.And(f, filter.Allow("a")), "or": filter.Or(filter.Allow("b"), f), "not": filter.Not(filter.Not(f)),
	} {
		keep, err := filter.Apply(admin, f, tool)
		require.NoError(t, err, name)
		assert.True(t, keep, name)
		keep, err = filter.Apply(t.Context(), f, tool)
		require.NoError(t, err, name)
		assert.False(t, keep, name)
	}
}

func TestB7_ErrorsAndPanicsAreErrors(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	bad := map[string]struct {
		keep func(context.Context, filter.Tool) (bool, error)
		is   error
		text string
	}{
		"an error":                   {func(context.Context, filter.Tool) (bool, error) { return false, boom }, boom, "boom"},
		"an error beside true":       {func(context.Context, filter.Tool) (bool, error) { return true, boom }, boom, "boom"},
		"a panic with an error":      {func(context.Context, filter.Tool) (bool, error) { panic(boom) }, boom, `"delete_all"`},
		"a panic with a text":        {func(context.Context, filter.Tool) (bool, error) { panic("out of order") }, nil, "out of order"},
		"a panic with nil":           {func(context.Context, filter.Tool) (bool, error) { panic(nil) }, nil, "nil"},
		"a panic of the run time":    {func(_ context.Context, t filter.Tool) (bool, error) { return *t.ReadOnly, nil }, nil, "nil pointer"},
		"a panic with no plain text": {func(context.Context, filter.Tool) (bool, error) { panic(fmt.Stringer(nil)) }, nil, "panic"},
	}
	for name, tt := range bad {
		leaves := map[string]filter.Filter{
			"predicate": filter.Predicate(tt.keep),
			"own":       &own{keep: tt.keep, names: func() []string { return nil }},
		}
		for kind, leaf := range leaves {
			for combinator, f := range map[string]filter.Filter{
				"alone": leaf,
				"and":   filter.And(filter.Deny(), leaf),
				"or":    filter.Or(filter.Allow(), leaf),
				"not":   filter.Not(leaf),
				"deep":  filter.Not(filter.And(filter.Or(filter.Not(leaf)))),
			} {
				t.Run(name+"/"+kind+"/"+combinator, func(t *testing.T) {
					t.Parallel()
					keep, err := filter.Apply(t.Context(), f, filter.Tool{Name: "delete_all"})
					require.Error(t, err)
					assert.False(t, keep, "a tool is kept beside an error")
					assert.ErrorContains(t, err, tt.text)
					if tt.is != nil {
						assert.ErrorIs(t, err, tt.is)
					}
				})
			}
		}
	}
	for _, f := range []filter.Filter{filter.Not(filter.Match("[")), filter.And(filter.Match("[")), filter.Or(filter.Match("["))} {
		keep, err := f.Keep(t.Context(), filter.Tool{Name: "a"})
		assert.Error(t, err)
		assert.False(t, keep, "%v keeps a tool beside an error", f)
	}
	_, err := filter.Predicate(bad["a panic of the run time"].keep).Keep(t.Context(), filter.Tool{})
	var re runtime.Error
	assert.ErrorAs(t, err, &re, "Keep itself panics")
}

func TestB7_CombinatorsStopAtTheFirstAnswer(t *testing.T) {
	t.Parallel()
	never := filter.Predicate(func(context.Context, filter.Tool) (bool, error) {
		t.Error("asked although the answer is known")
		return false, nil
	})
	assert.Empty(t, kept(t, filter.And(filter.Allow(), never), "a"))
	assert.Len(t, kept(t, filter.Or(filter.Deny(), never), "a"), 1)
}

func TestB7_FiltersAreSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	f := filter.And(filter.Match("t*"), filter.Or(filter.Allow("t1"), filter.Not(filter.Deny("t2"))), filter.Predicate(nil))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 100 {
				keep, err := filter.Apply(t.Context(), f, filter.Tool{Name: fmt.Sprintf("t%d", i)})
				assert.NoError(t, err)
				assert.Equal(t, i == 1 || i == 2, keep)
				_, err = filter.Unknown(f, []string{"t1", "t2"})
				assert.NoError(t, err)
			}
		})
	}
	wg.Wait()
}

func TestB7_NamesThatFiltersSpellOut(t *testing.T) {
	t.Parallel()
	custom := &own{names: func() []string { return []string{"mine", "a"} }}
	broken := &own{names: func() []string { panic("broken") }}
	tests := map[string]struct {
		filter filter.Filter
		want   []string
	}{
		"allow":                         {filter.Allow("b", "a"), []string{"b", "a"}},
		"deny":                          {filter.Deny("b"), []string{"b"}},
		"match gives plain names only":  {filter.Match("a*", "b", `c\*`, "[d]", "?"), []string{"b", "c*"}},
		"read only":                     {filter.ReadOnly(), nil},
		"predicate":                     {filter.Predicate(nil), nil},
		"combined, in order, each once": {filter.And(filter.Allow("a", "b"), filter.Or(filter.Deny("b", "c"), custom), filter.Not(filter.Deny("d"))), []string{"a", "b", "c", "mine", "d"}},
		"nil parts":                     {filter.And(nil, (*own)(nil), filter.Allow("a")), []string{"a"}},
		"not nil":                       {filter.Not(nil), nil},
		"a part that panics":            {filter.Or(broken, filter.Allow("a")), []string{"a"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tt.want, tt.filter.Names())
		})
	}
}

func TestB7_FiltersPrintAsTheyWereMade(t *testing.T) {
	t.Parallel()
	many := make([]string, 12)
	for i := range many {
		many[i] = fmt.Sprint(i)
	}
	tests := map[string]filter.Filter{
		`Allow("a", "b")`: filter.Allow("a", "b"),
		`Allow()`:         filter.Allow(),
		`Deny("a")`:       filter.Deny("a"),
		`Match("a*")`:     filter.Match("a*"),
		`ReadOnly()`:      filter.ReadOnly(),
		`Predicate(func)`: filter.Predicate(func(context.Context, filter.Tool) (bool, error) { return true, nil }),
		`Predicate(nil)`:  filter.Predicate(nil),
		`Not(nil)`:        filter.Not(nil),
		`And(Allow("a"), Or(ReadOnly(), *filter_test.own, nil), Not(Deny("b\n")))`: filter.And(filter.Allow("a"), filter.Or(filter.ReadOnly(), &own{}, nil), filter.Not(filter.Deny("b\n"))),
		`Allow("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", and 2 more)`:      filter.Allow(many...),
		`Allow("` + strings.Repeat("é", 80) + `"…)`:                                filter.Allow(strings.Repeat("é", 100_000)),
		`Allow("` + strings.Repeat("x", 80) + `")`:                                 filter.Allow(strings.Repeat("x", 80)),
	}
	for want, f := range tests {
		assert.Equal(t, want, fmt.Sprint(f))
	}
}

func TestB7_ValidateFindsWhatCanBeSeenEarly(t *testing.T) {
	t.Parallel()
	mine := errors.New("mine")
	for name, f := range map[string]filter.Filter{
		"nil": nil, "allow": filter.Allow(), "match": filter.Match("a*", `\[`), "read only": filter.ReadOnly(),
		"predicate": filter.Predicate(nil), "nil inside": filter.And(nil, filter.Not(nil)), "no hook": set(nil),
		"own": &own{validate: func() error { return nil }},
	} {
		assert.NoError(t, filter.Validate(f), name)
	}
	for name, f := range typedNils() {
		for _, f := range []filter.Filter{f, filter.And(f), filter.Or(nil, f), filter.Not(f)} {
			assert.ErrorContains(t, filter.Validate(f), "nil", name)
		}
	}
	err := filter.Validate(filter.And(filter.Match("a*", "[", `b\`), filter.Not(&own{validate: func() error { return mine }}),
		filter.Or(&own{validate: func() error { panic("broken hook") }})))
	require.Error(t, err)
	assert.ErrorIs(t, err, path.ErrBadPattern)
	assert.ErrorIs(t, err, mine)
	for _, part := range []string{`"["`, `"b\\"`, "broken hook"} {
		assert.ErrorContains(t, err, part)
	}
	assert.NotContains(t, err.Error(), `"a*"`)
}
