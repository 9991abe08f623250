package args_test

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcptoolset/mcptoolset/internal/args"
)

func ExampleSchema_Parse() {
	schema := args.New(json.RawMessage(`{
		"type": "object",
		"properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
		"required": ["city"],
		"additionalProperties": false
	}`), args.WithSignature("{city: string, days?: integer}"))

	for _, text := range []string{
		"```json\n{\"city\": \"Oslo\", \"days\": \"3\"}\n```",
		`{'city': 'Oslo', 'days': None}`,
		`Oslo`,
	} {
		arguments, err := schema.Parse(text)
		fmt.Println(string(arguments), err)
	}

	_, err := schema.Parse(`{"town": "Oslo", "days": "few"}`)
	var bad *args.Error
	if errors.As(err, &bad) {
		fmt.Println(bad.Text)
	}
	// Output:
	// {"city":"Oslo","days":3} <nil>
	// {"city":"Oslo"} <nil>
	// {"city":"Oslo"} <nil>
	// The tool was not called, because its arguments are not right.
	// - city: missing, expected string
	// - days: expected integer, got string "few"
	// - town: unknown name; known are city, days
	// Write the arguments as one JSON object: {city: string, days?: integer}
}
