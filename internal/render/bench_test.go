package render_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcptoolset/mcptoolset/internal/decode"
	"github.com/mcptoolset/mcptoolset/internal/render"
)

func BenchmarkResult(b *testing.B) {
	line := "a line of plain text, as logs and files have it, sixty-three long\n"
	rows := "[" + strings.Repeat(`{"id":9007199254740993,"name":"Grüße","tags":["a","b"]},`, 1150) + "1]"
	text := func(s string) []decode.Content { return []decode.Content{{Type: decode.TypeText, Text: s}} }
	for name, c := range map[string]struct {
		result decode.Result
		budget int
	}{
		"64KB":            {decode.Result{Content: text(strings.Repeat(line, 1000))}, 100_000},
		"64KBCut":         {decode.Result{Content: text(strings.Repeat(line, 1000))}, 0},
		"64KBStructured":  {decode.Result{Content: text(rows), Structured: json.RawMessage(rows)}, 100_000},
		"5MBCutTo1000":    {decode.Result{Content: text(strings.Repeat(line, 80_000))}, 1000},
		"5MBFailTo1000":   {decode.Result{Content: text(strings.Repeat(line, 80_000)), IsError: true}, 1000},
		"5MBJSONTo1000":   {decode.Result{Structured: json.RawMessage(`"` + strings.Repeat("é", 5<<19) + `"`)}, 1000},
		"5MBImage":        {decode.Result{Content: []decode.Content{{Type: decode.TypeImage, Data: strings.Repeat("QUJD", 5<<18)}}}, 0},
		"5MBUnknownImage": {decode.Result{Content: []decode.Content{{Type: "video", Fault: "x", Raw: json.RawMessage(`{"data":"` + strings.Repeat("QUJD", 5<<18) + `"}`)}}}, 0},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if render.Result(c.result, render.Options{Budget: c.budget}) == "" {
					b.Fatal("empty")
				}
			}
		})
	}
}
