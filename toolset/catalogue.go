package toolset

import (
	"bytes"
	"context"
	"encoding/json"
	"time"
)

// Catalogue is the server's list as JSON, for a user interface, a log or
// another program: what is offered to the caller of ctx now, and what is not.
// It connects and lists where needed. The error is an [*Error].
//
// The form is stable: members may be added, none is changed or taken away. It
// is an object with two members. "server" is the name the configuration gives
// the server. "tools" is a list with an object for each item of the server's
// list, in its order, and for the toolset's own tools after them:
//
//   - "name": the name a model calls the tool by; missing where it is left out.
//   - "serverName": the server's own name; the empty text where it gave none.
//   - "title", "description": as the server sent them; missing where it sent none.
//   - "parameters", "annotations", "outputSchema": byte for byte as the server
//     sent them, but that bytes which are no UTF-8, and so no JSON, are U+FFFD;
//     missing where it sent none.
//   - "own": true for the toolset's own tools, else missing.
//   - "status": a [ToolState] as text.
//   - "reason": why the tool is left out or how the filter failed, else missing.
//
// The members come in this order, and the same list, switches and filter give
// the same bytes.
func (ts *Toolset) Catalogue(ctx context.Context) (json.RawMessage, error) {
	began := time.Now()
	entries, err := ts.entries(ctx)
	if err != nil {
		return nil, ts.fault(StageList, "", began, err)
	}
	w := &objectWriter{}
	w.b.WriteByte('{')
	w.text("server", ts.cfg.Name)
	w.key("tools")
	w.b.WriteByte('[')
	for i, e := range entries {
		if i > 0 {
			w.b.WriteByte(',')
		}
		w.entry(e)
	}
	w.b.WriteString("]}")
	return w.b.Bytes(), nil
}

// objectWriter writes JSON objects in which raw values keep their bytes:
// encoding/json would rewrite them.
type objectWriter struct{ b bytes.Buffer }

func (w *objectWriter) entry(e entry) {
	w.b.WriteByte('{')
	if e.tool != nil {
		w.text("name", e.tool.name)
	}
	w.text("serverName", e.from.Name)
	title := e.from.Title
	if title == "" {
		title = e.from.Annotations.Title
	}
	w.textIfAny("title", title)
	w.textIfAny("description", e.from.Description)
	w.raw("parameters", e.from.InputSchema)
	w.raw("annotations", e.from.AnnotationsRaw)
	w.raw("outputSchema", e.from.OutputSchema)
	if e.tool != nil && e.tool.own {
		w.raw("own", json.RawMessage("true"))
	}
	w.text("status", string(e.state))
	w.textIfAny("reason", e.reason)
	w.b.WriteByte('}')
}

func (w *objectWriter) key(name string) {
	if last := w.b.Bytes()[w.b.Len()-1]; last != '{' {
		w.b.WriteByte(',')
	}
	w.b.WriteString(`"` + name + `":`)
}

func (w *objectWriter) text(name, value string) {
	w.key(name)
	encoder := json.NewEncoder(&w.b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value)   // a text can always be encoded
	w.b.Truncate(w.b.Len() - 1) // the encoder's line feed
}

func (w *objectWriter) textIfAny(name, value string) {
	if value != "" {
		w.text(name, value)
	}
}

func (w *objectWriter) raw(name string, value json.RawMessage) {
	if value != nil {
		w.key(name)
		w.b.Write(bytes.ToValidUTF8(value, []byte("\ufffd")))
	}
}
