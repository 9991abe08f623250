package toolset

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/filter"
	"github.com/mcptoolset/mcptoolset/internal/args"
	"github.com/mcptoolset/mcptoolset/internal/decode"
	"github.com/mcptoolset/mcptoolset/internal/schema"
)

// Tool is one tool of the server, as a LangChainGo tool. It stays usable as
// long as its Toolset is open and its server offers it, and may be used
// concurrently.
type Tool struct {
	set  *Toolset
	name string
	from decode.Tool
	own  bool // not the server's
	// judges is set where the tool checks its arguments itself.
	judges bool
	args   func() *args.Schema
	output func() *args.Output
	// perform runs the tool and tells for whom. The text is for the model;
	// beside an error it says more than the error does, or is empty.
	perform func(ctx context.Context, who *caller, arguments json.RawMessage) (string, error)

	ways sync.Map // Profile to schema.Shown: the way back from what models were shown
}

var (
	_ tools.Tool = (*Tool)(nil)
	_ Definer    = (*Tool)(nil)
)

// newTool makes a tool of the server's own.
func (ts *Toolset) newTool(name string, from decode.Tool) *Tool {
	t := &Tool{set: ts, name: name, from: from}
	t.args = sync.OnceValue(func() *args.Schema { return args.New(from.InputSchema, t.argumentOptions()...) })
	t.output = sync.OnceValue(func() *args.Output { return args.NewOutput(from.OutputSchema) })
	t.perform = t.callServer
	return t
}

func (t *Tool) argumentOptions() []args.Option {
	options := []args.Option{
		args.WithSignature(schema.Signature(t.from.InputSchema, maxSignature, t.binding().hidden()...)),
		args.WithRestore(t.restore),
		args.WithDefaults(t.set.o.defaults),
	}
	options = append(options, t.binding().options()...)
	if t.judges || t.set.o.unchecked && !t.own {
		options = append(options, args.WithoutCheck())
	}
	return options
}

// Name is the name a model calls the tool by: letters, digits, _ and - only,
// at most 64, the first a letter or _, unique within the toolset without regard
// to case.
func (t *Tool) Name() string { return t.name }

// Description is for agents that know a tool by its text alone: the server's
// description on one line, the arguments in short, and how to write them.
func (t *Tool) Description() string { return textDescription(t.from, t.binding().hidden()) }

// ServerName is the name the configuration gives the server.
func (t *Tool) ServerName() string { return t.set.cfg.Name }

// OriginalName is the server's own name of the tool, which goes over the wire
// and which filters and [Toolset.Tool] take.
func (t *Tool) OriginalName() string { return t.from.Name }

// Title is the server's title for people; empty where it gave none.
func (t *Tool) Title() string {
	if t.from.Title != "" {
		return t.from.Title
	}
	return t.from.Annotations.Title
}

// OriginalDescription is the description as the server sent it.
func (t *Tool) OriginalDescription() string { return t.from.Description }

// Hints are the server's annotations; nil where it gave none. They are claims
// of the server, not facts.
func (t *Tool) Hints() (readOnly, destructive, idempotent, openWorld *bool) {
	a := t.from.Annotations
	return a.ReadOnly, a.Destructive, a.Idempotent, a.OpenWorld
}

// InputSchema is the schema the server sent, byte for byte; nil where it sent
// none. Arguments are checked against it.
func (t *Tool) InputSchema() json.RawMessage { return slices.Clone(t.from.InputSchema) }

// OutputSchema is the schema of structured results, byte for byte; nil where
// the server sent none.
func (t *Tool) OutputSchema() json.RawMessage { return slices.Clone(t.from.OutputSchema) }

// Annotations are the annotations as sent; nil where there are none.
func (t *Tool) Annotations() json.RawMessage { return slices.Clone(t.from.AnnotationsRaw) }

// Meta is the _meta member as sent; nil where there is none.
func (t *Tool) Meta() json.RawMessage { return slices.Clone(t.from.Meta) }

// Icons are the icons as sent; nil where there are none.
func (t *Tool) Icons() json.RawMessage { return slices.Clone(t.from.Icons) }

// Raw is the whole definition as the server sent it.
func (t *Tool) Raw() json.RawMessage { return slices.Clone(t.from.Raw) }

// Definition is what a model is told of the tool under a profile. From then on
// Call maps arguments back from that profile, for all tools of the toolset:
// names that had to be changed for the model, and values it was told to write
// as JSON text.
func (t *Tool) Definition(p Profile) llms.FunctionDefinition {
	shown := t.shown(p)
	t.set.profiles.Store(p, true)
	return llms.FunctionDefinition{
		Name:        t.name,
		Description: define(t.from, shown.Notes, p),
		Parameters:  shown.Parameters,
		Strict:      shown.Strict,
	}
}

// shown is what a model is told of the arguments: not those the owner binds.
func (t *Tool) shown(p Profile) schema.Shown {
	return schema.Parameters(t.from.InputSchema, schemaProfile(p), t.binding().hidden()...)
}

// restore maps arguments back to what the server expects. Which model wrote
// them is not known, so the ways back from all profiles count together, in a
// fixed order; what no model was shown stays as it is.
func (t *Tool) restore(arguments json.RawMessage) (json.RawMessage, error) {
	var asked []Profile
	t.set.profiles.Range(func(p, _ any) bool {
		asked = append(asked, p.(Profile))
		return true
	})
	slices.Sort(asked)
	var way schema.Shown
	for _, p := range asked {
		way = way.Or(t.wayBack(p))
	}
	return way.Restore(arguments)
}

// wayBack is that from one profile, made when it is first needed: a model may
// have been shown another value of the same tool, from an earlier listing.
func (t *Tool) wayBack(p Profile) schema.Shown {
	if way, ok := t.ways.Load(p); ok {
		return way.(schema.Shown)
	}
	way := t.shown(p)
	way.Parameters, way.Notes = nil, nil
	t.ways.Store(p, way)
	return way
}

func (t *Tool) filtered() filter.Tool {
	a := t.from.Annotations
	return filter.Tool{
		Name: t.from.Name, Title: t.from.Title, Description: t.from.Description,
		ReadOnly: a.ReadOnly, Destructive: a.Destructive, Idempotent: a.Idempotent, OpenWorld: a.OpenWorld,
	}
}
