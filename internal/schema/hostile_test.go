package schema_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/schema"
)

// hostile are schemas that cost more than they weigh, or weigh a lot.
func hostile() map[string]string {
	deep := func(open, end string, n int) string { return strings.Repeat(open, n) + "{}" + strings.Repeat(end, n) }
	bomb := func(levels, width int) string {
		var b strings.Builder
		b.WriteString(`{"type":"object","properties":{"first":{"type":"string"},"bomb":{"$ref":"#/$defs/d0"},"last":{"type":"string"}},"$defs":{`)
		for i := range levels {
			fmt.Fprintf(&b, `"d%d":{"type":"object","description":"level %d","properties":{`, i, i)
			for j := range width {
				if j > 0 {
					b.WriteString(",")
				}
				fmt.Fprintf(&b, `"p%d":{"$ref":"#/$defs/d%d"}`, j, i+1)
			}
			b.WriteString(`}},`)
		}
		fmt.Fprintf(&b, `"d%d":{"type":"string"}}}`, levels)
		return b.String()
	}
	many := func(n int, item string) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteString(",")
			}
			fmt.Fprintf(&b, item, i)
		}
		return b.String()
	}
	return map[string]string{
		"deep properties":   `{"type":"object","properties":{"first":{"type":"string"},"p":` + deep(`{"properties":{"p":`, `}}`, 100_000) + `}}`,
		"deep items":        `{"type":"object","properties":{"first":{"type":"string"},"p":` + deep(`{"items":`, `}`, 100_000) + `}}`,
		"deep anyOf":        `{"type":"object","properties":{"first":{"type":"string"},"p":` + deep(`{"anyOf":[`, `]}`, 100_000) + `}}`,
		"deep allOf":        `{"type":"object","properties":{"first":{"type":"string"}},"allOf":[` + deep(`{"allOf":[`, `]}`, 100_000) + `]}`,
		"deep not":          `{"type":"object","properties":{"first":{"type":"string","not":` + deep(`{"not":`, `}`, 300) + `}}}`,
		"deep if":           `{"type":"object","properties":{"first":{"type":"string"}},"if":{"required":["a"]},"then":` + deep(`{"if":{"required":["a"]},"then":`, `}`, 90) + `}`,
		"deep value":        `{"type":"object","properties":{"first":{"type":"array","default":` + deep(`[`, `]`, 100_000) + `}}}`,
		"deep list":         deep(`[`, `]`, 100_000),
		"bomb of two":       bomb(30, 2),
		"bomb of ten":       bomb(30, 10),
		"wide bomb":         bomb(6, 300),
		"list bomb":         `{"properties":{"first":{},"b":{"$ref":"#/$defs/a"}},"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"},{"$ref":"#/$defs/b"},{"type":"string"}]},"b":{"anyOf":[{"$ref":"#/$defs/c"},{"type":"array","items":{"$ref":"#/$defs/c"}}]},"c":{"oneOf":[{"$ref":"#/$defs/d"},{"type":"array","items":{"$ref":"#/$defs/d"}}]},"d":{"allOf":[{"$ref":"#/$defs/e"},{"$ref":"#/$defs/e"}]},"e":{"type":"object","properties":{"x":{"$ref":"#/$defs/a"},"y":{"$ref":"#/$defs/b"},"z":{"$ref":"#/$defs/c"}}}}}`,
		"allOf bomb":        `{"properties":{"first":{}},"allOf":[` + strings.TrimSuffix(strings.Repeat(`{"$ref":"#/$defs/a"},`, 60), ",") + `],"$defs":{"a":{"allOf":[` + strings.TrimSuffix(strings.Repeat(`{"$ref":"#/$defs/b"},`, 60), ",") + `]},"b":{"properties":{` + many(200, `"p%d":{"type":"string","minLength":1}`) + `}}}}`,
		"anyOf of anyOf":    `{"properties":{"first":{},"u":{"anyOf":[` + many(60, `{"anyOf":[{"type":"object","properties":{"a%[1]d":{"type":"string"}}},{"type":"array","items":{"const":%[1]d}}]}`) + `]}}}`,
		"many fields":       `{"type":"object","properties":{"first":{"type":"string"},` + many(100_000, `"field%d":{"type":"string","description":"A field."}`) + `}}`,
		"many required":     `{"type":"object","properties":{"first":{"type":"string"}},"required":[` + many(100_000, `"r%d"`) + `]}`,
		"many values":       `{"type":"object","properties":{"first":{"type":"string"},"e":{"enum":[` + many(800_000, `"value %d"`) + `]}}}`,
		"many used often":   `{"type":"object","properties":{"first":{"type":"string"},` + many(3_000, `"f%d":{"$ref":"#/$defs/e"}`) + `},"$defs":{"e":{"enum":[` + many(1_000, `"value %d"`) + `]}}}`,
		"huge value":        `{"type":"object","properties":{"first":{"type":"string"},"e":{"const":"` + strings.Repeat("x", 10<<20) + `"}}}`,
		"huge words":        `{"type":"object","properties":{"first":{"type":"string"},` + many(2_000, `"f%d":{"$ref":"#/$defs/e"}`) + `},"$defs":{"e":{"type":"string","description":"` + strings.Repeat("x ", 1<<20) + `","default":"` + strings.Repeat("y", 1<<20) + `","title":"` + strings.Repeat("z", 1<<20) + `","pattern":"^` + strings.Repeat("(a", 1000) + strings.Repeat(")*", 1000) + `$"}}}`,
		"huge name":         `{"type":"object","properties":{"first":{"type":"string"},"` + strings.Repeat("n", 5<<20) + `":{"type":"string"}},"required":["` + strings.Repeat("n", 5<<20) + `"]}`,
		"huge number":       `{"type":"object","properties":{"first":{"type":"number","minimum":1` + strings.Repeat("0", 1<<20) + `,"allOf":[{"minimum":1e999999999},{"minimum":2},{"minimum":1E-999999999}]}}}`,
		"huge reference":    `{"type":"object","properties":{"first":{"type":"string"},` + many(1_000, `"f%d":{"$ref":"#/$defs/e"}`) + `},"$defs":{"e":{"$ref":"#` + strings.Repeat("/a", 1<<18) + `"}}}`,
		"many alternatives": `{"type":"object","properties":{"first":{"type":"string"}},"oneOf":[` + many(5_000, `{"properties":{"k":{"const":"%[1]d"},"f%[1]d":{"type":"string"}},"required":["k"]}`) + `]}`,
		"many true":         `{"type":"object","properties":{"first":{"type":"string"},` + many(9_000, `"field%d":true`) + `}}`,
		"fields times alternatives": `{"type":"object","properties":{"first":{"type":"string"},"x":{"type":["object","array"],"properties":{` + many(1_900, `"p%d":{"type":"string","description":"d"}`) +
			`},"anyOf":[` + strings.TrimSuffix(strings.Repeat(`{"anyOf":[`+strings.TrimSuffix(strings.Repeat(`{"minProperties":1},`, 30), ",")+`]},`, 55), ",") + `]}}}`,
		"required everywhere": `{"properties":{"first":{},` + many(60, `"a%d":{"$ref":"#/$defs/r"}`) + `},"$defs":{"r":{"type":"object","required":[` + many(100, `"`+strings.Repeat("r", 150)+`%d"`) + `]}}}`,
		"control characters":  `{"properties":{"first":{},` + many(500, `"a%d":{"type":"string","description":"`+strings.Repeat(`\u0001`, 3_000)+`"}`) + `}}`,
		"many rules":          `{"type":"object","properties":{"first":{"type":"string"}},"dependentRequired":{` + many(20_000, `"d%d":["first"]`) + `},"patternProperties":{` + many(20_000, `"p%d":{"type":"string"}`) + `}}`,
	}
}

