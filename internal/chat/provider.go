package chat

import (
	"reflect"
	"strings"

	"github.com/tmc/langchaingo/llms"
)

// A Provider is what has to be known of one of LangChainGo's model packages.
// The zero Provider is one that is not known.
type Provider struct {
	// Name is the package's name, "" where it is not known.
	Name string
	// Profile names the schema profile for it, "" where none is its own.
	Profile string
	// Form is that of the history.
	Form Form
	// IgnoresTools says that the package drops tools without a word.
	IgnoresTools bool
	// LosesStreamedCalls says that an answer read as a stream comes without
	// its tool calls.
	LosesStreamedCalls bool
	// Choices says what several choices of one response are.
	Choices Choices
}

// Choices is what several choices of one response are.
type Choices int

const (
	// ChoicesAsAsked are candidates where several were asked for, else parts.
	ChoicesAsAsked Choices = iota
	// ChoicesAreParts of one answer, whatever was asked for.
	ChoicesAreParts
	// ChoicesAreCandidates, whatever was asked for.
	ChoicesAreCandidates
)

// Alternatives tells whether the choices of a response to such a request are
// candidates to choose from.
func (p Provider) Alternatives(o llms.CallOptions) bool {
	switch p.Choices {
	case ChoicesAreParts:
		return false
	case ChoicesAreCandidates:
		return true
	default:
		return o.N > 1 || o.CandidateCount > 1
	}
}

const providerPath = "github.com/tmc/langchaingo/llms/"

// providers are LangChainGo's model packages by their path below llms.
var providers = map[string]Provider{
	"openai":    {Profile: "openai"},
	"anthropic": {Profile: "anthropic", Choices: ChoicesAreParts},
	// Only its Claude models take tools.
	"bedrock":         {Profile: "anthropic", LosesStreamedCalls: true},
	"googleai":        {Profile: "gemini", Form: Form{TextWithCall: true}, Choices: ChoicesAreCandidates},
	"googleai/vertex": {Profile: "vertex", Form: Form{TextWithCall: true}, Choices: ChoicesAreCandidates},
	"mistral":         {},
	"googleai/palm":   {IgnoresTools: true},
	"ollama":          {IgnoresTools: true},
	"cohere":          {IgnoresTools: true},
	"huggingface":     {IgnoresTools: true},
	"ernie":           {IgnoresTools: true},
	"cloudflare":      {IgnoresTools: true},
	"maritaca":        {IgnoresTools: true},
	"llamafile":       {IgnoresTools: true},
	"local":           {IgnoresTools: true},
	"watsonx":         {IgnoresTools: true},
}

// ProviderOf recognises the provider behind a model by the package of its
// type. It looks through wrappers: through an Unwrap() llms.Model method, and
// through the fields of a struct of another package, exported or not, which
// finds the model inside llms/cache.Cacher and in structs that embed one. A
// wrapper around several providers, and any other type, is not known.
//
// It reads the fields once, without their locks: to be called before the
// model is shared.
func ProviderOf(model llms.Model) Provider {
	if model == nil {
		return Provider{}
	}
	return seek(reflect.ValueOf(model), maxWrappers)
}

// maxWrappers bounds the search: a model may hold itself.
const maxWrappers = 8

var modelType = reflect.TypeFor[llms.Model]()

func seek(v reflect.Value, depth int) Provider {
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return Provider{}
		}
		if inner, ok := unwrap(v); ok && depth > 0 {
			return seek(reflect.ValueOf(inner), depth-1)
		}
		v = v.Elem()
	}
	if !v.IsValid() {
		return Provider{}
	}
	if p, ok := providerAt(v.Type().PkgPath()); ok {
		return p
	}
	if depth == 0 {
		return Provider{}
	}
	if inner, ok := unwrap(v); ok {
		return seek(reflect.ValueOf(inner), depth-1)
	}
	if v.Kind() != reflect.Struct {
		return Provider{}
	}
	return seekFields(v, depth-1)
}

func unwrap(v reflect.Value) (llms.Model, bool) {
	if !v.CanInterface() {
		return nil, false
	}
	w, ok := v.Interface().(interface{ Unwrap() llms.Model })
	if !ok {
		return nil, false
	}
	return w.Unwrap(), true
}

func providerAt(path string) (Provider, bool) {
	name, ok := strings.CutPrefix(path, providerPath)
	if !ok {
		return Provider{}, false
	}
	p, ok := providers[name]
	p.Name = name
	return p, ok
}

func seekFields(v reflect.Value, depth int) Provider {
	var found Provider
	for i := range v.NumField() {
		field := v.Field(i)
		if !holdsModel(field) {
			continue
		}
		p := seek(field, depth)
		if p.Name != "" && found.Name != "" && p.Name != found.Name {
			return Provider{}
		}
		if p.Name != "" {
			found = p
		}
	}
	return found
}

// holdsModel tells whether what the field holds is a model, looking at types
// only: the value of an unexported field cannot be taken out.
func holdsModel(field reflect.Value) bool {
	if field.Kind() == reflect.Interface {
		return !field.IsNil() && field.Elem().Type().Implements(modelType)
	}
	t := field.Type()
	return t.Implements(modelType) || reflect.PointerTo(t).Implements(modelType)
}
