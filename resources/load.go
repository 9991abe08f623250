package resources

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/mcptoolset/mcptoolset/internal/decode"
	"github.com/mcptoolset/mcptoolset/internal/render"
)

// loader loads resources.
type loader struct {
	options Options
}

// request is what a model asked for.
type request struct {
	uri, name string // exactly one is set
	offset    int
	variables map[string]value
	note      string
}

func (l loader) run(ctx context.Context, s Server, raw json.RawMessage) (string, error) {
	asked, err := readRequest(raw)
	if err != nil {
		return "", err
	}
	uri, note, err := l.resolve(ctx, s, asked)
	if err != nil {
		return "", err
	}
	if err := l.confirm(ctx, uri); err != nil {
		return "", err
	}
	answer, err := s.Read(ctx, uri)
	if err != nil {
		if ctx.Err() != nil || !s.Rejected(err) {
			return "", err
		}
		return "", rejected(err, "%s", sentences(
			fmt.Sprintf("The server did not give %s: %v.", quoted(uri), err), advice(asked)))
	}
	return l.show(answer, uri, asked.offset, note, asked.note)
}

// readRequest reads the arguments of a load.
func readRequest(raw json.RawMessage) (r request, err error) {
	args, err := readArguments(raw, loadUsage)
	if err != nil {
		return r, err
	}
	if r.uri, err = args.text("uri"); err != nil {
		return r, err
	}
	if r.name, err = args.text("name"); err != nil {
		return r, err
	}
	if r.offset, err = args.whole("offset"); err != nil {
		return r, err
	}
	if r.variables, err = readValues(args.members["variables"]); err != nil {
		return r, err
	}
	r.note = args.note("uri", "name", "offset", "variables")
	switch {
	case r.uri != "" && r.name != "":
		return r, refuse(ErrArguments, "Both uri and name were given, but exactly one of them is taken. %s", loadUsage)
	case r.uri == "" && r.name == "":
		return r, refuse(ErrArguments, "%s", sentences("Neither uri nor name was given; exactly one of them is needed.", remark(r.note), loadUsage))
	}
	return r, nil
}

// remark makes a sentence of a note.
func remark(note string) string {
	if note == "" {
		return ""
	}
	return strings.ToUpper(note[:1]) + note[1:] + "."
}

// advice is what may have been meant by a URI that the server refused.
func advice(asked request) string {
	switch {
	case asked.uri == "":
		return ""
	case len(asked.variables) == 0 && isTemplate(asked.uri):
		return `If it is a template, give the values of what stands in braces: {"uri": "...", "variables": {...}}.`
	case !strings.Contains(asked.uri, ":"):
		return `It was taken for a uri; a resource is loaded by its name with {"name": "..."}.`
	}
	return ""
}

// confirm asks the owner.
func (l loader) confirm(ctx context.Context, uri string) (err error) {
	if l.options.Confirm == nil {
		return nil
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("resources: the confirmer panicked: %v", p)
		}
	}()
	err = l.options.Confirm(ctx, uri)
	switch {
	case err == nil || ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, ErrUnconfirmed):
		return err
	}
	return &refusal{
		text:  fmt.Sprintf("The owner of this agent declined to load %s: %v", quoted(uri), err),
		cause: fmt.Errorf("%w: %w", ErrDeclined, err),
	}
}

// show renders the answer to a read of uri, with notes behind it.
func (l loader) show(answer json.RawMessage, uri string, offset int, notes ...string) (text string, err error) {
	contents, err := decode.ReadOf(answer)
	end := ""
	for _, note := range compact(append(notes, other(contents, uri))) {
		end += "\n[" + note + "]"
	}
	if err == nil && (len(contents) > 0 || isEmpty(answer)) {
		text = l.fit(contents, offset, l.options.MaxOutput-runes(end))
	} else if text, err = foreign(answer, min(l.options.MaxLength, l.options.MaxOutput)); err != nil {
		return "", err
	}
	text, _ = render.Cut(text+end, l.options.MaxOutput, true)
	return text, nil
}

// other says that a server gave another resource than it was asked for, such as
// the only file of a directory, where no label does.
func other(contents []decode.ResourceContents, uri string) string {
	if len(contents) != 1 {
		return ""
	}
	c := contents[0]
	if c.URI == "" || c.URI == uri || c.HasBlob || c.Fault != "" {
		return ""
	}
	return "the server says that this is " + quoted(c.URI)
}

// fit renders as much of the text as the owner wants and there is room for.
// Labels are not counted by MaxLength: where they take too much of the room,
// less text is shown, since after a shorter part one can read on.
func (l loader) fit(contents []decode.ResourceContents, offset, room int) string {
	for limit := min(l.options.MaxLength, l.options.MaxOutput); ; {
		text := render.Contents(contents, limit, offset)
		over := runes(text) - room
		if over <= 0 || limit == 1 {
			return text
		}
		limit = max(limit-over, limit/2)
	}
}

// isEmpty reports whether an answer without contents has nothing else to show.
func isEmpty(answer json.RawMessage) bool {
	for key, member := range decoded[map[string]json.RawMessage](answer) {
		switch key {
		case "contents", "_meta", "ttlMs", "cacheScope":
		case "resultType":
			if decoded[string](member) == "input_required" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// foreign shows an answer that is not one to a read, but may hold what was
// asked for all the same.
func foreign(answer json.RawMessage, budget int) (string, error) {
	result, err := decode.ResultOf(answer)
	switch {
	case err != nil:
		return "", refuse(ErrAnswer, "The server's answer cannot be used: %v", err)
	case result.ResultType == "input_required":
		return "", refuse(ErrAnswer, "The server asks for more input before it gives the resource, which is not possible here.")
	}
	return "[the answer has no contents; this is what it holds]\n" + render.Result(result, render.Options{Budget: budget}), nil
}
