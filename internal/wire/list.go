package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcptoolset/mcptoolset/internal/decode"
)

// Bounds of a list.
type Bounds struct{ Items, Pages int }

// Listing is what a server listed.
type Listing struct {
	Items []json.RawMessage
	// TTLMs and CacheScope are the strictest of the pages' hints: a list is
	// public where all its pages are.
	TTLMs      *int64
	CacheScope string
	// Cut says why not everything was fetched; empty where it was.
	Cut string
	// Failed is set where that was because a page failed, so that another
	// listing may give more.
	Failed bool
}

// ErrReplaced is the error of a request for a page whose cursor is of no use,
// because the session that it came by is over: cursors do not outlive sessions
// (MCP 2025-11-25, server/utilities/pagination).
var ErrReplaced = errors.New("the session was replaced in the middle of the list")

// maxAnew bounds how often a list is begun anew.
const maxAnew = 2

// List fetches every page of a list within bounds. key is the member of the
// result that holds the items. What a later page spoils is kept from the
// earlier ones, with the reason in Cut; only when the first page fails, or
// ctx ends before the owner's limit, is it an error. Where request answers
// ErrReplaced the list is begun anew, twice at most.
func List(ctx context.Context, request func(context.Context, json.RawMessage) (json.RawMessage, error), key string, bounds Bounds) (Listing, error) {
	var before Listing
	for again := 0; ; again++ {
		all, err := listOnce(ctx, request, key, bounds)
		switch {
		case err == nil:
			return all, nil
		case errors.Is(err, ErrReplaced) && again < maxAnew:
			before = all
		case errors.Is(err, ErrReplaced):
			return all, nil
		case again == 0 || ctx.Err() != nil && !limited(err):
			return Listing{}, err
		default:
			before.Cut = fmt.Sprintf("%s; it was begun anew, and page 1 failed: %v", before.Cut, err)
			return before, nil
		}
	}
}

// listOnce is List, begun once. With ErrReplaced there is what was listed until
// then.
func listOnce(ctx context.Context, request func(context.Context, json.RawMessage) (json.RawMessage, error), key string, bounds Bounds) (Listing, error) {
	var all Listing
	seen := map[string]bool{}
	cursor := ""
	for page := 1; ; page++ {
		next, err := fetch(ctx, request, key, cursor)
		if err != nil {
			if err = Cause(ctx, err); page == 1 || ctx.Err() != nil && !limited(err) {
				return Listing{}, err
			}
			all.Cut, all.Failed = fmt.Sprintf("page %d failed: %v", page, err), true
			if errors.Is(err, ErrReplaced) {
				return all, err
			}
			return all, nil
		}
		all.add(next, page == 1)
		if next.Cut != "" {
			all.Cut = fmt.Sprintf("page %d: %s", page, next.Cut)
		}
		switch cursor = next.NextCursor; {
		case len(all.Items) > bounds.Items:
			all.Items = all.Items[:bounds.Items]
			all.Cut = fmt.Sprintf("more than %d items (Config.MaxItems)", bounds.Items)
		case cursor == "":
		case seen[cursor]:
			all.Cut = "the server repeats a cursor"
		case page == bounds.Pages:
			all.Cut = fmt.Sprintf("more than %d pages (Config.MaxPages)", bounds.Pages)
		default:
			seen[cursor] = true
			continue
		}
		return all, nil
	}
}

func limited(err error) bool {
	var limit *LimitError
	return errors.As(err, &limit)
}

func fetch(ctx context.Context, request func(context.Context, json.RawMessage) (json.RawMessage, error), key, cursor string) (decode.Page, error) {
	var params json.RawMessage
	if cursor != "" {
		quoted, err := json.Marshal(cursor)
		if err != nil {
			return decode.Page{}, err
		}
		params = fmt.Appendf(nil, `{"cursor":%s}`, quoted)
	}
	raw, err := request(ctx, params)
	if err != nil {
		return decode.Page{}, err
	}
	return decode.ListPage(raw, key)
}

func (l *Listing) add(p decode.Page, first bool) {
	l.Items = append(l.Items, p.Items...)
	if p.TTLMs != nil && (l.TTLMs == nil || *p.TTLMs < *l.TTLMs) {
		l.TTLMs = p.TTLMs
	}
	if first {
		l.CacheScope = p.CacheScope
	} else if p.CacheScope != l.CacheScope {
		l.CacheScope = decode.ScopePrivate
	}
}
