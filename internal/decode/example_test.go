package decode_test

import (
	"encoding/json"
	"fmt"

	"github.com/mcptoolset/mcptoolset/internal/decode"
)

func ExampleResultOf() {
	r, err := decode.ResultOf(json.RawMessage(`{
		"content": [{"type": "text", "text": "sunny"}, {"type": "hologram", "beams": 3}],
		"structuredContent": {"id": 9007199254740993}
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Content[0].Text)
	fmt.Println(r.Content[1].Type, "-", r.Content[1].Fault)
	fmt.Println(string(r.Structured))
	// Output:
	// sunny
	// hologram - its type is not known
	// {"id": 9007199254740993}
}
