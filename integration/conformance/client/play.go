package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// lastWithHandshake is the newest protocol version that begins with one.
const lastWithHandshake = "2025-11-25"

// play runs the scenario: config, toolset, tools, calls.
func (s scenario) play(ctx context.Context) (err error) {
	auth, err := s.authorization()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, auth.Close()) }()
	cfg, err := s.config(auth.Client())
	if err != nil {
		return err
	}
	ts, err := toolset.New(cfg,
		toolset.WithElicitation(acceptDefaults),
		toolset.WithSampling(say),
		toolset.WithRoots(toolset.Root{URI: "file:///project", Name: "project"}))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ts.Close()) }()

	all, err := ts.Tools(ctx)
	if err != nil {
		return err
	}
	for _, tool := range all {
		for _, input := range s.inputs(tool, all) {
			observation, err := tool.Call(ctx, input)
			if err != nil {
				return err
			}
			fmt.Printf("%s %s\n%s\n\n", tool.Name(), input, observation)
		}
	}
	return nil
}

// acceptDefaults is a user who changes nothing in a form, and fills in what has
// to be.
func acceptDefaults(_ context.Context, e toolset.Elicitation) (toolset.ElicitationAnswer, error) {
	var values map[string]any
	if err := json.Unmarshal([]byte(arguments(e.Schema)), &values); err != nil {
		return toolset.ElicitationAnswer{}, err
	}
	return e.Accept(values), nil
}

// say is a model that says always the same.
func say(context.Context, toolset.Sampling) (toolset.SamplingAnswer, error) {
	return toolset.SamplingAnswer{Text: "Hello.", Model: "scripted", StopReason: "endTurn"}, nil
}

// config is the endpoint. A scenario of the versions with a handshake checks
// each message by the schema of its version, so there the version is pinned;
// otherwise it is negotiated.
func (s scenario) config(client *http.Client) (config.Config, error) {
	b := config.NewStreamableHTTP(s.url).HTTPClient(client).Resources(true)
	if s.version != "" && s.version <= lastWithHandshake {
		b = b.ProtocolVersion(s.version)
	}
	return b.Build()
}

// inputs are what a model would write to call the tool: the calls that the
// scenario asks for, or one.
func (s scenario) inputs(tool tools.Tool, all []tools.Tool) []string {
	var asked []string
	for _, call := range s.given.ToolCalls {
		if call.Name == tool.Name() {
			asked = append(asked, string(call.Arguments))
		}
	}
	if asked != nil {
		return asked
	}
	mcp, ok := tool.(*toolset.Tool)
	if !ok {
		return []string{"{}"}
	}
	if mcp.OriginalName() == echoesSchema {
		return []string{schemaOfAnother(mcp, all)}
	}
	return []string{arguments(mcp.InputSchema())}
}

// echoesSchema is a tool that is to be called with the schema of the other one,
// as the client got it.
const echoesSchema = "json_schema_echo"

func schemaOfAnother(echo *toolset.Tool, all []tools.Tool) string {
	for _, tool := range all {
		if other, ok := tool.(*toolset.Tool); ok && other != echo && other.ServerName() != "" {
			input, _ := json.Marshal(map[string]json.RawMessage{"schema": other.InputSchema()})
			return string(input)
		}
	}
	return "{}"
}
