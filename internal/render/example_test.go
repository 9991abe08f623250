package render_test

import (
	"encoding/json"
	"fmt"

	"github.com/mcptoolset/mcptoolset/internal/decode"
	"github.com/mcptoolset/mcptoolset/internal/render"
)

func ExampleResult() {
	r, err := decode.ResultOf(json.RawMessage(`{
		"content": [
			{"type": "text", "text": "Two files match."},
			{"type": "resource_link", "uri": "file:///a.txt", "name": "a", "mimeType": "text/plain", "size": 12},
			{"type": "image", "data": "iVBORw==", "mimeType": "image/png"},
			{"type": "hologram", "beams": 3}
		],
		"structuredContent": {"id": 9007199254740993}
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(render.Result(r, render.Options{}))
	// Output:
	// Two files match.
	//
	// [resource link] uri: file:///a.txt; name: a; type: text/plain; size: 12 bytes
	//
	// [image] type: image/png; size: 4 bytes
	//
	// [hologram item] could not be read: its type is not known
	// {"type": "hologram", "beams": 3}
	//
	// {"id": 9007199254740993}
}

func ExampleCut() {
	text, cut := render.Cut("This text is longer than its room, which is what the marker says below.", 70, false)
	fmt.Printf("%q %v\n", text, cut)
	// Output:
	// "This text is longer than its room, wh\n[cut: 37 of 71 characters shown]" true
}

func ExampleContents() {
	contents := []decode.ResourceContents{{URI: "file:///a.txt", Text: "0123456789", HasText: true}}
	fmt.Println(render.Contents(contents, 4, 4))
	// Output:
	// 4567
	// [cut: characters 5 to 8 of 10 shown; continue with offset 8]
}
