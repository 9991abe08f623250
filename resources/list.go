package resources

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/decode"
	"github.com/mcptoolset/mcptoolset/internal/render"
)

// lister shows pages of a list.
type lister struct {
	catalogue
	budget int // characters
}

func (l lister) run(ctx context.Context, s Server, raw json.RawMessage) (string, error) {
	args, err := readArguments(raw, listUsage)
	if err != nil {
		return "", err
	}
	cursor, err := args.text("cursor")
	if err != nil {
		return "", err
	}
	at := parsePosition(cursor)
	page, err := l.page(ctx, s, at.cursor)
	if err != nil {
		return "", err
	}
	return l.show(page, at, args.note("cursor")), nil
}

// page asks for a page. A list that the server does not know is empty.
func (l lister) page(ctx context.Context, s Server, cursor string) (decode.Page, error) {
	raw, err := s.Page(ctx, l.method, cursor)
	switch {
	case err == nil:
	case ctx.Err() != nil || !s.Rejected(err):
		return decode.Page{}, err
	case errors.Is(err, mcp.ErrMethodNotFound):
		return decode.Page{Faults: []string{"the server does not know " + l.method}}, nil
	case cursor != "":
		return decode.Page{}, rejected(err, "The server refused to go on from cursor %s: %v. %s", quoted(cursor), err, listUsage)
	default:
		return decode.Page{}, rejected(err, "The server refused to list its %ss: %v", l.noun, err)
	}
	page, err := decode.ListPage(raw, l.key)
	if err != nil {
		return decode.Page{}, refuse(ErrAnswer, "The server's answer to %s cannot be used: %v", l.method, err)
	}
	return page, nil
}

// show writes a page, from a position on, as far as there is room for it.
func (l lister) show(page decode.Page, at position, notes ...string) string {
	passed := min(at.passed, len(page.Items))
	items := page.Items[passed:]
	if page.NextCursor != "" && page.NextCursor == at.cursor {
		page.NextCursor = ""
		notes = append(notes, "the server names this page as the next one, so there is no going on")
	}
	if n := runes(page.NextCursor); n > l.budget/4 {
		page.NextCursor = ""
		notes = append(notes, fmt.Sprintf("there is a next page, but its cursor of %d characters is too long to be shown", n))
	}
	notes = append(notes, page.Faults...)
	if len(items) == 0 {
		notes = append([]string{l.nothing(page, at)}, notes...)
	}
	whole := tail(position{cursor: page.NextCursor}, notes...)
	cut := func(shown int) string {
		said := fmt.Sprintf("items %d to %d of the %d on this page are shown", passed+1, passed+shown, len(page.Items))
		return tail(position{cursor: at.cursor, passed: passed + shown}, append(notes, said)...)
	}
	head := `{"` + l.key + `":[`
	room := l.budget - runes(head) - max(runes(whole), runes(cut(len(items))))
	shown := l.fit(items, room)
	end := whole
	if len(shown) < len(items) {
		end = cut(len(shown))
	}
	out, _ := render.Cut(head+strings.Join(shown, ",")+end, l.budget, true)
	return out
}

// fit writes the items there is room for, and at least one, or nobody would
// ever get past it.
func (l lister) fit(items []json.RawMessage, room int) (shown []string) {
	for i, raw := range items {
		next := l.itemOf(raw)
		text := next.shown(maxURI).json()
		for most := maxEcho; i == 0 && runes(text) > room && most > 1; most /= 4 {
			text = next.shown(most).json()
		}
		if room -= runes(text) + len(","); i > 0 && room < 0 {
			break
		}
		shown = append(shown, text)
	}
	return shown
}

// tail ends the JSON of a page.
func tail(next position, notes ...string) string {
	var b strings.Builder
	b.WriteString("]")
	if cursor := next.String(); cursor != "" {
		b.WriteString(`,"nextCursor":` + encode(cursor))
	}
	if note := strings.Join(compact(notes), "; "); note != "" {
		b.WriteString(`,"note":` + encode(note))
	}
	b.WriteString("}")
	return b.String()
}

// nothing says that there is nothing to show.
func (l lister) nothing(page decode.Page, at position) string {
	switch {
	case len(page.Items) > 0:
		return fmt.Sprintf("no more %ss on this page, which has %d", l.noun, len(page.Items))
	case page.NextCursor != "":
		return fmt.Sprintf("no %ss on this page, but there may be on the next", l.noun)
	case at.cursor != "":
		return fmt.Sprintf("no more %ss at this cursor; without one there is the first page", l.noun)
	case l.key == resourceList.key:
		return "no resources are listed; " + LoadResource + " may still read a uri that is known from elsewhere, and " + ListTemplates + " shows whether there are templates"
	default:
		return "no resource templates are listed"
	}
}

// compact leaves out what is empty.
func compact(all []string) (kept []string) {
	for _, s := range all {
		if s != "" {
			kept = append(kept, s)
		}
	}
	return kept
}
