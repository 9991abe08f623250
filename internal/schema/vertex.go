package schema

// Vertex is for LangChainGo's googleai/vertex package, which sends the type and
// the description of the root's properties and nothing below. Gemini refuses
// arrays without items and nested objects without properties, so both are
// described as JSON text, which Restore parses.
var Vertex = register(rules{
	name:      "vertex",
	packages:  []string{"googleai/vertex"},
	tools:     128,
	depth:     1,
	key:       googleKey,
	typed:     true,
	textEnums: true,
	echo:      true,
})
