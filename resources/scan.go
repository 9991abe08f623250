package resources

import (
	"context"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/decode"
)

// maxAnew bounds how often a list is begun anew.
const maxAnew = 2

// scan shows the items of a list, page by page, to what begin makes, until that
// has seen enough or the list ends. Where the cursors are of no use any more, it
// begins anew. What a page spoils is kept from the others: cut says why not
// everything was seen, and is empty where it was. The error is that of the
// connection on the first page, or the end of ctx.
func (c catalogue) scan(ctx context.Context, s Server, o Options, begin func() (visit func(item) (more bool))) (cut string, err error) {
	for again := 0; ; again++ {
		cut, err = c.scanOnce(ctx, s, o, begin())
		if again == maxAnew || !errors.Is(err, ErrReplaced) {
			break
		}
	}
	if errors.Is(err, ErrReplaced) {
		err = nil // it is what cut says
	}
	return cut, err
}

// scanOnce is scan, begun once. ErrReplaced is an error beside cut.
func (c catalogue) scanOnce(ctx context.Context, s Server, o Options, visit func(item) (more bool)) (cut string, err error) {
	seen := map[string]bool{}
	items := 0
	cursor := ""
	for n := 1; ; n++ {
		page, err := c.fetch(ctx, s, cursor)
		switch {
		case err == nil:
		case ctx.Err() != nil, n == 1 && !s.Rejected(err) && !errors.Is(err, ErrAnswer):
			return "", err
		case n == 1 && errors.Is(err, mcp.ErrMethodNotFound):
			return "", nil // the server has no such list
		default:
			cut = fmt.Sprintf("page %d of %s failed: %s", n, c.method, clip(err.Error(), maxName))
			if !errors.Is(err, ErrReplaced) {
				err = nil
			}
			return cut, err
		}
		for _, raw := range page.Items {
			if items++; items > o.MaxItems {
				return fmt.Sprintf("%s has more than %d items", c.method, o.MaxItems), nil
			}
			if !visit(c.itemOf(raw)) {
				return "", nil
			}
		}
		switch cursor = page.NextCursor; {
		case cursor == "" && page.Cut != "":
			return fmt.Sprintf("page %d of %s: %s", n, c.method, page.Cut), nil
		case cursor == "":
			return "", nil
		case seen[cursor]:
			return c.method + " repeats a cursor", nil
		case n == o.MaxPages:
			return fmt.Sprintf("%s has more than %d pages", c.method, o.MaxPages), nil
		}
		seen[cursor] = true
	}
}

// fetch asks for one page.
func (c catalogue) fetch(ctx context.Context, s Server, cursor string) (decode.Page, error) {
	if err := ctx.Err(); err != nil {
		return decode.Page{}, err
	}
	raw, err := s.Page(ctx, c.method, cursor)
	if err != nil {
		return decode.Page{}, err
	}
	page, err := decode.ListPage(raw, c.key)
	if err != nil {
		return decode.Page{}, fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	return page, nil
}
