package toolset

import (
	"encoding/json"
	"math"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/decode"
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

// guess is for how long a list may be used of which the server says nothing.
func (ts *Toolset) guess(method mcp.MCPMethod, info wire.Info) time.Duration {
	if ts.hears(method, info) {
		return untilChanged
	}
	return defaultFreshness
}

// hears reports whether the server announces changes of a list, and they reach
// us: over HTTP they do only while a request is open.
func (ts *Toolset) hears(method mcp.MCPMethod, info wire.Info) bool {
	if ts.pool.Kind() == wire.StreamableHTTP || info.Modern() {
		return false
	}
	switch can := info.Capabilities; method {
	case mcp.MethodToolsList:
		return can.Tools != nil && can.Tools.ListChanged
	case mcp.MethodResourcesList, mcp.MethodResourcesTemplatesList:
		return can.Resources != nil && can.Resources.ListChanged
	case mcp.MethodPromptsList:
		return can.Prompts != nil && can.Prompts.ListChanged
	}
	return false
}

// wholeList is the question for all pages of a list.
func wholeList(method mcp.MCPMethod, identity string) question {
	return question{method: method, whole: true, identity: identity}
}

// oneAnswer is the question for a page of a list, or for a resource.
func oneAnswer(method mcp.MCPMethod, about, identity string) question {
	return question{method: method, about: about, identity: identity}
}

// listAnswer is a whole list as an answer. One that is not complete is not
// kept.
func (ts *Toolset) listAnswer(value any, method mcp.MCPMethod, listing wire.Listing, received time.Time, info wire.Info) *answer {
	a := &answer{value: value, at: received, public: listing.CacheScope == decode.ScopePublic}
	if listing.Cut == "" {
		a.fresh, a.spare = freshness(listing.TTLMs, ts.guess(method, info)), true
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

// rawAnswer is the answer to one request as it was sent. Only a page may be
// kept without a word of the server. A question in its place is no answer.
func (ts *Toolset) rawAnswer(raw json.RawMessage, method mcp.MCPMethod, info wire.Info) *answer {
	a := &answer{value: raw, at: time.Now(), size: len(raw)}
	hints, err := decode.HintsOf(raw)
	if err != nil || hints.ResultType == decode.ResultInputRequired {
		return a
	}
	a.public = hints.CacheScope == decode.ScopePublic
	page := method != mcp.MethodResourcesRead
	if hints.TTLMs != nil || page {
		a.fresh = freshness(hints.TTLMs, ts.guess(method, info))
	}
	a.spare = page || a.fresh > 0
	return a
}
