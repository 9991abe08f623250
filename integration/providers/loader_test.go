package providers

import (
	"github.com/tmc/langchaingo/documentloaders"

	"github.com/mcptoolset/mcptoolset/documents"
)

// The package of the interface brings parsers of many kinds of files: so it is
// here that Loader is held to it.
var _ documentloaders.Loader = (*documents.Loader)(nil)
