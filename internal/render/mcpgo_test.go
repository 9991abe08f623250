package render_test

import (
	"encoding/json"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestO36_ResultsAsMCPGoWritesThem renders what servers built on mcp-go send.
func TestO36_ResultsAsMCPGoWritesThem(t *testing.T) {
	t.Parallel()
	type answer struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
	}
	many := mcp.NewToolResultText("first")
	many.Content = append(many.Content,
		mcp.NewTextContent("second"),
		mcp.NewAudioContent("AAAA", "audio/wav"),
		mcp.NewResourceLink("file:///a.txt", "a", "the first letter", "text/plain"),
		mcp.NewEmbeddedResource(mcp.BlobResourceContents{URI: "file:///b.bin", MIMEType: "x/y", Blob: "AAAA"}))
	for name, c := range map[string]struct {
		result *mcp.CallToolResult
		want   string
	}{
		"text":       {mcp.NewToolResultText("ok"), "ok"},
		"structured": {mcp.NewToolResultStructuredOnly(answer{9007199254740993, "<é>"}), `{"id":9007199254740993,"name":"\u003cé\u003e"}`},
		"both":       {mcp.NewToolResultStructured(answer{1, "n"}, "one n"), "one n\n\n{\"id\":1,\"name\":\"n\"}"},
		"error":      {mcp.NewToolResultError("boom"), "Error: boom"},
		"image":      {mcp.NewToolResultImage("seen:", "AAAA", "image/png"), "seen:\n\n[image] type: image/png; size: 3 bytes"},
		"resource": {mcp.NewToolResultResource("here:", mcp.TextResourceContents{URI: "file:///b.txt", MIMEType: "text/plain", Text: "b"}),
			"here:\n\n[resource] uri: file:///b.txt; type: text/plain\nb"},
		"many": {many, "first\n\nsecond\n\n[audio] type: audio/wav; size: 3 bytes\n\n" +
			"[resource link] uri: file:///a.txt; name: a; type: text/plain; description: the first letter\n\n" +
			"[resource] uri: file:///b.bin; type: x/y; binary; size: 3 bytes"},
	} {
		raw, err := json.Marshal(c.result)
		require.NoError(t, err)
		assert.Equal(t, c.want, show(t, string(raw), 0), "%s: %s", name, raw)
	}
}
