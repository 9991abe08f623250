package schema

import "regexp"

// Anthropic is what Claude accepts, directly or through Bedrock: valid JSON
// Schema of draft 2020-12 without unions at the root, and property names of at
// most 64 letters, digits, underscores, dots and dashes.
var Anthropic = register(rules{
	name:     "anthropic",
	packages: []string{"anthropic", "bedrock"},
	depth:    16,
	key:      regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`),
	unions:   true,
	extras:   true,
	keywords: append([]string{"minLength", "maxLength", "uniqueItems", "minProperties", "maxProperties", "default", "examples"}, openAIKeywords...),
})
