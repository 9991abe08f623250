package toolset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/tmc/langchaingo/llms"
)

const (
	// DefaultSamplingCalls and DefaultSamplingTokens are the budget of a
	// [Sampler] that is given none.
	DefaultSamplingCalls  = 100
	DefaultSamplingTokens = 100_000
)

// ErrSamplingBudget is the cause when a server asked for more completions than
// the budget of a [Sampler] allows. It is an [ErrSamplingRejected].
var ErrSamplingBudget = fmt.Errorf("%w: the budget is used up", ErrSamplingRejected)

// Sampler answers requests for completions with a model, within a budget. It
// may serve several toolsets, whose servers then share the budget, and may be
// used concurrently.
type Sampler struct {
	model llms.Model
	o     samplerOptions

	mu     sync.Mutex
	calls  int
	tokens int
}

type samplerOptions struct {
	permit        func(context.Context, Sampling) error
	calls, tokens int
	name          string
}

// SamplerOption changes what [NewSampler] makes.
type SamplerOption func(*samplerOptions)

// WithSamplingPermission has permit asked before each completion, such as to
// show it to the user. An error rejects the request; the server is told no
// more than that. By default, and for nil, the budget is the only bound.
func WithSamplingPermission(permit func(ctx context.Context, s Sampling) error) SamplerOption {
	return func(o *samplerOptions) { o.permit = permit }
}

// WithSamplingBudget bounds the completions, and the tokens of their requests
// and answers together, over the Sampler's life. Tokens are those that the
// model reports, and a quarter of the characters where it does not. A number
// that is not positive keeps its default: [DefaultSamplingCalls],
// [DefaultSamplingTokens].
func WithSamplingBudget(calls, tokens int) SamplerOption {
	return func(o *samplerOptions) {
		if calls > 0 {
			o.calls = calls
		}
		if tokens > 0 {
			o.tokens = tokens
		}
	}
}

// WithSamplingModelName sets the name of the model that servers are told. By
// default they are told "unknown".
func WithSamplingModelName(name string) SamplerOption {
	return func(o *samplerOptions) { o.name = name }
}

// NewSampler makes a Sampler of a model, which must not be nil. Give its Sample
// to [WithSampling].
func NewSampler(model llms.Model, opts ...SamplerOption) *Sampler {
	o := samplerOptions{calls: DefaultSamplingCalls, tokens: DefaultSamplingTokens}
	for _, opt := range opts {
		if opt != nil {
			opt(&o)
		}
	}
	return &Sampler{model: model, o: o}
}

// Used tells how much of the budget is used.
func (s *Sampler) Used() (calls, tokens int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls, s.tokens
}

// Sample is a [SamplingHandler]. Permission is asked before the budget is
// touched. The answer is made no longer than what is left of the tokens.
func (s *Sampler) Sample(ctx context.Context, request Sampling) (SamplingAnswer, error) {
	if s.o.permit != nil {
		if err := s.o.permit(ctx, request); err != nil {
			return SamplingAnswer{}, fmt.Errorf("%w: %w", ErrSamplingRejected, err)
		}
	}
	asked := estimate(request)
	most, err := s.reserve(asked, request.MaxTokens)
	if err != nil {
		return SamplingAnswer{}, err
	}
	used := 0 // of a model that was not reached
	defer func() { s.settle(asked+most, used) }()
	response, err := s.model.GenerateContent(ctx, conversation(request), request.options(most)...)
	if err != nil {
		return SamplingAnswer{}, err
	}
	if response == nil || len(response.Choices) == 0 || response.Choices[0] == nil {
		return SamplingAnswer{}, errors.New("the model gave no answer")
	}
	choice := response.Choices[0]
	used = tokensOf(choice, asked)
	return SamplingAnswer{Text: choice.Content, Model: s.o.name, StopReason: stopReason(choice.StopReason)}, nil
}

// reserve takes a completion out of the budget, and tells how many tokens its
// answer may have.
func (s *Sampler) reserve(asked, wanted int) (most int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	most = min(wanted, s.o.tokens-s.tokens-asked)
	if s.calls >= s.o.calls || most <= 0 {
		return 0, ErrSamplingBudget
	}
	s.calls++
	s.tokens += asked + most
	return most, nil
}

// settle puts what was used in the place of what was reserved.
func (s *Sampler) settle(reserved, used int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tokens += used - reserved
}

// conversation is what the model is sent.
func conversation(s Sampling) []llms.MessageContent {
	if s.System == "" {
		return s.Messages
	}
	return append([]llms.MessageContent{llms.TextParts(llms.ChatMessageTypeSystem, s.System)}, s.Messages...)
}

func (s Sampling) options(most int) []llms.CallOption {
	options := []llms.CallOption{llms.WithMaxTokens(most)}
	if s.Temperature != nil {
		options = append(options, llms.WithTemperature(*s.Temperature))
	}
	if len(s.StopSequences) > 0 {
		options = append(options, llms.WithStopWords(s.StopSequences))
	}
	return options
}

// charactersPerToken is what a token has where nobody counts them.
const charactersPerToken = 4

func tokensIn(text string) int {
	return (utf8.RuneCountInString(text) + charactersPerToken - 1) / charactersPerToken
}

// estimate is how many tokens a request has.
func estimate(s Sampling) int {
	tokens := tokensIn(s.System)
	for _, m := range s.Messages {
		for _, part := range m.Parts {
			switch p := part.(type) {
			case llms.TextContent:
				tokens += tokensIn(p.Text)
			case llms.BinaryContent:
				tokens += imageTokens
			}
		}
	}
	return tokens
}

// imageTokens is what an image or a sound counts for where nobody counts.
const imageTokens = 1000

// tokensOf is how many tokens a completion took, as the model reports it.
// LangChainGo's providers use different names.
func tokensOf(choice *llms.ContentChoice, asked int) int {
	counts := map[string]int{}
	for name, value := range choice.GenerationInfo {
		counts[strings.ToLower(strings.ReplaceAll(name, "_", ""))] = countOf(value)
	}
	if total := counts["totaltokens"]; total > 0 {
		return total
	}
	in := max(counts["prompttokens"], counts["inputtokens"])
	out := max(counts["completiontokens"], counts["outputtokens"])
	if in == 0 {
		in = asked
	}
	if out == 0 {
		out = tokensIn(choice.Content)
	}
	return in + out
}

// countOf reads a number of whatever type.
func countOf(value any) int {
	raw, err := json.Marshal(value)
	if err != nil {
		return 0
	}
	n, err := strconv.Atoi(string(raw))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// stopReason is a provider's reason in MCP's words, where it is known.
func stopReason(reason string) string {
	switch strings.ToLower(reason) {
	case "stop", "end_turn", "endturn", "finishreasonstop", "complete":
		return "endTurn"
	case "length", "max_tokens", "maxtokens", "finishreasonmaxtokens":
		return "maxTokens"
	case "stop_sequence", "stopsequence":
		return "stopSequence"
	}
	return ""
}
