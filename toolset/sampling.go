package toolset

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/tmc/langchaingo/llms"

	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// Sampling is a server's request for a completion by the client's model (MCP,
// client/sampling). All of it is text of a stranger, who may mean to steer the
// model or the user's bill.
type Sampling struct {
	// Server is the name the configuration gives the server.
	Server string
	// System is the system prompt the server wants; often empty.
	System string
	// Messages are the conversation, of human and ai messages with texts,
	// images and sounds; never empty.
	Messages []llms.MessageContent
	// MaxTokens is how long the answer may become; positive.
	MaxTokens int
	// Temperature is what the server wants; nil where it does not say.
	Temperature *float64
	// StopSequences end the answer.
	StopSequences []string
	// Hints are names of models, or parts of them, that the server would like,
	// best first. The client is free to take another.
	Hints []string
	// Raw are the request's params, as sent. They are shared and not to be
	// written to.
	Raw json.RawMessage
}

// SamplingAnswer is the model's answer.
type SamplingAnswer struct {
	// Text is what the model said.
	Text string
	// Model is its name; empty is told as "unknown".
	Model string
	// StopReason is why it stopped, in MCP's words: endTurn, stopSequence,
	// maxTokens; empty where that is not known.
	StopReason string
}

// ErrSamplingRejected makes a handler's refusal known to the server as the
// user's: wrap it, or return it. The server is not told more.
var ErrSamplingRejected = errors.New("the request for a completion was rejected")

// SamplingHandler gives a server a completion. ctx, errors and panics are as
// those of an [ElicitationHandler]; an error that is [ErrSamplingRejected] is
// told as the user's refusal. [Sampler.Sample] is a ready one.
type SamplingHandler func(ctx context.Context, s Sampling) (SamplingAnswer, error)

// WithSampling lets servers ask for completions of a model. The server is told
// of it when it is connected to. That the completion may call tools
// (sampling.tools of 2025-11-25) is not declared, because a server would then
// run an agent of its own on the client's model; a request with tools, a tool
// choice or tool contents is refused with a text that says so. By default, and for a nil handler, no server is told that it
// may ask, and a request is refused. Over SSE it has no effect, which the Report
// says.
func WithSampling(handler SamplingHandler) Option {
	return func(o *options) { o.sample = handler }
}

// samplingRejected is the code of a refusal by the user (MCP, client/sampling,
// "Error handling").
const samplingRejected = -1

// answerSampling asks the owner's handler.
func (ts *Toolset) answerSampling(ctx context.Context, params json.RawMessage) (any, error) {
	s, err := samplingOf(params)
	if errors.Is(err, errSamplingTools) {
		return nil, &wire.Refusal{Code: mcp.INVALID_PARAMS, Text: err.Error()}
	}
	if err != nil {
		return nil, unreadable(err)
	}
	s.Server = ts.cfg.Name
	answer, err := consult(ctx, ts, "sampling", ts.o.sample, s)
	if errors.Is(err, ErrSamplingRejected) {
		return nil, &wire.Refusal{Code: samplingRejected, Text: "User rejected sampling request", Err: err}
	}
	if err != nil {
		return nil, err
	}
	if answer.Model == "" {
		answer.Model = "unknown"
	}
	return sampled{
		Role: mcp.RoleAssistant, Content: sampledText{"text", answer.Text},
		Model: answer.Model, StopReason: answer.StopReason,
	}, nil
}

// sampled is an answer as it goes over the wire.
type sampled struct {
	Role       mcp.Role    `json:"role"`
	Content    sampledText `json:"content"`
	Model      string      `json:"model"`
	StopReason string      `json:"stopReason,omitempty"`
}

type sampledText struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// samplingParams are the params of a request, as far as they count.
type samplingParams struct {
	Messages []struct {
		Role    mcp.Role        `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	System      string   `json:"systemPrompt"`
	MaxTokens   int      `json:"maxTokens"`
	Temperature *float64 `json:"temperature"`
	Stop        []string `json:"stopSequences"`
	Preferences struct {
		Hints []struct {
			Name string `json:"name"`
		} `json:"hints"`
	} `json:"modelPreferences"`
	Tools      json.RawMessage `json:"tools"`
	ToolChoice json.RawMessage `json:"toolChoice"`
}

// samplingOf reads a request.
func samplingOf(params json.RawMessage) (Sampling, error) {
	var p samplingParams
	if err := json.Unmarshal(params, &p); err != nil {
		return Sampling{}, fmt.Errorf("its params cannot be read: %w", err)
	}
	switch {
	case given(p.Tools) || given(p.ToolChoice):
		return Sampling{}, errSamplingTools
	case len(p.Messages) == 0:
		return Sampling{}, errors.New("it has no messages")
	case p.MaxTokens <= 0:
		return Sampling{}, errors.New("its maxTokens is not positive")
	}
	s := Sampling{System: p.System, MaxTokens: p.MaxTokens, Temperature: p.Temperature, StopSequences: p.Stop, Raw: params}
	for _, hint := range p.Preferences.Hints {
		if hint.Name != "" {
			s.Hints = append(s.Hints, hint.Name)
		}
	}
	for i, m := range p.Messages {
		message, err := sampledMessage(m.Role, m.Content)
		if err != nil {
			return Sampling{}, fmt.Errorf("its message %d: %w", i+1, err)
		}
		s.Messages = append(s.Messages, message)
	}
	return s, nil
}

// errSamplingTools tells a server what this client does not do (MCP 2025-11-25,
// client/sampling, "Tools in Sampling").
var errSamplingTools = errors.New("this client does not declare sampling.tools: a request for a completion must be without tools, toolChoice, tool_use and tool_result")

// given reports whether a member is there.
func given(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// sampledMessage reads a message, whose content is one item or a list.
func sampledMessage(role mcp.Role, content json.RawMessage) (llms.MessageContent, error) {
	m := llms.MessageContent{Role: llms.ChatMessageTypeHuman}
	switch role {
	case mcp.RoleUser:
	case mcp.RoleAssistant:
		m.Role = llms.ChatMessageTypeAI
	default:
		return m, fmt.Errorf("there is no role %q", role)
	}
	items := []json.RawMessage{content}
	if len(content) > 0 && content[0] == '[' {
		if err := json.Unmarshal(content, &items); err != nil {
			return m, err
		}
	}
	for _, raw := range items {
		part, err := sampledPart(raw)
		if err != nil {
			return m, err
		}
		m.Parts = append(m.Parts, part)
	}
	if len(m.Parts) == 0 {
		return m, errors.New("it is empty")
	}
	return m, nil
}

func sampledPart(raw json.RawMessage) (llms.ContentPart, error) {
	var item struct {
		Type     string `json:"type"`
		Text     string `json:"text"`
		Data     string `json:"data"`
		MIMEType string `json:"mimeType"`
	}
	if err := json.Unmarshal(raw, &item); err != nil {
		return nil, errors.New("its content cannot be read")
	}
	switch item.Type {
	case "text":
		return llms.TextPart(item.Text), nil
	case "image", "audio":
		data, err := base64.StdEncoding.DecodeString(item.Data)
		if err != nil {
			return nil, fmt.Errorf("its %s is not base64", item.Type)
		}
		return llms.BinaryPart(item.MIMEType, data), nil
	case "tool_use", "tool_result":
		return nil, errSamplingTools
	}
	return nil, fmt.Errorf("content of type %q is not known", item.Type)
}
