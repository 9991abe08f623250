package schema

// openAIKeywords are the keywords both OpenAI profiles keep.
var openAIKeywords = []string{
	"pattern", "format", "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems",
}

// OpenAI is what OpenAI's chat models accept without strict mode, and the many
// servers that speak its language: an object at the root without unions,
// properties on every object, items on every array, no references. Patterns
// with lookaround, not anchored or long, and large counts are said in words,
// because newer models and servers that compile schemas into grammars refuse
// the whole request for one of them. Nesting ends at 10 levels, which is the
// strict mode's limit and that of some compatible servers.
var OpenAI = register(rules{
	name:     "openai",
	packages: []string{"openai", "mistral"},
	tools:    128,
	depth:    10,
	unions:   true,
	extras:   true,
	keywords: append([]string{"minLength", "maxLength", "uniqueItems", "minProperties", "maxProperties", "default", "examples"}, openAIKeywords...),
})
