package resources

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/mcptoolset/mcptoolset/internal/render"
)

// The names of the tools.
const (
	ListResources = "list_mcp_resources"
	ListTemplates = "list_mcp_resource_templates"
	LoadResource  = "load_mcp_resource"
)

// Names returns the names of the tools, in the order of [Tools].
func Names() []string { return []string{ListResources, ListTemplates, LoadResource} }

// Tool is one tool for a model. It holds no state and may be used concurrently.
type Tool struct {
	// Name and Description are for the model.
	Name, Description string
	// Schema is the JSON Schema of the arguments.
	Schema json.RawMessage
	// Run does what the tool does, with arguments that are a JSON object; none
	// is an empty one. It judges them itself: to check them against Schema
	// before is welcome, but not needed.
	//
	// The text is the observation for the model. There are three outcomes: a
	// text without an error; a text that begins with "Error:" together with an
	// error, for what the model or the server did wrong, where the error says
	// what it was ([ErrArguments], [ErrName], [ErrDeclined], [ErrAnswer] or,
	// wrapped, what the server answered); and an error without a text, for a
	// failed connection, the end of ctx and a confirmer that panics or says
	// [ErrUnconfirmed]. A text is never longer than [Options.MaxOutput].
	Run func(ctx context.Context, s Server, arguments json.RawMessage) (string, error)
}

// What Run's errors wrap, besides the errors of the server.
var (
	// ErrArguments: the arguments are wrong in themselves.
	ErrArguments = errors.New("resources: wrong arguments")
	// ErrName: no resource has the name, or several have it.
	ErrName = errors.New("resources: the name does not stand for one resource")
	// ErrDeclined: the owner's confirmer declined the read. Its error is
	// wrapped too.
	ErrDeclined = errors.New("resources: the owner declined to load the resource")
	// ErrUnconfirmed, wrapped by the confirmer's error, says that the owner
	// could not be asked, which is a failure of the load and not a no.
	ErrUnconfirmed = errors.New("resources: the owner could not be asked")
	// ErrAnswer: the server's answer is not one that could be used.
	ErrAnswer = errors.New("resources: the server's answer cannot be used")
)

// What zero options stand for.
const (
	DefaultMaxLength = render.DefaultLength // characters
	DefaultMaxOutput = render.DefaultBudget // characters
	DefaultMaxPages  = 100
	DefaultMaxItems  = 10_000
)

// Options change what the tools do. The zero value is ready to use; numbers
// below zero count as zero.
type Options struct {
	// MaxLength is how many characters of a resource's text one load shows,
	// over all of its contents together. By default [DefaultMaxLength].
	// Markers and labels come on top.
	MaxLength int
	// MaxOutput is how many characters an observation has at most, everything
	// included; it goes before MaxLength. By default [DefaultMaxOutput]. A page
	// of a list is whole JSON from some hundred characters on.
	MaxOutput int
	// MaxPages is how many pages of a list are looked through for a name. By
	// default, and at most, [DefaultMaxPages].
	MaxPages int
	// MaxItems is how many items of a list are looked through for a name. By
	// default [DefaultMaxItems].
	MaxItems int
	// Confirm is asked before each read, with the URI that would be sent.
	// Nil allows it, an error declines it, and its text is the reason the
	// model is told, unless it wraps [ErrUnconfirmed]. It runs in the goroutine
	// of Run, which waits for it whatever becomes of ctx. It may be called concurrently. By default, and for nil,
	// every read is allowed.
	Confirm func(ctx context.Context, uri string) error
}

func (o Options) withDefaults() Options {
	o.MaxLength = positive(o.MaxLength, DefaultMaxLength)
	o.MaxOutput = positive(o.MaxOutput, DefaultMaxOutput)
	o.MaxPages = min(positive(o.MaxPages, DefaultMaxPages), DefaultMaxPages)
	o.MaxItems = positive(o.MaxItems, DefaultMaxItems)
	return o
}

func positive(n, otherwise int) int {
	if n > 0 {
		return n
	}
	return otherwise
}

// Tools returns the three tools, in the order of [Names].
func Tools(o Options) []Tool {
	o = o.withDefaults()
	list := lister{catalogue: resourceList, budget: o.MaxOutput}
	templates := lister{catalogue: templateList, budget: o.MaxOutput}
	load := loader{options: o}
	return []Tool{
		{
			Name: ListResources,
			Description: "Lists the resources of this MCP server (files, records and other data it offers for reading), one page at a time, as JSON. " +
				"If the answer has a nextCursor, call again with it as cursor to go on. Load a resource with " + LoadResource + ".",
			Schema: json.RawMessage(listSchema),
			Run:    answering(o, list.run),
		},
		{
			Name: ListTemplates,
			Description: "Lists the resource templates of this MCP server, one page at a time, as JSON: URIs with {variables} that stand for many resources. " +
				"If the answer has a nextCursor, call again with it as cursor to go on. Load a resource by a template with " + LoadResource + ", giving the variables.",
			Schema: json.RawMessage(listSchema),
			Run:    answering(o, templates.run),
		},
		{
			Name: LoadResource,
			Description: "Loads a resource of this MCP server and returns its text. Give exactly one of uri and name. " +
				"A long text comes in parts: the end of each part says with which offset to call again. " +
				"For a resource template give its uriTemplate as uri (or its name) and the values of its variables.",
			Schema: json.RawMessage(loadSchema),
			Run:    answering(o, load.run),
		},
	}
}

const listSchema = `{"type":"object","properties":{` +
	`"cursor":{"type":"string","description":"The nextCursor of the page before. Leave it out for the first page."}}}`

const loadSchema = `{"type":"object","properties":{` +
	`"uri":{"type":"string","description":"The resource's uri, also one that is not listed; or a uriTemplate, together with variables."},` +
	`"name":{"type":"string","description":"The resource's name, in place of its uri."},` +
	`"offset":{"type":"integer","minimum":0,"description":"How many characters of the text to pass over, as the answer before said. By default 0."},` +
	`"variables":{"type":"object","description":"For a template only: the values of its variables, each a string, a number or a list, such as {\"id\": \"42\"}."}}}`

// answering makes observations of refusals.
func answering(o Options, run runner) runner {
	return func(ctx context.Context, s Server, arguments json.RawMessage) (string, error) {
		text, err := run(ctx, s, arguments)
		var no *refusal
		if errors.As(err, &no) {
			return render.Error(no.text, o.MaxOutput), no.cause
		}
		return text, err
	}
}

type runner = func(ctx context.Context, s Server, arguments json.RawMessage) (string, error)
