package args

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestC7_LateBoundArguments(t *testing.T) {
	t.Parallel()
	const raw = `{"type":"object","properties":{"q":{"type":"string"},"tenant":{"type":"integer"},"region":{"enum":["eu","us"]}},
		"required":["q","tenant"],"dependentRequired":{"q":["region"]},"additionalProperties":false}`
	schema := New(json.RawMessage(raw), WithBound(map[string]json.RawMessage{"region": json.RawMessage(`"eu"`)}), WithLateBound("tenant", "region"))
	values := func(pairs ...string) map[string]json.RawMessage {
		m := map[string]json.RawMessage{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i]] = json.RawMessage(pairs[i+1])
		}
		return m
	}
	for name, c := range map[string]struct {
		late       map[string]json.RawMessage
		want, err  string
		notOurs    bool // the fault is the model's
		input      string
		mayMention bool
	}{
		"set":                     {late: values("tenant", "9007199254740993"), want: `{"q":"x","region":"eu","tenant":9007199254740993}`},
		"late before static":      {late: values("tenant", "1", "region", `"us"`), want: `{"q":"x","region":"us","tenant":1}`},
		"whatever the model says": {input: `{"tenant":7,"q":"x","ten\u0061nt":7,"region":"us"}`, late: values("tenant", "1"), want: `{"q":"x","region":"eu","tenant":1}`},
		"required and not given":  {err: "tenant: missing, expected integer"},
		"of the wrong type":       {late: values("tenant", `"s3cret"`), err: "tenant: expected integer, got string"},
		"not allowed":             {late: values("tenant", "1", "region", `"s3cret"`), err: `region: expected one of "eu", "us"`},
		"not declared":            {late: values("tenant", "1", "else", "2"), err: `"else" is not among the names`},
		"not JSON":                {late: values("tenant", "1e"), err: `"tenant" is not JSON`},
		"the model's fault first": {input: `{"q":5}`, late: values("tenant", `"s3cret"`), err: "q: expected string, got number 5", notOurs: true},
		"the model's fault alone": {input: `{}`, err: "q: missing, expected string", notOurs: true},
	} {
		input := c.input
		if input == "" {
			input = `{"q":"x"}`
		}
		got, err := schema.ParseBound(input, c.late)
		if c.want != "" {
			require.NoError(t, err, name)
			assert.Equal(t, c.want, string(got), name)
			continue
		}
		require.ErrorContains(t, err, c.err, name)
		assert.NotContains(t, err.Error(), "s3cret", name)
		var models *Error
		assert.Equal(t, c.notOurs, assert.ErrorAs(new(testing.T), err, &models), name)
		if c.notOurs {
			assert.NotContains(t, models.Text, "tenant", name)
			assert.NotContains(t, models.Text, "region", name)
		}
	}
}

func TestC7_LateBoundArgumentsOfManyCallers(t *testing.T) {
	t.Parallel()
	schema := New(json.RawMessage(`{"properties":{"user":{"type":"integer"}},"required":["user"]}`), WithLateBound("user"))
	var callers sync.WaitGroup
	for i := range 50 {
		callers.Go(func() {
			got, err := schema.ParseBound(`{"user":0,"n":1}`, map[string]json.RawMessage{"user": fmt.Append(nil, i)})
			if assert.NoError(t, err) {
				assert.Equal(t, fmt.Sprintf(`{"n":1,"user":%d}`, i), string(got))
			}
		})
	}
	callers.Wait()
}

func TestC7_WhatTheOwnerIsTold(t *testing.T) {
	t.Parallel()
	const raw = `{"properties":{"a":{"type":"integer"},"b":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["c","late"],
		"anyOf":[{"required":["x"]},{"properties":{"a":{"const":1}}}]}`
	bound := func(schema, values string) *Schema {
		var all map[string]json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(values), &all))
		return New(json.RawMessage(schema), WithBound(all), WithLateBound("late"))
	}
	assert.Empty(t, bound(raw, `{"a":1,"b":null}`).BoundFaults())
	assert.Empty(t, bound(raw, `{"a":2}`).BoundFaults(), "it depends on the other arguments")
	assert.Equal(t, []Fault{{"a", "expected integer, got string"}, {"b", "expected string or null"}}, bound(raw, `{"a":"1","b":3}`).BoundFaults())
	assert.Empty(t, bound(`{"additionalProperties":false}`, `{"z":1}`).BoundFaults(), "Declares says so")
	assert.Empty(t, bound(`{"unevaluatedProperties":false}`, `{"z":1}`).BoundFaults())
	assert.Equal(t, []Fault{{"z", "is not allowed here"}}, bound(`{"properties":{"z":false}}`, `{"z":1}`).BoundFaults())
	assert.Empty(t, bound(`7`, `{"z":1}`).BoundFaults())

	assert.True(t, bound(raw, `{}`).Declares("a"))
	assert.False(t, bound(raw, `{}`).Declares("z"))
	assert.True(t, bound(`{"additionalProperties":{"type":"string"}}`, `{}`).Declares("z"))
	assert.False(t, bound(`{"additionalProperties":false}`, `{}`).Declares("z"))
	assert.False(t, bound(``, `{}`).Declares("z"))
}

func TestC7_BindOnly(t *testing.T) {
	t.Parallel()
	schema := New(nil, WithBound(map[string]json.RawMessage{"a": json.RawMessage("1")}), WithLateBound("b"))
	got, err := schema.Bind(json.RawMessage(`{"b":2,"c":1.50,"\u0061":3}`), nil)
	require.NoError(t, err)
	assert.Equal(t, `{"c":1.50,"a":1}`, string(got))
	got, err = New(nil).Bind(json.RawMessage(`{"a":1,"a":2}`), nil)
	require.NoError(t, err)
	assert.Equal(t, `{"a":1,"a":2}`, string(got), "nothing is bound: as it was")
	for _, wrong := range []string{`[]`, `{`, `{"c":1,"c":2}`} {
		_, err = schema.Bind(json.RawMessage(wrong), nil)
		assert.Error(t, err, wrong)
	}
}
