package schema

import "regexp"

// googleKey is the form that Google documents for the names of parameters.
var googleKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

// Portable is what every provider in LangChainGo accepts: one type for each
// property, descriptions, required, items, and enum of strings. All else is
// said in words. It is the right choice for a model nothing is known about.
//
// LangChainGo's vertex package sends no items and no nested properties with
// it, so that arrays and nested objects are refused there: use Vertex.
var Portable = register(rules{
	name:      "portable",
	tools:     128,
	depth:     4,
	key:       googleKey,
	typed:     true,
	textEnums: true,
	echo:      true,
})
