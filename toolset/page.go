package toolset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/session"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// URLRequiredError is the cause when a server refuses a request until the user
// has opened pages (MCP 2025-11-25, client/elicitation, "URL Elicitation
// Required Error"). It may be a call, whose tool did not run, or one for a
// list, a resource, a prompt or a completion.
type URLRequiredError struct {
	// Pages are the questions, all in URL mode; never empty.
	Pages []Elicitation
	// Action is what the user did. It is empty where there is no handler for
	// pages, or it failed, and ElicitationAccept where the server refused the
	// request again.
	Action ElicitationAction
	// Err is the server's JSON-RPC error, and that of the handler where it
	// failed.
	Err error

	read bool // it was no call
}

// Error tells what the user has done, or has to do.
func (e *URLRequiredError) Error() string {
	switch e.Action {
	case ElicitationDecline, ElicitationCancel:
		return "the server wants the user to open a page first, and the user did not agree to that; " + e.undone()
	case ElicitationAccept:
		return "the server still refuses to " + e.wanted() + " until the user has opened a page: " + e.shown()
	}
	text := "the server refuses to " + e.wanted() + " until the user has opened a page: " + e.shown()
	var unasked *wire.InputError
	if errors.As(e.Err, &unasked) {
		text += "; " + unasked.Err.Error()
	}
	return text
}

// wanted is what the server was to do, undone what comes of it that it did not.
func (e *URLRequiredError) wanted() string {
	if e.read {
		return "answer"
	}
	return "run the tool"
}

func (e *URLRequiredError) undone() string {
	if e.read {
		return "the server gave no answer"
	}
	return "the tool did not run"
}

// Unwrap returns the cause.
func (e *URLRequiredError) Unwrap() error { return e.Err }

// maxPageMessage bounds a server's words on a page in an error, in characters.
const maxPageMessage = 2_000

// shown are the pages as the user is to see them.
func (e *URLRequiredError) shown() string {
	said := make([]string, len(e.Pages))
	for i, page := range e.Pages {
		said[i] = page.URL
		if page.Message != "" {
			said[i] = fmt.Sprintf("%q %s", bounded(page.Message, maxPageMessage), page.URL)
		}
	}
	return strings.Join(said, ", ")
}

// forTheUser is what a model may make of it.
func (e *URLRequiredError) forTheUser() string {
	if e.Action == ElicitationDecline || e.Action == ElicitationCancel {
		return ""
	}
	return ". Show this to the user word by word, for only the user can open the page; when the user is done, call the tool again."
}

// place sends a call. The user may take as long over pages as asking lasts,
// which ends with the call.
func (ts *Toolset) place(ctx, asking context.Context, op *session.Operation, call session.Call) (json.RawMessage, error) {
	return ts.admitted(asking, op, false, func() (json.RawMessage, error) { return op.Call(ctx, call) })
}

// read sends a request without effects.
func (ts *Toolset) read(ctx context.Context, op *session.Operation, method mcp.MCPMethod, params json.RawMessage) (json.RawMessage, error) {
	return ts.admitted(ctx, op, true, func() (json.RawMessage, error) { return op.Read(ctx, string(method), params) })
}

// admitted sends a request. One that is refused until the user has opened pages
// is sent again, once, if the owner's handler says that it was done: nothing
// came of it. read tells that it is no call.
func (ts *Toolset) admitted(asking context.Context, op *session.Operation, read bool, send func() (json.RawMessage, error)) (json.RawMessage, error) {
	raw, err := send()
	required := ts.required(err, read)
	if required == nil {
		return raw, err
	}
	if !slices.Contains(ts.o.modes, ElicitationURL) || ts.o.elicit == nil {
		return nil, required
	}
	if err := ts.visit(op.Context(asking), required); err != nil {
		return nil, err
	}
	raw, err = send()
	if again := ts.required(err, read); again != nil {
		again.Action = ElicitationAccept
		return nil, again
	}
	return raw, err
}

// visit puts pages to the owner's handler, one after the other, until one is
// not accepted. An error is why the request is not to be sent again.
func (ts *Toolset) visit(ctx context.Context, required *URLRequiredError) error {
	for _, page := range required.Pages {
		answer, err := consult(ctx, ts, "elicitation", ts.o.elicit, page)
		if err == nil {
			required.Action, err = answer.action()
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			required.Action = ""
			required.Err = fmt.Errorf("%w; %w", required.Err, &wire.InputError{Method: string(mcp.MethodElicitationCreate), Err: err})
			return required
		case required.Action != ElicitationAccept:
			return required
		}
	}
	return nil
}

// maxRequired bounds the pages that one error may ask for.
const maxRequired = 32

// required reads an error that asks for pages; nil where it is none, or asks
// for something else than a user can open.
func (ts *Toolset) required(err error, read bool) *URLRequiredError {
	var answer *wire.RPCError
	if !errors.As(err, &answer) || answer.Code != mcp.URL_ELICITATION_REQUIRED {
		return nil
	}
	var data struct {
		Elicitations []json.RawMessage `json:"elicitations"`
	}
	if json.Unmarshal(answer.Data, &data) != nil || len(data.Elicitations) == 0 || len(data.Elicitations) > maxRequired {
		return nil
	}
	required := &URLRequiredError{Err: err, read: read}
	for _, raw := range data.Elicitations {
		page, err := ts.elicitationOf(raw, elicitationModes{ElicitationURL})
		if err != nil {
			return nil
		}
		page.Required = true
		required.Pages = append(required.Pages, page)
	}
	return required
}

// visits are the pages that users were sent to. The zero value is empty.
type visits struct {
	mu    sync.Mutex
	byID  map[string]*visit
	order []string // oldest first
}

type visit struct {
	done chan struct{}
	once sync.Once
}

const (
	// maxVisits bounds the pages whose end is remembered, maxPageID the length
	// of their ids in bytes.
	maxVisits = 1_000
	maxPageID = 1_000
)

// of is closed when the user is done with a page.
func (v *visits) of(id string) <-chan struct{} {
	if found := v.find(id); found != nil {
		return found.done
	}
	return nil
}

// complete notes that the user is done. The notice may come before its
// question was read.
func (v *visits) complete(id string) {
	if found := v.find(id); found != nil {
		found.once.Do(func() { close(found.done) })
	}
}

func (v *visits) find(id string) *visit {
	if id == "" || len(id) > maxPageID {
		return nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if found, ok := v.byID[id]; ok {
		return found
	}
	if v.byID == nil {
		v.byID = map[string]*visit{}
	}
	if len(v.order) == maxVisits {
		delete(v.byID, v.order[0])
		v.order = v.order[1:]
	}
	made := &visit{done: make(chan struct{})}
	v.byID[id] = made
	v.order = append(v.order, id)
	return made
}
