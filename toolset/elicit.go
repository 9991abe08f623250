package toolset

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/args"
)

// ElicitationMode is how a server asks a user for something (MCP,
// client/elicitation).
type ElicitationMode string

const (
	// ElicitationForm asks for values that a schema describes. They pass
	// through this client, so a server must not ask for secrets in this way.
	ElicitationForm ElicitationMode = "form"
	// ElicitationURL asks the user to open a page of the server's, for what this
	// client is not to see.
	ElicitationURL ElicitationMode = "url"
)

// Elicitation is a server's question to the user. All of it is text of a
// stranger.
type Elicitation struct {
	// Server is the name the configuration gives the server: show it, so that
	// the user knows who asks.
	Server string
	// Mode says which of the other fields count.
	Mode ElicitationMode
	// Message is what the server says to the user.
	Message string
	// Schema is the JSON Schema of the values, as sent: a flat object. It is
	// shared and not to be written to. Only in form mode.
	Schema json.RawMessage
	// URL is the page to open; it is an absolute http or https URL, but nothing
	// else about it is checked. Show it, ask, and never open it unasked. ID is
	// the server's name for this question. Only in URL mode.
	URL, ID string
	// Required is set where the server has refused a request until the user is
	// done with the page (JSON-RPC error -32042). Once all such questions are
	// accepted the request is sent again, and only once: accept when the user is
	// done. Elsewhere to accept is to say that the page is being opened.
	Required bool
	// Done is closed when the server tells that the user is done with the page
	// (notifications/elicitation/complete). Many servers never do, so wait for
	// the user too. It may be waited for after the handler has returned; the
	// last 1,000 questions are remembered. Nil in form mode and without an ID.
	Done <-chan struct{}
}

// ElicitationAction is what the user did.
type ElicitationAction string

const (
	// ElicitationAccept gives the values, or agrees to open the page.
	ElicitationAccept ElicitationAction = "accept"
	// ElicitationDecline refuses.
	ElicitationDecline ElicitationAction = "decline"
	// ElicitationCancel leaves the question open, such as by closing the form.
	ElicitationCancel ElicitationAction = "cancel"
)

// ElicitationAnswer is the user's answer. The zero value cancels.
type ElicitationAnswer struct {
	// Action is what the user did; empty means ElicitationCancel.
	Action ElicitationAction
	// Values are those of the form, by their names. They count only where the
	// form was accepted, and have to fit its schema.
	Values map[string]any
}

// ElicitationHandler asks the user what a server wants to know. ctx is that of
// the call that the question belongs to, where that is known, and ends with
// it; [CallFromContext] tells which tool it is. Elsewhere it ends with the
// session. The call limit holds for it too.
//
// An error answers nothing: the server is told that there is no answer, and a
// call since protocol version 2026-07-28 fails with it. A panic is such an
// error. The handler never runs on the connection's read loop, may use the
// toolset, and may be called concurrently.
type ElicitationHandler func(ctx context.Context, e Elicitation) (ElicitationAnswer, error)

// WithElicitation lets servers ask the user. Modes are the ways in which they
// may; without any, by forms alone. The server is told of it when it is
// connected to. By default, and for a nil handler, no server is told that it
// may ask, and a question is refused. Over SSE servers cannot ask, which the
// Report says.
//
// In URL mode the handler is asked as well where a server refuses a call, or a
// request for something to list or read, until the user has opened a page ([Elicitation].Required); without it that is a
// [*URLRequiredError].
//
// A server that asks although it was not told that it may breaks the protocol.
// Over streamable HTTP before 2026-07-28 its question may then never arrive:
// some servers ask on the stream of a GET, which is only open where a handler
// is set or the toolset listens. Such a call waits until its limit.
func WithElicitation(handler ElicitationHandler, modes ...ElicitationMode) Option {
	modes = slices.Clone(modes)
	if len(modes) == 0 {
		modes = []ElicitationMode{ElicitationForm}
	}
	return func(o *options) {
		for _, mode := range modes {
			if mode != ElicitationForm && mode != ElicitationURL {
				o.fault("WithElicitation: there is no mode %q", mode)
			}
		}
		o.elicit, o.modes = handler, modes
	}
}

// elicitationModes are those the owner's handler knows.
type elicitationModes []ElicitationMode

func (m elicitationModes) capability() *mcp.ElicitationCapability {
	var c mcp.ElicitationCapability
	if slices.Contains(m, ElicitationForm) {
		c.Form = &struct{}{}
	}
	if slices.Contains(m, ElicitationURL) {
		c.URL = &struct{}{}
	}
	return &c
}

// Defaults are the values that the schema gives as defaults, by their names;
// numbers are json.Number, with every digit. A form shows them filled in.
func (e Elicitation) Defaults() map[string]any {
	filled, err := args.New(e.Schema, args.WithDefaults(true), args.WithoutCheck()).Parse("{}")
	if err != nil {
		return map[string]any{}
	}
	values := map[string]any{}
	d := json.NewDecoder(bytes.NewReader(filled))
	d.UseNumber()
	_ = d.Decode(&values) // Parse gives an object
	return values
}

