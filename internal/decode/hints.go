package decode

import (
	"encoding/json"
	"fmt"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// The types of a result that others than its reader have to know.
const (
	// ResultInputRequired is that of a question in place of an answer.
	ResultInputRequired = "input_required"
)

// The scopes of a result that may be kept.
const (
	ScopePublic  = "public"
	ScopePrivate = "private"
)

// Hints are what a result says of itself, whatever else it holds: whether it is
// one, and for how long and for whom it may be kept.
type Hints struct {
	// TTLMs is how many milliseconds the result stays fresh, never negative
	// and never more than a time.Duration holds; nil where the server does not
	// say.
	TTLMs *int64
	// CacheScope is "public", "private" or "" where the server does not say.
	// Anything else a server says is taken for "private", the careful reading.
	CacheScope string
	// ResultType is "" on old protocols; see [ResultInputRequired].
	ResultType string
}

// HintsOf reads what a result says of itself. It is an error if raw is not a
// JSON object.
func HintsOf(raw json.RawMessage) (Hints, error) {
	var h Hints
	r := rawjson.NewReader(raw)
	if kind := r.Peek(); kind != rawjson.Object {
		r.Value()
		if r.End() == nil {
			return Hints{}, fmt.Errorf("the answer is %s, not an object", kind)
		}
	}
	r.Object(func(key []byte) {
		switch string(key) {
		case "ttlMs":
			h.TTLMs, _ = timeToLive(r.Value())
		case "cacheScope":
			h.CacheScope, _ = cacheScope(r.Value())
		case "resultType":
			h.ResultType = r.Value().Text()
		}
	})
	if err := r.End(); err != nil {
		return Hints{}, fmt.Errorf("not JSON: %w", err)
	}
	return h, nil
}

// timeToLive reads ttlMs. A fault is "" where there is none.
func timeToLive(v rawjson.Value) (ms *int64, fault string) {
	n, ok := count(v)
	n = min(max(n, 0), maxTTLMs)
	switch {
	case ok:
		return &n, ""
	case v.Kind == rawjson.Null:
		return nil, ""
	case v.Kind == rawjson.Number: // negative: as good as 0
		return &n, "ttlMs is negative"
	}
	return nil, "ttlMs is not a number of milliseconds"
}

// cacheScope reads cacheScope. A fault is "" where there is none.
func cacheScope(v rawjson.Value) (scope, fault string) {
	scope = v.Text()
	switch {
	case v.Kind == rawjson.Null:
		return "", ""
	case scope == ScopePublic || scope == ScopePrivate:
		return scope, ""
	}
	return ScopePrivate, `cacheScope is neither "public" nor "private"`
}
