package session

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/config"
)

func TestH6_WhichUpdatesASubscriptionConcerns(t *testing.T) {
	t.Parallel()
	cfg, err := config.NewStreamableHTTP("http://127.0.0.1:1").Build()
	require.NoError(t, err)
	p := New(Options{Config: cfg.WithDefaults()})
	for _, c := range []struct {
		subscribed, updated, by string
		want                    bool
	}{
		{"file:///a", "file:///a", "me", true},
		{"file:///a", "file:///a/b", "me", true},
		{"file:///a", "file:///a?page=2", "me", true},
		{"file:///a", "file:///a#end", "me", true},
		{"file:///a/", "file:///a/b", "me", true},
		{"file:///a", "file:///ab", "me", false},
		{"file:///a/b", "file:///a", "me", false},
		{"file:///a", "", "me", false},
		{"file:///a", "file:///a", "another", false},
	} {
		s := &Subscription{pool: p, by: &Operation{pool: p, identity: "me"}, uri: c.subscribed}
		n := Notice{Identity: c.by, Params: map[string]any{"uri": c.updated}}
		assert.Equal(t, c.want, s.Concerns(n), "%+v", c)
	}
	p.modern = true // one session for all
	s := &Subscription{pool: p, by: &Operation{pool: p, identity: "me"}, uri: "file:///a"}
	assert.True(t, s.Concerns(Notice{Params: map[string]any{"uri": "file:///a"}}))
}
