package toolset

import (
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/session"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// changeable is a part of a server that it can announce changes of.
type changeable string

const (
	theTools     changeable = mcp.MethodNotificationToolsListChanged
	theResources changeable = mcp.MethodNotificationResourcesListChanged
	thePrompts   changeable = mcp.MethodNotificationPromptsListChanged
)

// lists are the methods whose answers a change spoils.
func (k changeable) lists() []mcp.MCPMethod {
	switch k {
	case theTools:
		return []mcp.MCPMethod{mcp.MethodToolsList}
	case theResources:
		return []mcp.MCPMethod{mcp.MethodResourcesList, mcp.MethodResourcesTemplatesList}
	case thePrompts:
		return []mcp.MCPMethod{mcp.MethodPromptsList}
	}
	return nil
}

// forget drops the lists of an identity that a server says have changed, and those
// that are for all; the empty identity stands for all. What else a notice may be
// is of no matter here.
func (c *answerCache) forget(k changeable, identity string) {
	spoiled := map[mcp.MCPMethod]bool{}
	for _, method := range k.lists() {
		spoiled[method] = true
	}
	c.drop(func(q question, _ *answer) bool { return spoiled[q.method] && q.concerns(identity) })
}

// concerns reports whether an answer is used by an identity, or, for the empty
// one, by anybody.
func (q question) concerns(identity string) bool {
	return identity == "" || q.anyone || q.identity == identity
}

// forgetURI drops what an identity read of a resource that the server says has
// changed, and what is for all; the empty identity stands for all. The notice may be of a part of the resource (MCP, server/resources,
// "Subscriptions"), so what lies above in its path goes too.
func (c *answerCache) forgetURI(uri, identity string) {
	c.drop(func(q question, _ *answer) bool {
		return q.method == mcp.MethodResourcesRead && q.concerns(identity) && q.about != "" && session.Within(q.about, uri)
	})
}

// forgetPages drops the single pages of a list, as far as an identity sees them.
func (c *answerCache) forgetPages(method mcp.MCPMethod, identity string) {
	c.drop(func(q question, _ *answer) bool {
		return q.method == method && !q.whole && (q.anyone || q.identity == identity)
	})
}

// forgetAll drops every answer.
func (c *answerCache) forgetAll() { c.drop(func(question, *answer) bool { return true }) }

// revoke drops what an identity alone may see: the server refuses it.
func (c *answerCache) revoke(identity string) {
	c.drop(func(q question, _ *answer) bool { return !q.anyone && q.identity == identity })
}

// contradict drops an answer that the server would not give again.
func (c *answerCache) contradict(q question) {
	c.drop(func(kept question, _ *answer) bool { return kept == q || kept == q.ofAnyone() })
}

// drop forgets those answers that match, and gives up on fetches of such, whose
// answers may be from before what makes it necessary. Those come without one.
func (c *answerCache) drop(match func(question, *answer) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dropLocked(match)
}

func (c *answerCache) dropLocked(match func(question, *answer) bool) {
	for _, s := range []*shelf{c.lists, c.raw} {
		for _, q := range s.answers.Keys() {
			if a, _ := s.answers.Peek(q); match(q, a) {
				s.remove(q)
				c.stats.Invalidations++
			}
		}
	}
	for q := range c.pending {
		if match(q, nil) {
			delete(c.pending, q)
		}
	}
}

// lost ends what was known by a session that is over; the empty identity stands
// for all. What all identities share stays, unless it was to hold until a
// notice, which a lost session cannot hear. What may be used in need is kept
// for that.
func (c *answerCache) lost(identity string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	aged := map[question]*answer{}
	c.dropLocked(func(q question, a *answer) bool {
		deaf := a != nil && a.fresh == untilChanged
		if identity != "" && q.identity != identity && !(q.anyone && deaf) {
			return false
		}
		if a != nil && c.serves(a) {
			old := *a
			old.fresh = 0
			aged[q] = &old
		}
		return true
	})
	for q, a := range aged {
		c.shelf(q).put(q, a)
	}
}

// doubt drops the list of tools that says there is a tool which the server
// does not seem to know, or not with these arguments (MCP 2026-07-28,
// server/utilities/caching).
func (ts *Toolset) doubt(identity string, told *wire.RPCError) {
	if told.Code == mcp.METHOD_NOT_FOUND || told.Code == mcp.INVALID_PARAMS {
		ts.cache.contradict(wholeList(mcp.MethodToolsList, identity))
	}
}
