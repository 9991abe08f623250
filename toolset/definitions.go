package toolset

import (
	"context"
	"fmt"
	"log/slog"
	"reflect"
	"regexp"
	"strings"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/internal/chat"
)

// A Profile names what one family of model providers accepts as the
// parameters of a tool. The empty Profile stands for "recognise it from the
// model" (see WithModel) and, where that fails, for ProfilePortable.
type Profile string

// The profiles there are.
const (
	// ProfileVerbatim shows a schema as the server sent it.
	ProfileVerbatim Profile = "verbatim"
	// ProfilePortable keeps to what every provider of LangChainGo accepts.
	ProfilePortable Profile = "portable"
	// ProfileOpenAI is for OpenAI and servers that speak its API.
	ProfileOpenAI Profile = "openai"
	// ProfileOpenAIStrict is for OpenAI's strict mode. It is never chosen by
	// recognition. A tool it cannot express is sent without strict.
	ProfileOpenAIStrict Profile = "openai-strict"
	// ProfileAnthropic is for Anthropic, directly and on Bedrock.
	ProfileAnthropic Profile = "anthropic"
	// ProfileGemini is for Gemini through LangChainGo's googleai.
	ProfileGemini Profile = "gemini"
	// ProfileVertex is for Gemini through LangChainGo's googleai/vertex, which
	// passes on less of a schema than googleai does.
	ProfileVertex Profile = "vertex"
)

// A Definer is a tool that knows its own definition, as all tools of a
// Toolset do.
//
// Definition returns it for a profile, which is never empty; a profile the
// tool does not know it treats as ProfilePortable. The definition belongs to
// the caller: its Parameters are made anew on each call. Its Name is always
// taken to be the tool's. Definition must not block, and may be called
// concurrently.
//
// Call of a Definer takes the arguments as the model wrote them, as JSON text.
type Definer interface {
	tools.Tool
	Definition(p Profile) llms.FunctionDefinition
}

// A DefinitionOption changes what Definitions and Bind show to a model. Respond
// takes WithModel.
type DefinitionOption func(*definitionOptions)

// A BindOption changes what Bind does. All options of Definitions are options
// of Bind.
type BindOption = DefinitionOption

type definitionOptions struct {
	profile  Profile
	provider chat.Provider
	maxTools int
	offerAll bool
	warnings []func(Warning)
}

// WithProfile sets the profile and overrides what is recognised from a model.
// By default, or with the empty Profile, it is the recognised one.
func WithProfile(p Profile) DefinitionOption {
	return func(o *definitionOptions) { o.profile = p }
}

// WithModel says for which model the definitions, or the messages of Respond,
// are. By default that is the one given to Bind, and none for the others.
//
// The provider is recognised by reflection: by the import path of the package
// that declares the model's type, below github.com/tmc/langchaingo/llms.
// openai gives ProfileOpenAI, anthropic and bedrock ProfileAnthropic, googleai
// ProfileGemini, googleai/vertex ProfileVertex. Wrappers are looked through:
// what Bind returns, llms/cache, any type with a method Unwrap() llms.Model,
// and any struct with a model in a field, exported or not. All else is
// ProfilePortable, a wrapper around several providers too. The fields are read
// at once and without locks, so give the model before it is shared.
//
// What cannot be seen that way is a model of one family behind the API of
// another, such as Gemini behind llms/openai: use WithProfile for it.
func WithModel(model llms.Model) DefinitionOption {
	return func(o *definitionOptions) { o.provider = chat.ProviderOf(model) }
}

// WithToolLimit sets how many tools the provider takes in one request. More
// are reported (see WithWarning) and never cut. Zero or less is no limit. By
// default it is that of the profile, or of the recognised provider where that
// takes fewer: 128 for OpenAI, Vertex and what is portable, 512 for Gemini,
// none known for Anthropic.
func WithToolLimit(n int) DefinitionOption {
	return func(o *definitionOptions) { o.maxTools = max(n, 0) }
}

// WithWarning has warn told of what will go wrong with the tools at a
// provider, though nothing stops here: more tools than it takes; a provider
// whose LangChainGo package does not send tools at all; names that providers
// refuse; names that are equal, of which only the last tool is used, or
// differ only in case, of which LangChainGo's Executor calls only the last; a
// request with a tool that has no function, which is left out.
//
// Definitions and Bind call warn before they return, a bound model also
// during a request, where calls may be concurrent. By default nobody is told.
// It may be given several times.
func WithWarning(warn func(Warning)) DefinitionOption {
	return func(o *definitionOptions) {
		if warn != nil {
			o.warnings = append(o.warnings, warn)
		}
	}
}

// WithWarningLogger logs what WithWarning reports, at level Warn. By default,
// and for nil, nothing is logged.
func WithWarningLogger(logger *slog.Logger) DefinitionOption {
	if logger == nil {
		return func(*definitionOptions) {}
	}
	return WithWarning(func(w Warning) {
		logger.LogAttrs(context.Background(), slog.LevelWarn, w.Reason, slog.String("tool", w.Tool))
	})
}

// unlimited is a maxTools that no option has set: the provider's own counts.
const unlimited = -1

