package args

import (
	"encoding/json"
	"testing"
)

const tenProperties = `{"type":"object","properties":{
	"query":{"type":"string","minLength":1},"owner":{"type":"string"},"repo":{"type":"string"},"state":{"type":"string","enum":["open","closed","all"]},
	"labels":{"type":"array","items":{"type":"string"}},"page":{"type":"integer","minimum":1},"perPage":{"type":"integer","maximum":100},
	"draft":{"type":"boolean"},"since":{"type":"string","format":"date-time"},"score":{"type":"number"}},
	"required":["query","owner","repo"],"additionalProperties":false}`

const tenArguments = `{"query":"memory leak","owner":"octo","repo":"cat","state":"open","labels":["bug","p1"],"page":2,"perPage":50,"draft":false,"since":"2026-01-01T00:00:00Z","score":0.75}`

func benchmark(b *testing.B, schema, text string, opts ...Option) {
	s := New(json.RawMessage(schema), opts...)
	if _, err := s.Parse(text); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		_, _ = s.Parse(text)
	}
}

func BenchmarkParse(b *testing.B)          { benchmark(b, tenProperties, tenArguments) }
func BenchmarkParseUnchecked(b *testing.B) { benchmark(b, tenProperties, tenArguments, WithoutCheck()) }
func BenchmarkParseFenced(b *testing.B) {
	benchmark(b, tenProperties, "```json\n"+tenArguments+"\n```\nObservation: done")
}
func BenchmarkParseCoerced(b *testing.B) {
	benchmark(b, tenProperties, `{"query":"memory leak","owner":"octo","repo":"cat","state":"open","labels":"[\"bug\"]","page":"2","perPage":"50","draft":"false","since":null,"score":"0.75"}`)
}
func BenchmarkParseRepaired(b *testing.B) {
	benchmark(b, tenProperties, `{'query': 'memory leak', 'owner': 'octo', 'repo': 'cat', 'state': 'open', 'labels': ['bug', 'p1'], 'page': 2, 'draft': False}`)
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if reason := New(json.RawMessage(tenProperties)).Unchecked(); reason != "" {
			b.Fatal(reason)
		}
	}
}
