// Command client is the client that the protocol's conformance suite tests: a
// host made of this library's public packages alone. It connects to the
// endpoint it is given, and does what an agent does there: it lists the tools
// and calls each of them with the text that a model would have written.
//
//	client URL
//
// What the suite says comes in the environment: MCP_CONFORMANCE_SCENARIO,
// MCP_CONFORMANCE_PROTOCOL_VERSION and MCP_CONFORMANCE_CONTEXT (JSON). The exit
// status is 1 when the server cannot be used; a call that fails is an
// observation, with which an agent goes on.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"
)

// limit ends a client that hangs, with an error rather than the suite's kill.
const limit = 50 * time.Second

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "client:", err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) != 2 {
		return errors.New("usage: client URL")
	}
	s, err := scenarioFromEnvironment()
	if err != nil {
		return err
	}
	s.url = os.Args[1]
	ctx, done := context.WithTimeout(context.Background(), limit)
	defer done()
	return s.play(ctx)
}

// scenario is what the suite asks for.
type scenario struct {
	url     string
	name    string
	version string // the protocol version of its server
	given   given
}

// given is what a scenario hands to its client.
type given struct {
	ToolCalls []struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"toolCalls"`

	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
	Issuer       string `json:"issuer"` // who knows the client
	PrivateKey   string `json:"private_key_pem"`
	Algorithm    string `json:"signing_algorithm"`
}

func scenarioFromEnvironment() (scenario, error) {
	s := scenario{name: os.Getenv("MCP_CONFORMANCE_SCENARIO"), version: os.Getenv("MCP_CONFORMANCE_PROTOCOL_VERSION")}
	if text := os.Getenv("MCP_CONFORMANCE_CONTEXT"); text != "" {
		if err := json.Unmarshal([]byte(text), &s.given); err != nil {
			return s, fmt.Errorf("MCP_CONFORMANCE_CONTEXT: %w", err)
		}
	}
	return s, nil
}
