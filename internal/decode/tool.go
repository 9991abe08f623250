package decode

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// Tool is one tool as a server lists it. Every json.RawMessage is a slice of
// the answer it was read from: exact, and not to be written to.
type Tool struct {
	// Raw is the tool object exactly as sent.
	Raw json.RawMessage
	// Name is the server's own name of the tool, decoded but otherwise as sent.
	Name string
	// Title and Description are "" where missing or of a wrong type.
	Title, Description string
	// InputSchema is the schema of the arguments; nil where absent or null, and
	// else an object whose root type, if it has one, permits an object.
	InputSchema json.RawMessage
	// OutputSchema is the schema of structured results; nil where absent or
	// null. It may be JSON of any kind.
	OutputSchema json.RawMessage
	// Annotations are the server's hints, AnnotationsRaw the bytes of them.
	Annotations    Annotations
	AnnotationsRaw json.RawMessage
	// Meta, Icons and Execution are the members _meta, icons and execution; nil
	// where absent or null. They may be JSON of any kind.
	Meta, Icons, Execution json.RawMessage
	// TaskSupport is execution.taskSupport: "forbidden", "optional", "required",
	// or "" where the server does not say or says anything else.
	TaskSupport string
}

// Annotations are a server's hints about a tool. A hint that is missing, null
// or no boolean is nil: it says nothing. Hints of a server that is not trusted
// say nothing either; that is for the caller to judge.
type Annotations struct {
	Title                                        string
	ReadOnly, Destructive, Idempotent, OpenWorld *bool
}

// Skipped is an item of a list that cannot be used.
type Skipped struct {
	Name   string // the item's name, "" where it has none
	Index  int    // the item's place in the list, from 0
	Reason string
}

// ToolOf reads one item of a list of tools. The error says why the tool cannot
// be used: it is not an object, has no name that could be sent back, or no
// input schema an argument object could ever satisfy. The Tool returned with an
// error holds what could be read, its name for instance. Whatever else is of a
// wrong type never makes a tool unusable.
func ToolOf(raw json.RawMessage) (Tool, error) {
	r := rawjson.NewReader(raw)
	if kind := r.Peek(); kind != rawjson.Object {
		v := r.Value()
		if err := r.End(); err != nil {
			return Tool{}, fmt.Errorf("the tool is not JSON: %w", err)
		}
		return Tool{Raw: v.Raw}, fmt.Errorf("the tool is %s, not an object", kind)
	}
	var t Tool
	var name rawjson.Value
	t.Raw = r.Object(func(key []byte) {
		if string(key) == "name" {
			name = r.Value()
			return
		}
		t.readMember(string(key), r)
	})
	if err := r.End(); err != nil {
		return Tool{}, fmt.Errorf("the tool is not JSON: %w", err)
	}
	t.Name = name.Text()
	if err := checkName(name); err != nil {
		return t, err
	}
	return t, checkInputSchema(t.InputSchema)
}

func (t *Tool) readMember(key string, r *rawjson.Reader) {
	switch key {
	case "title":
		t.Title = r.Value().Text()
	case "description":
		t.Description = r.Value().Text()
	case "inputSchema":
		t.InputSchema = present(r.Value())
	case "outputSchema":
		t.OutputSchema = present(r.Value())
	case "annotations":
		t.AnnotationsRaw, t.Annotations = readAnnotations(r)
	case "_meta":
		t.Meta = present(r.Value())
	case "icons":
		t.Icons = present(r.Value())
	case "execution":
		t.Execution, t.TaskSupport = readExecution(r)
	}
}

func readAnnotations(r *rawjson.Reader) (raw json.RawMessage, a Annotations) {
	if r.Peek() != rawjson.Object {
		return present(r.Value()), Annotations{}
	}
	raw = r.Object(func(key []byte) {
		switch string(key) {
		case "title":
			a.Title = r.Value().Text()
		case "readOnlyHint":
			a.ReadOnly = hint(r.Value())
		case "destructiveHint":
			a.Destructive = hint(r.Value())
		case "idempotentHint":
			a.Idempotent = hint(r.Value())
		case "openWorldHint":
			a.OpenWorld = hint(r.Value())
		}
	})
	return raw, a
}

func readExecution(r *rawjson.Reader) (raw json.RawMessage, taskSupport string) {
	if r.Peek() != rawjson.Object {
		return present(r.Value()), ""
	}
	raw = r.Object(func(key []byte) {
		if string(key) == "taskSupport" {
			taskSupport = r.Value().Text()
		}
	})
	switch taskSupport {
	case "forbidden", "optional", "required":
		return raw, taskSupport
	default:
		return raw, ""
	}
}

// checkName refuses a name that could not be told from others or sent back.
func checkName(name rawjson.Value) error {
	text := name.Text()
	switch {
	case name.Kind == rawjson.Invalid:
		return errors.New("the tool has no name")
	case name.Kind != rawjson.String:
		return fmt.Errorf("the tool's name is %s, not a string", name.Kind)
	case strings.TrimSpace(text) == "":
		return errors.New("the tool's name is empty")
	case strings.ContainsRune(text, utf8.RuneError):
		return errors.New("the tool's name holds bytes that are not valid Unicode")
	default:
		return nil
	}
}

// checkInputSchema refuses a schema that is no object, and one whose root type
// excludes objects: arguments are always an object. Any other fault of a schema
// is left to those who compile it.
func checkInputSchema(raw json.RawMessage) error {
	if raw == nil {
		return nil
	}
	r := rawjson.NewReader(raw)
	if kind := r.Peek(); kind != rawjson.Object {
		return fmt.Errorf("inputSchema is %s, not an object", kind)
	}
	permitted, root := true, rawjson.Value{}
	r.Object(func(key []byte) {
		if string(key) == "type" {
			root = r.Value()
			permitted = permitsObject(root)
		}
	})
	if !permitted {
		return fmt.Errorf("inputSchema has the type %s, but arguments are always an object", clip(string(root.Raw), 60))
	}
	return nil
}

// permitsObject judges the value of a schema's type keyword. A keyword that
// names no type at all, as some servers send it, permits everything.
func permitsObject(typ rawjson.Value) bool {
	names, found := false, false
	see := func(v rawjson.Value) {
		name := v.Text()
		names = names || name != ""
		found = found || strings.EqualFold(name, "object")
	}
	if typ.Kind == rawjson.List {
		r := rawjson.NewReader(typ.Raw)
		r.List(func(int) { see(r.Value()) })
	} else {
		see(typ)
	}
	return found || !names
}

// clip shortens what a server sent to what fits in a reason.
func clip(s string, most int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	for i := range s {
		if most--; most < 0 {
			return s[:i] + "…"
		}
	}
	return s
}

// present returns the value's bytes, nil for null.
func present(v rawjson.Value) json.RawMessage {
	if v.Kind == rawjson.Null {
		return nil
	}
	return v.Raw
}

// hint reads a boolean that says something only if it is one.
func hint(v rawjson.Value) *bool {
	if v.Kind != rawjson.Bool {
		return nil
	}
	b := v.True()
	return &b
}
