package decode_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/decode"
)

// benchResults are answers whose decoding is measured beside mcp-go's.
func benchResults(tb testing.TB) map[string]json.RawMessage {
	tb.Helper()
	text := func(s string) json.RawMessage {
		raw, err := json.Marshal(map[string]any{"content": []any{map[string]any{"type": "text", "text": s}}})
		require.NoError(tb, err)
		return raw
	}
	line := "a line of plain text, as logs and files have it, sixty-three long\n"
	row := `{"id": 9007199254740993, "name": "Grüße", "tags": ["a", "b"]}, `
	rows := "[" + strings.Repeat(row, 1024) + "1]"
	both, err := json.Marshal(map[string]any{
		"content":           []any{map[string]any{"type": "text", "text": rows}},
		"structuredContent": map[string]any{"rows": json.RawMessage(rows)},
	})
	require.NoError(tb, err)
	return map[string]json.RawMessage{
		"small":          text("ok"),
		"64KB":           text(strings.Repeat(line, 1000)),
		"1MB":            text(strings.Repeat(line, 16_000)),
		"64KBStructured": both,
	}
}

func BenchmarkResultOf(b *testing.B) {
	for name, raw := range benchResults(b) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := decode.ResultOf(raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkMCPGo is what BenchmarkResultOf is measured against.
func BenchmarkMCPGo(b *testing.B) {
	for name, raw := range benchResults(b) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := mcp.ParseCallToolResult(&raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