func newDefinitionOptions(opts []DefinitionOption) definitionOptions {
	o := definitionOptions{maxTools: unlimited}
	for _, opt := range opts {
		if opt != nil {
			opt(&o)
		}
	}
	if o.profile == "" {
		o.profile = Profile(o.provider.Profile)
	}
	if o.profile == "" {
		o.profile = ProfilePortable
	}
	if o.maxTools == unlimited {
		o.maxTools = stricter(o.profile.maxTools(), Profile(o.provider.Profile).maxTools())
	}
	return o
}

// maxTools is how many tools the family's API takes in one request, 0 where no
// limit is known.
func (p Profile) maxTools() int {
	if p == "" {
		return 0
	}
	return schemaProfile(p).MaxTools()
}

// stricter is the smaller of two limits, of which 0 is none.
func stricter(a, b int) int {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

func (o *definitionOptions) warn(tool, format string, args ...any) {
	for _, warn := range o.warnings {
		warn(Warning{Tool: tool, Reason: fmt.Sprintf(format, args...)})
	}
}

// Definitions returns the definitions of the tools for llms.WithTools, in
// their order. They belong to the caller.
//
// A Definer defines itself, for the profile the options give. Any other tool
// is shown as LangChainGo's OpenAIFunctionsAgent shows it: with its name, its
// description and one string argument, __arg1, which Execute takes off again.
// Nil tools and those that are switched off (see [Toolset.SwitchOff]) are
// skipped. Of tools with the same name only the last is defined,
// as the Executor and Execute use only that one: a provider refuses a request
// that names a tool twice.
//
// By default the profile is ProfilePortable. WithModel recognises it.
func Definitions(ts []tools.Tool, opts ...DefinitionOption) []llms.Tool {
	o := newDefinitionOptions(opts)
	o.check(ts)
	return defineAll(on(lastOfEach(ts)), o.profile)
}

func defineAll(ts []tools.Tool, p Profile) []llms.Tool {
	var defined []llms.Tool
	for _, t := range ts {
		function := definitionOf(t, p)
		defined = append(defined, llms.Tool{Type: "function", Function: &function})
	}
	return defined
}

func definitionOf(t tools.Tool, p Profile) llms.FunctionDefinition {
	definer, ok := t.(Definer)
	if !ok {
		return llms.FunctionDefinition{
			Name:        t.Name(),
			Description: t.Description(),
			Parameters:  bridgeParameters(),
		}
	}
	function := definer.Definition(p)
	function.Name = t.Name() // the one a call is found by
	if function.Parameters == nil {
		function.Parameters = noParameters()
	}
	return function
}

// bridgeParameters is the schema the OpenAIFunctionsAgent gives every tool.
// It holds only map[string]any and []any, as Google's packages demand.
func bridgeParameters() map[string]any {
	return map[string]any{
		"type":       "object",
		"properties": map[string]any{chat.Bridge: map[string]any{"title": chat.Bridge, "type": "string"}},
		"required":   []any{chat.Bridge},
	}
}

func noParameters() map[string]any {
	return map[string]any{"type": "object", "properties": map[string]any{}}
}

// check warns of what is wrong with the tools as a set.
func (o *definitionOptions) check(ts []tools.Tool) {
	kept := lastOfEach(ts)
	if len(kept) > 0 && o.provider.IgnoresTools {
		o.warn("", "LangChainGo's llms/%s does not send tools: use an agent that works with text, or the provider's OpenAI-compatible API through llms/openai", o.provider.Name)
	}
	if o.tooMany(len(kept)) {
		o.warnTooMany(len(kept))
	}
	o.checkNames(ts)
}

func (o *definitionOptions) tooMany(n int) bool { return o.maxTools > 0 && n > o.maxTools }

func (o *definitionOptions) warnTooMany(n int) {
	o.warn("", "%d tools, and the provider takes at most %d in one request", n, o.maxTools)
}

// acceptedName is what every provider takes as the name of a tool.
var acceptedName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// letterFirst is what Gemini asks of a name besides.
var letterFirst = regexp.MustCompile(`^[a-zA-Z_]`)

func (o *definitionOptions) checkNames(ts []tools.Tool) {
	seen := map[string]string{}
	for _, t := range ts {
		if isNilTool(t) {
			continue
		}
		name := t.Name()
		switch {
		case !acceptedName.MatchString(name):
			o.warn(name, "providers refuse the name, and the whole request with it")
		case !letterFirst.MatchString(name):
			o.warn(name, "Gemini refuses a name that begins so, and the whole request with it")
		}
		// The Executor's own key.
		key := strings.ToUpper(name)
		switch other, ok := seen[key]; {
		case ok && other == name:
			o.warn(name, "several tools have this name, and only the last of them is used")
		case ok:
			o.warn(name, "the name differs from %q only in case, and a LangChainGo Executor calls the last tool for both", other)
		}
		seen[key] = name
	}
}

// lastOfEach leaves out nil tools and all but the last of those with one name.
func lastOfEach(ts []tools.Tool) []tools.Tool {
	last := make(map[string]int, len(ts))
	for i, t := range ts {
		if !isNilTool(t) {
			last[t.Name()] = i
		}
	}
	kept := make([]tools.Tool, 0, len(last))
	for i, t := range ts {
		if !isNilTool(t) && last[t.Name()] == i {
			kept = append(kept, t)
		}
	}
	return kept
}

// isNilTool tells whether there is no tool, or a nil pointer as one.
func isNilTool(t tools.Tool) bool {
	if t == nil {
		return true
	}
	v := reflect.ValueOf(t)
	return v.Kind() == reflect.Pointer && v.IsNil()
}
