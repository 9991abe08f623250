package kit

import (
	"context"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/tools"
)

// Set is an open toolset.
type Set interface {
	Tools(ctx context.Context) ([]tools.Tool, error)
	Close() error
}

// What a [Set] may offer besides.
type (
	// Parameterer gives the schema that a model would get for a tool.
	Parameterer interface{ Params(t tools.Tool) any }
	// Reporter gives the warnings of the last listing.
	Reporter interface{ Report() []string }
	// Binder puts real schemas in front of an agent's model.
	Binder interface {
		Bind(m llms.Model, ts []tools.Tool) llms.Model
	}
	// Shower gives the values that a user might print.
	Shower interface{ Show() []any }
	// Refresher drops cached lists.
	Refresher interface{ Refresh() }
)
