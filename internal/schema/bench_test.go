package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/mcptoolset/mcptoolset/internal/schema"
)

// thousand gives a thousand schemas of our own, of the sizes servers send.
func thousand() []json.RawMessage {
	var tools []json.RawMessage
	for len(tools) < 1_000 {
		for _, s := range seeds {
			tools = append(tools, json.RawMessage(s))
		}
		tools = append(tools, json.RawMessage(`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{
			"owner":{"type":"string","description":"Whose repository it is."},"repo":{"type":"string","description":"The name of the repository."},
			"state":{"type":"string","enum":["open","closed","all"],"default":"open"},"labels":{"type":"array","items":{"type":"string"}},
			"page":{"type":"integer","minimum":1},"per_page":{"type":"integer","minimum":1,"maximum":100},"since":{"type":["string","null"],"format":"date-time"},
			"files":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path","content"]}}},
			"required":["owner","repo"],"additionalProperties":false}`))
	}
	return tools[:1_000]
}

func BenchmarkParameters(b *testing.B) {
	tools := thousand()
	for _, p := range schema.Profiles() {
		b.Run(p.String()+" of 1000 tools", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, raw := range tools {
					schema.Parameters(raw, p)
				}
			}
		})
	}
}

func BenchmarkSignature(b *testing.B) {
	tools := thousand()
	b.ReportAllocs()
	for b.Loop() {
		for _, raw := range tools {
			schema.Signature(raw, 0)
		}
	}
}

func BenchmarkRestore(b *testing.B) {
	s := schema.Parameters(json.RawMessage(`{"properties":{"$top":{"type":"integer"},"o":{"type":"object"},"l":{"type":"array","items":{"type":"object","properties":{"@x":{"type":"string"}}}}}}`), schema.Portable)
	args := json.RawMessage(`{"_top":5,"o":"{\"a\":1}","l":[{"_x":"a"},{"_x":"b"}]}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Restore(args); err != nil {
			b.Fatal(err)
		}
	}
}