func TestC5_HostileSchemasEndWithinBounds(t *testing.T) {
	for name, raw := range hostile() {
		t.Run(name, func(t *testing.T) {
			if raced && len(raw) > 1<<20 {
				t.Skip("size alone is no matter for the race detector")
			}
			var before, after runtime.MemStats
			for _, p := range schema.Profiles() {
				if (raced || len(raw) > 1<<20) && p != schema.Verbatim && p != schema.Portable && p != schema.OpenAIStrict {
					continue // reading is most of the work, and the same for all
				}
				runtime.ReadMemStats(&before)
				s := schema.Parameters(json.RawMessage(raw), p)
				runtime.ReadMemStats(&after)
				require.Empty(t, problems(p, s), p)
				assert.Less(t, (after.TotalAlloc-before.TotalAlloc)>>20, uint64(600), "MB allocated for %s", p)
				if p == schema.Verbatim {
					continue
				}
				if name != "deep list" {
					assert.NotNil(t, at(s, "properties", "first"), "%s: the honest part is lost: %.300s", p, words(s))
				}
				second := schema.Parameters(json.RawMessage(mustJSON(s.Parameters)), p)
				require.Equal(t, mustJSON(s.Parameters), mustJSON(second.Parameters), "%s: converting again changes it", p)
			}
			checkSignature(t, json.RawMessage(raw), 500)
		})
	}
}

