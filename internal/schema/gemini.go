package schema

// Gemini is what Google's Gemini models accept, through LangChainGo's googleai
// package, which sends type, description, properties, required and items
// alone, and through Google's OpenAI-compatible endpoint: one type for each
// property, null by the keyword nullable, enum of strings, at most 4 levels of
// objects and arrays, no object without properties below the root. What is
// deeper or has no fixed form is described in words and accepted as JSON text,
// which Restore parses.
var Gemini = register(rules{
	name:      "gemini",
	packages:  []string{"googleai"},
	tools:     512,
	depth:     4,
	key:       googleKey,
	typed:     true,
	nullable:  true,
	textEnums: true,
	echo:      true,
})
