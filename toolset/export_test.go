package toolset

import (
	"github.com/mcptoolset/mcptoolset/internal/decode"
	"github.com/mcptoolset/mcptoolset/internal/schema"
)

// AssignNames is assignNames, for properties over more names than a server
// could list in a test's time.
var AssignNames = assignNames

// TextDescription is what an agent that reads text is told of a tool.
func TextDescription(description, title string, inputSchema []byte) string {
	return textDescription(decode.Tool{Description: description, Title: title, InputSchema: inputSchema}, nil)
}

// DefinitionDescription is what a definition says of a tool.
func DefinitionDescription(description, title string, inputSchema []byte, p Profile) string {
	shown := schema.Parameters(inputSchema, schemaProfile(p))
	return define(decode.Tool{Description: description, Title: title}, shown.Notes, p)
}