func TestC5_WhatIsLeftOutIsSaid(t *testing.T) {
	t.Parallel()
	h := hostile()
	for _, name := range []string{"deep properties", "bomb of ten", "many fields", "many values", "many alternatives"} {
		s := schema.Parameters(json.RawMessage(h[name]), schema.OpenAI)
		assert.Regexp(t, `not spelled out|Not spelled out|left out|One of \d+ values`, words(s), name)
	}
}

func TestC5_AnHonestPartSurvivesAGreedyOne(t *testing.T) {
	t.Parallel()
	s := schema.Parameters(json.RawMessage(hostile()["bomb of ten"]), schema.Anthropic)
	assert.Equal(t, "string", at(s, "properties", "first", "type"))
	assert.Equal(t, "string", at(s, "properties", "last", "type"))
	assert.Equal(t, "object", at(s, "properties", "bomb", "type"))
	assert.NotEmpty(t, at(s, "properties", "bomb", "properties", "p9"))
}

// At the bounds themselves a second conversion must not cut again.
func TestC5_ConvertingAgainChangesNothingAtTheBounds(t *testing.T) {
	t.Parallel()
	if raced {
		t.Skip("much work in one goroutine is no matter for the race detector")
	}
	field := []string{`{"type":"string"}`, `{"type":["string","null"],"description":"A field."}`, `{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"integer"}},{"type":"null"}]}`,
		`{"type":"array","prefixItems":[{"type":"string"},{"type":"number"}]}`, `{"type":"object","properties":{"x":{"enum":["a","b",1]}},"additionalProperties":{"type":"string"}}`,
		`{"type":["object","array"],"properties":{"x":{"type":"string"}},"anyOf":[{"minProperties":1},{"maxProperties":3}]}`}
	for i, f := range field {
		for _, n := range []int{660, 999, 1331, 3999, 4001} {
			var props []string
			for j := range n {
				props = append(props, fmt.Sprintf(`"f%d":%s`, j, f))
			}
			raw := json.RawMessage(`{"type":"object","properties":{` + strings.Join(props, ",") + `}}`)
			for _, p := range []schema.Profile{schema.OpenAIStrict, schema.Portable} {
				first := schema.Parameters(raw, p)
				second := schema.Parameters(json.RawMessage(mustJSON(first.Parameters)), p)
				require.True(t, mustJSON(first.Parameters) == mustJSON(second.Parameters), "%s, field %d, %d times", p, i, n)
			}
		}
	}
}
