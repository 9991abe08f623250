package schema_test

import (
	"encoding/json"
	"fmt"

	"github.com/mcptoolset/mcptoolset/internal/schema"
)

// A server's schema, shown to Claude, which refuses the property name $top, and
// the way back for the arguments it writes.
func Example() {
	raw := json.RawMessage(`{
		"type": "object",
		"properties": {
			"$top": {"type": "integer", "description": "How many."},
			"order": {"$ref": "#/$defs/Order"}
		},
		"$defs": {"Order": {"type": "string", "enum": ["asc", "desc"]}}
	}`)

	shown := schema.Parameters(raw, schema.Anthropic)
	params, _ := json.Marshal(shown.Parameters)
	fmt.Println(string(params))

	args, err := shown.Restore(json.RawMessage(`{"_top":9007199254740993,"order":"asc"}`))
	fmt.Println(string(args), err)
	// Output:
	// {"properties":{"_top":{"description":"How many. The server's name for it is \"$top\".","type":"integer"},"order":{"enum":["asc","desc"],"type":"string"}},"type":"object"}
	// {"$top":9007199254740993,"order":"asc"} <nil>
}

func ExampleSignature() {
	raw := json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"},"unit":{"enum":["celsius","kelvin"]}},"required":["city"]}`)
	fmt.Println(schema.Signature(raw, 200))
	// Output: {city: string, unit?: "celsius"|"kelvin"}
}
