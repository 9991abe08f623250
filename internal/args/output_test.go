package args

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestE2_StructuredResultsAreChecked(t *testing.T) {
	t.Parallel()
	const weather = `{"type":"object","properties":{"temperature":{"type":"number"},"sky":{"enum":["clear","cloudy"]},"days":{"type":"array","items":{"type":"object","required":["at"]}}},
		"required":["temperature"],"additionalProperties":false}`
	for name, c := range map[string]struct {
		schema, structured string
		want               []string
	}{
		"no schema":            {``, `{"a":1}`, nil},
		"no schema, nothing":   {``, ``, nil},
		"it fits":              {weather, `{"temperature":21.50}`, nil},
		"wrong type":           {weather, `{"temperature":"21"}`, []string{`temperature: expected number, got string "21"`}},
		"missing":              {weather, `{}`, []string{"temperature: missing, expected number"}},
		"unknown":              {weather, `{"temperature":1,"temperatur":2}`, []string{`temperatur: unknown name, did you mean "temperature"?`}},
		"several":              {weather, `{"temperature":1,"sky":"blue","days":[{"at":1},{}]}`, []string{"days[1].at: missing, expected a value", `sky: expected one of "clear", "cloudy", got "blue"`}},
		"another kind":         {weather, `[1]`, []string{"expected object, got array"}},
		"no result":            {weather, ``, []string{"missing"}},
		"no result but null":   {weather, `null`, []string{"missing"}},
		"null is allowed":      {`{"type":["object","null"]}`, `null`, nil},
		"any result":           {`true`, ``, nil},
		"a list":               {`{"type":"array","items":{"type":"integer"}}`, `[1,"a"]`, []string{`[1]: expected integer, got string "a"`}},
		"draft 7":              {`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}]}`, `[1]`, []string{"[0]: expected string, got number 1"}},
		"big integers":         {`{"properties":{"id":{"const":9007199254740993}}}`, `{"id":9007199254740992}`, []string{"id: expected 9007199254740993, got 9007199254740992"}},
		"formats are remarks":  {`{"properties":{"at":{"type":"string","format":"date-time"}}}`, `{"at":"today"}`, nil},
		"elsewhere":            {`{"$ref":"https://example.com/schema"}`, `{"a":1}`, nil},
		"a name given twice":   {weather, `{"temperature":1,"temperature":"x"}`, nil},
		"refers to itself":     {`{"$ref":"#"}`, `{"a":1}`, nil},
		"recursive":            {`{"$ref":"#/$defs/n","$defs":{"n":{"properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/n"}},"v":{"type":"integer"}}}}}`, `{"kids":[{"v":"x"}]}`, []string{`kids[0].v: expected integer, got string "x"`}},
		"not a schema":         {`"x"`, `{"a":1}`, nil},
		"a pattern of its own": {`{"properties":{"a":{"pattern":"(?<=x)y"}}}`, `{"a":"z"}`, nil},
	} {
		output := NewOutput(json.RawMessage(c.schema))
		var got []string
		for _, f := range output.Faults(json.RawMessage(c.structured)) {
			got = append(got, f.String())
		}
		assert.Equal(t, c.want, got, name)
	}
	assert.Contains(t, NewOutput(json.RawMessage(`{"$ref":"https://example.com/schema"}`)).Unchecked(), "not fetched")
	assert.Empty(t, NewOutput(nil).Unchecked())
}

func TestE2_ChecksOfResultsAreBoundedAndShared(t *testing.T) {
	t.Parallel()
	output := NewOutput(json.RawMessage(`{"type":"object","additionalProperties":{"type":"integer"}}`))
	many := `{"` + strings.Repeat(`a":"x","b`, 1) + `":1`
	for i := range 300 {
		many += `,"k` + strings.Repeat("i", i+1) + `":"x"`
	}
	many += "}"
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() { assert.Len(t, output.Faults(json.RawMessage(many)), maxFaults) })
	}
	callers.Wait()
	assert.Empty(t, output.Faults(json.RawMessage(`{"a":"`+strings.Repeat("x", maxText)+`"}`)), "too large to be looked at")
	assert.Empty(t, output.Faults(json.RawMessage(strings.Repeat("[", 1000)+strings.Repeat("]", 1000))))
}
