package toolset

import (
	"encoding/json"
	"math"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/decode"
	"github.com/mcptoolset/mcptoolset/internal/session"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

const (
	// defaultFreshness is for how long a list is used when the server says
	// nothing of it.
	defaultFreshness = 30 * time.Second
	// untilChanged is for as long as the server announces no change.
	untilChanged = time.Duration(math.MaxInt64)
)

// freshness decides for how long an answer may be used: what the server says
// (MCP 2026-07-28, server/utilities/caching) goes before a guess.
func freshness(ttlMs *int64, guess time.Duration) time.Duration {
	if ttlMs == nil {
		return guess
	}
	return time.Duration(*ttlMs) * time.Millisecond // decode keeps it in range
}

// guess is for how long a list may be used of which the server says nothing. It
// is made before the server is asked: what was listed before one could hear of
// a change may be out of date already.
func guess(method mcp.MCPMethod, op *session.Operation) time.Duration {
	heard, hears := op.Hears(), false
	switch method {
	case mcp.MethodToolsList:
		hears = heard.Tools
	case mcp.MethodResourcesList, mcp.MethodResourcesTemplatesList:
		hears = heard.Resources
	case mcp.MethodPromptsList:
		hears = heard.Prompts
	}
	if hears {
		return untilChanged
	}
	return defaultFreshness
}

// wholeList is the question for all pages of a list.
func wholeList(method mcp.MCPMethod, identity string) question {
	return question{method: method, whole: true, identity: identity}
}

// oneAnswer is the question for a page of a list, or for a resource.
func oneAnswer(method mcp.MCPMethod, about, identity string) question {
	return question{method: method, about: about, identity: identity}
}

// listAnswer is a whole list as an answer. One of which a page failed is not
// kept: the next may be whole. One that ends at a limit or at a cursor that leads
// nowhere is as long as it gets.
func listAnswer(value any, listing wire.Listing, received time.Time, guess time.Duration) *answer {
	a := &answer{value: value, at: received, public: listing.CacheScope == decode.ScopePublic}
	if !listing.Failed {
		a.fresh, a.spare = freshness(listing.TTLMs, guess), true
	}
	for _, raw := range listing.Items {
		a.size += len(raw)
	}
	return a
}

// noList stands for a list that the server does not have, which it may have
// after an update.
func noList(empty any) *answer {
	return &answer{value: empty, at: time.Now(), fresh: defaultFreshness, spare: true}
}

// pageAnswer is one page of a list as it was sent.
func pageAnswer(raw json.RawMessage, guess time.Duration) *answer {
	a := &answer{value: raw, at: time.Now(), size: len(raw)}
	if hints, err := decode.HintsOf(raw); err == nil {
		a.public = hints.CacheScope == decode.ScopePublic
		a.fresh, a.spare = freshness(hints.TTLMs, guess), true
	}
	return a
}

// readAnswer is what a resource holds, as it was sent. It is kept only where the
// server says for how long; a question in its place is no answer.
func readAnswer(raw json.RawMessage) *answer {
	a := &answer{value: raw, at: time.Now(), size: len(raw)}
	if hints, err := decode.HintsOf(raw); err == nil && hints.ResultType != decode.ResultInputRequired {
		a.public = hints.CacheScope == decode.ScopePublic
		a.fresh = freshness(hints.TTLMs, 0)
		a.spare = a.fresh > 0
	}
	return a
}
