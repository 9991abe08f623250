package args

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Wherever a schema says what a property is, a text that can only mean that
// becomes it; where it may be something else too, it stays.
func TestD3_ThroughEveryKeyword(t *testing.T) {
	t.Parallel()
	const integer = `{"type":"integer"}`
	for name, c := range map[string]struct{ schema, text, want string }{
		"patternProperties":                     {`{"patternProperties":{"^v":` + integer + `}}`, `{"v":"5","w":"5"}`, `{"v":5,"w":"5"}`},
		"a pattern and a name":                  {`{"properties":{"v":{"minimum":1}},"patternProperties":{"^v$":` + integer + `}}`, `{"v":"5"}`, `{"v":5}`},
		"two patterns":                          {`{"patternProperties":{"^v":{"type":["integer","string"]},"v$":{"type":["integer","null"]}}}`, `{"v":"5"}`, `{"v":5}`},
		"beyond the patterns":                   {`{"patternProperties":{"^x":{"type":"string"}},"additionalProperties":` + integer + `}`, `{"x":"5","v":"5"}`, `{"x":"5","v":5}`},
		"a pattern Go does not know":            {`{"patternProperties":{"^(?!x)":` + integer + `},"properties":{"w":` + integer + `}}`, `{"v":"5","w":"6"}`, `{"v":"5","w":6}`},
		"additionalProperties":                  {`{"properties":{"s":{"type":"string"}},"additionalProperties":` + integer + `}`, `{"s":"5","v":"5"}`, `{"s":"5","v":5}`},
		"additionalProperties of a $ref":        {`{"additionalProperties":{"$ref":"#/$defs/N"},"$defs":{"N":` + integer + `}}`, `{"v":"5"}`, `{"v":5}`},
		"unevaluatedProperties":                 {`{"allOf":[{"properties":{"s":{"type":"string"}}}],"unevaluatedProperties":` + integer + `}`, `{"s":"5","v":"5"}`, `{"s":"5","v":5}`},
		"evaluated by an alternative":           {`{"anyOf":[{"properties":{"v":true}}],"properties":{"w":` + integer + `},"unevaluatedProperties":` + integer + `}`, `{"v":"5","w":"5"}`, `{"v":"5","w":5}`},
		"prefixItems":                           {`{"properties":{"v":{"prefixItems":[{"type":"string"},` + integer + `],"items":{"type":"boolean"}}}}`, `{"v":["1","2","true"]}`, `{"v":["1",2,true]}`},
		"items of a tuple, as before":           {`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"v":{"items":[{"type":"string"},` + integer + `],"additionalItems":{"type":"boolean"}}}}`, `{"v":["1","2","true"]}`, `{"v":["1",2,true]}`},
		"unevaluatedItems":                      {`{"properties":{"v":{"prefixItems":[{"type":"string"}],"unevaluatedItems":` + integer + `}}}`, `{"v":["1","2"]}`, `{"v":["1",2]}`},
		"dependentSchemas":                      {`{"dependentSchemas":{"k":{"properties":{"v":` + integer + `}}}}`, `{"k":1,"v":"5"}`, `{"k":1,"v":5}`},
		"dependentSchemas that do not apply":    {`{"properties":{"w":` + integer + `},"dependentSchemas":{"k":{"properties":{"v":` + integer + `}}}}`, `{"w":"5","v":"5"}`, `{"w":5,"v":"5"}`},
		"dependencies, as before":               {`{"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"k":{"properties":{"v":` + integer + `}},"l":["k"]}}`, `{"k":1,"v":"5"}`, `{"k":1,"v":5}`},
		"then":                                  {`{"if":{"properties":{"k":{"const":"a"}},"required":["k"]},"then":{"properties":{"v":` + integer + `}},"else":{"properties":{"v":{"type":"string"}}},"properties":{"w":` + integer + `}}`, `{"k":"a","v":"5","w":"5"}`, `{"k":"a","v":5,"w":5}`},
		"else":                                  {`{"if":{"properties":{"k":{"const":"a"}},"required":["k"]},"then":{"properties":{"v":` + integer + `}},"else":{"properties":{"v":{"type":"string"}}},"properties":{"w":` + integer + `}}`, `{"k":"b","v":"5","w":"5"}`, `{"k":"b","v":"5","w":5}`},
		"else, because nothing is given":        {`{"if":{"required":["k"]},"else":{"properties":{"v":` + integer + `}}}`, `{"v":"5"}`, `{"v":5}`},
		"then without else":                     {`{"if":{"properties":{"k":{"enum":["a","b"]}},"required":["k"]},"then":{"properties":{"v":` + integer + `}},"properties":{"w":` + integer + `}}`, `{"k":"c","v":"5","w":"5"}`, `{"k":"c","v":"5","w":5}`},
		"a condition nobody judges":             {`{"if":{"properties":{"k":{"pattern":"^a"}}},"then":{"properties":{"v":` + integer + `}},"properties":{"w":` + integer + `}}`, `{"k":"b","v":"5","w":"5"}`, `{"k":"b","v":"5","w":5}`},
		"either way":                            {`{"if":{"properties":{"k":{"pattern":"^a"}}},"then":{"properties":{"v":` + integer + `}},"else":{"properties":{"v":{"type":"boolean"}}}}`, `{"k":"b","v":"true"}`, `{"k":"b","v":true}`},
		"a condition on a number in a text":     {`{"if":{"properties":{"k":{"const":1}},"required":["k"]},"then":{"properties":{"v":` + integer + `}},"else":{"properties":{"v":{"type":"boolean"}}},"properties":{"k":` + integer + `}}`, `{"v":"5","k":"1"}`, `{"v":5,"k":1}`},
		"then within an array":                  {`{"properties":{"l":{"items":{"if":{"required":["k"]},"then":{"properties":{"v":` + integer + `}}}}}}`, `{"l":[{"k":1,"v":"5"}]}`, `{"l":[{"k":1,"v":5}]}`},
		"$anchor":                               {`{"properties":{"v":{"$ref":"#N"}},"$defs":{"N":{"$anchor":"N","type":"integer"}}}`, `{"v":"5"}`, `{"v":5}`},
		"$id as an anchor":                      {`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"v":{"$ref":"#N"}},"definitions":{"N":{"$id":"#N","type":"integer"}}}`, `{"v":"5"}`, `{"v":5}`},
		"$dynamicRef":                           {`{"properties":{"v":{"$dynamicRef":"#N"}},"$defs":{"N":{"$dynamicAnchor":"N","type":"integer"}}}`, `{"v":"5"}`, `{"v":5}`},
		"$recursiveRef":                         {`{"$schema":"https://json-schema.org/draft/2019-09/schema","properties":{"n":` + integer + `,"next":{"$recursiveRef":"#"}}}`, `{"n":"1","next":{"n":"2"}}`, `{"n":1,"next":{"n":2}}`},
		"a reference with the schema's address": {`{"$id":"https://example.org/s","properties":{"v":{"$ref":"https://example.org/s#/$defs/N"}},"$defs":{"N":` + integer + `}}`, `{"v":"5"}`, `{"v":5}`},
		"$ref beside patternProperties":         {`{"$ref":"#/$defs/R","patternProperties":{"^v":{"maximum":9}},"$defs":{"R":{"properties":{"v":` + integer + `}}}}`, `{"v":"5"}`, `{"v":5}`},
		"null in then":                          {`{"if":{"required":["k"]},"then":{"properties":{"v":{"type":"string"}}}}`, `{"k":1,"v":null}`, `{"k":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, opts := range [][]Option{nil, {WithoutCheck()}} {
				s := New(json.RawMessage(c.schema), opts...)
				if len(opts) == 0 {
					require.Empty(t, s.Unchecked())
				}
				got, err := s.Parse(c.text)
				require.NoError(t, err)
				assert.Equal(t, c.want, string(got))
			}
		})
	}
}