// Accept is the answer with values, and with the schema's defaults for what
// values does not have. A nil map takes the defaults alone. It is not for
// values that the user cleared: put those into an ElicitationAnswer as they are.
func (e Elicitation) Accept(values map[string]any) ElicitationAnswer {
	if e.Mode == ElicitationURL {
		return ElicitationAnswer{Action: ElicitationAccept}
	}
	all := e.Defaults()
	maps.Copy(all, values)
	return ElicitationAnswer{Action: ElicitationAccept, Values: all}
}

// Check tells in words what about values does not fit the schema, or nil. A
// handler may use it to ask again; what it accepts in the end is checked in
// any case. The error shows values: it is for the user.
func (e Elicitation) Check(values map[string]any) error {
	raw, err := json.Marshal(values)
	if err != nil {
		return err
	}
	return e.check(raw, args.Fault.String)
}

// check tells what does not fit, each fault as say puts it.
func (e Elicitation) check(raw json.RawMessage, say func(args.Fault) string) error {
	faults := args.NewOutput(e.Schema).Faults(raw)
	if len(faults) == 0 {
		return nil
	}
	said := make([]string, len(faults))
	for i, fault := range faults {
		said[i] = say(fault)
	}
	return fmt.Errorf("the values do not fit what is asked for: %s", strings.Join(said, "; "))
}

// place names a fault without its value: what a user typed is not for the
// model that is told of the failed call.
func place(f args.Fault) string {
	if f.Path == "" {
		return "the whole"
	}
	return f.Path
}

// elicited is an answer as it goes over the wire.
type elicited struct {
	Action  ElicitationAction `json:"action"`
	Content json.RawMessage   `json:"content,omitempty"`
}

// answerElicitation asks the owner's handler and checks its answer.
func (ts *Toolset) answerElicitation(ctx context.Context, params json.RawMessage) (any, error) {
	e, err := ts.elicitationOf(params, ts.o.modes)
	if err != nil {
		return nil, unreadable(err)
	}
	answer, err := consult(ctx, ts, "elicitation", ts.o.elicit, e)
	if err != nil {
		return nil, err
	}
	action, err := answer.action()
	switch {
	case err != nil:
		return nil, err
	case action != ElicitationAccept:
		return elicited{Action: action}, nil
	}
	return e.accepted(answer.Values)
}

// action is what the user did, in words that servers know.
func (a ElicitationAnswer) action() (ElicitationAction, error) {
	switch a.Action {
	case "":
		return ElicitationCancel, nil
	case ElicitationAccept, ElicitationDecline, ElicitationCancel:
		return a.Action, nil
	}
	return "", fmt.Errorf("elicitation handler: there is no action %q", a.Action)
}

// accepted is the answer to a question that was accepted.
func (e Elicitation) accepted(values map[string]any) (any, error) {
	if e.Mode == ElicitationURL {
		return elicited{Action: ElicitationAccept}, nil
	}
	if values == nil {
		values = map[string]any{}
	}
	raw, err := json.Marshal(values)
	if err != nil {
		return nil, fmt.Errorf("elicitation handler: %w", err)
	}
	if err := e.check(raw, place); err != nil {
		return nil, fmt.Errorf("elicitation handler: %w", err)
	}
	return elicited{Action: ElicitationAccept, Content: raw}, nil
}

// elicitationOf reads a question of one of the modes.
func (ts *Toolset) elicitationOf(params json.RawMessage, modes elicitationModes) (Elicitation, error) {
	var p struct {
		Mode    ElicitationMode `json:"mode"`
		Message string          `json:"message"`
		Schema  json.RawMessage `json:"requestedSchema"`
		URL     string          `json:"url"`
		ID      string          `json:"elicitationId"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return Elicitation{}, errors.New("its params cannot be read")
	}
	if p.Mode == "" {
		p.Mode = ElicitationForm
	}
	if !slices.Contains(modes, p.Mode) {
		return Elicitation{}, fmt.Errorf("its mode %q was not declared", p.Mode)
	}
	e := Elicitation{Server: ts.cfg.Name, Mode: p.Mode, Message: p.Message}
	if p.Mode == ElicitationURL {
		e.URL, e.ID, e.Done = p.URL, p.ID, ts.visits.of(p.ID)
		return e, webAddress(p.URL)
	}
	if len(p.Schema) == 0 || p.Schema[0] != '{' {
		return e, errors.New("it has no schema of what is asked for")
	}
	e.Schema = p.Schema
	return e, nil
}

// webAddress refuses what is no page of the web, such as a file or a script.
func webAddress(text string) error {
	at, err := url.Parse(text)
	if err != nil || at.Host == "" || at.Scheme != "https" && at.Scheme != "http" {
		return errors.New("its URL is not one of http or https")
	}
	return nil
}
