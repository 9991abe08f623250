package toolset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/mcptoolset/mcptoolset/internal/decode"
	"github.com/mcptoolset/mcptoolset/internal/render"
	"github.com/mcptoolset/mcptoolset/internal/session"
)

// ReadMoreTool is the name of the tool that [WithReadMore] adds. A
// configuration's prefix comes before it.
const ReadMoreTool = "read_more_output"

// WithReadMore keeps observations of the server's tools that had to be cut, and
// adds a tool, [ReadMoreTool], that reads on in them. The marker of the cut
// names a handle and the offset to go on from; the tool takes both, shows as
// much as the output budget allows, and ends with such a marker again. By
// default what is cut is gone.
//
// A handle cannot be guessed, and is known to the identity alone that made the
// call (see [WithIdentity]; to a child process, which knows no headers, all
// callers are one unless WithIdentity tells them apart). At most 64 texts of 16
// MiB together are kept, each until 15 minutes after its last use; those least
// recently used go first, and all with Close. A text of more than 16 MiB is not
// kept, nor is one of a toolset whose output budget is less than 250
// characters.
//
// The tool is offered after the others, wherever one of the server's is. A tool
// of the server with its name is left out, which the Report says.
func WithReadMore() Option {
	return func(o *options) { o.readMore = true }
}

// ErrUnknownHandle is the cause when a model reads on with a handle that the
// caller does not have, or no longer.
var ErrUnknownHandle = errors.New("unknown handle")

// caller is who an operation is for, once that is known.
type caller struct {
	identity string
	known    bool
}

// recognise tells who an operation is for, where anything depends on it.
func (ts *Toolset) recognise(ctx context.Context, who *caller, op *session.Operation) {
	if ts.kept == nil {
		return
	}
	identity, err := ts.identityOf(ctx, op)
	*who = caller{identity, err == nil}
}

// follow takes over the identity that an operation has at its end: after a
// refusal its headers may have been asked for again.
func (c *caller) follow(op *session.Operation) {
	if c.known && op.Identity() != "" {
		c.identity = op.Identity()
	}
}

// identityOf is an operation's identity. A child process has none, but those
// who call it may.
func (ts *Toolset) identityOf(ctx context.Context, op *session.Operation) (string, error) {
	if op.Identity() != "" || ts.o.identity == nil {
		return op.Identity(), nil
	}
	return askOwner(ctx, ts, "identity function", func(ctx context.Context) (string, error) {
		return ts.o.identity(ctx, http.Header{}), nil
	})
}

// rendering says how observations for a caller are rendered.
func (ts *Toolset) rendering(who *caller) render.Options {
	o := render.Options{Budget: ts.cfg.MaxOutput}
	if ts.kept != nil && who.known {
		o.Keep = func(whole string) string {
			handle := ts.kept.put(who.identity, whole)
			if handle == "" {
				return ""
			}
			return ts.readOn(handle)
		}
	}
	return o
}

// readOn is what a marker says to read on with, beside the offset.
func (ts *Toolset) readOn(handle string) string {
	return ts.more.name + ", handle " + strconv.Quote(handle)
}

const moreSchema = `{"type":"object","properties":{` +
	`"handle":{"type":"string","description":"The handle that the end of the cut answer named."},` +
	`"offset":{"type":"integer","minimum":0,"description":"How many characters of the text to pass over, as the answer before said. By default 0."}},` +
	`"required":["handle"]}`

// moreTool is the tool that reads on.
func (ts *Toolset) moreTool() *Tool {
	name := assignNames(ts.cfg.Prefix, []string{ReadMoreTool})[ReadMoreTool]
	t := ts.newTool(name, decode.Tool{
		Name: ReadMoreTool,
		Description: "Reads on in an answer that was cut because it is long. A long answer comes in parts: " +
			"the end of each part says with which handle and offset to call this.",
		InputSchema: json.RawMessage(moreSchema),
	})
	t.own = true
	t.perform = ts.readMore
	return t
}

// readMore shows a part of what was cut. No server is asked, but the caller's
// headers are: they say whose the handle is.
func (ts *Toolset) readMore(ctx context.Context, _ *caller, arguments json.RawMessage) (string, error) {
	var asked struct {
		Handle string  `json:"handle"`
		Offset float64 `json:"offset"`
	}
	if err := json.Unmarshal(arguments, &asked); err != nil {
		return "", err // not reached: the arguments were checked
	}
	op, err := ts.pool.Begin(ctx)
	if err != nil {
		return "", err
	}
	identity, err := ts.identityOf(ctx, op)
	if err != nil {
		return "", &session.HeaderError{Who: "identity function", Err: err}
	}
	text, ok := ts.kept.get(identity, asked.Handle)
	if !ok {
		said := fmt.Sprintf("unknown handle %s. What was cut is kept for a while only: call the tool that gave the answer again.", quotedName(asked.Handle))
		return render.Error(said, ts.cfg.MaxOutput), ErrUnknownHandle
	}
	const beyond = 1 << 40 // more than any text has
	return render.Part(text, int(min(asked.Offset, beyond)), ts.cfg.MaxOutput, ts.readOn(asked.Handle)), nil
}
