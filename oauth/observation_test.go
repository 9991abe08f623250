package oauth_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/oauth"
)

func TestE5_AUserWhoSaysNoIsTextForTheModel(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	d := newDesk(t, i)
	ts := newToolset(t, d, newTransport(t, userConfig(t, d)))
	tool, err := ts.Tool(t.Context(), "read")
	require.NoError(t, err)
	i.with(func() { i.deny, i.tokenErr = "access_denied", "invalid_grant" })
	i.revoke()
	for range 5 {
		said, err := tool.Call(t.Context(), "{}")
		require.NoError(t, err, "an error would end the agent's run")
		assert.Contains(t, said, "Error:")
		assert.Contains(t, said, "access_denied")
		assert.NotContains(t, said, "unknown", "a refused call did not run")
		for _, secret := range i.minted {
			assert.NotContains(t, said, secret)
		}
	}
	assert.Equal(t, 2, i.count("authorize"), "no browser opens for each call")
	assert.Zero(t, d.calls)
}

func TestE8_TheEndOfACallsContextDoesNotWaitForTheUser(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	d := newDesk(t, i)
	c := userConfig(t, d)
	agree, asked, agreed, first := browser(t), make(chan struct{}), make(chan struct{}), true
	c.AuthorizationCode.Prompt = oauth.Prompt(func(ctx context.Context, page string) (string, error) {
		if !first {
			close(asked)
			<-agreed
		}
		first = false
		return agree(ctx, page)
	})
	ts := newToolset(t, d, newTransport(t, c))
	tool, err := ts.Tool(t.Context(), "read")
	require.NoError(t, err)
	i.with(func() { i.tokenErr = "invalid_grant" })
	i.revoke()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := tool.Call(ctx, "{}")
		ended <- err
	}()
	<-asked
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
	close(agreed)
	said, err := tool.Call(t.Context(), "{}")
	require.NoError(t, err)
	assert.Equal(t, "read done", said)
	assert.Equal(t, 2, i.count("authorize"))
}
