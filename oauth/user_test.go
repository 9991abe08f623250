package oauth_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAUserGivesLeaveOnce(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	d := newDesk(t, i)
	ts := newToolset(t, d, newTransport(t, userConfig(t, d)))

	for range 3 {
		text, err := call(t, ts, "read")
		require.NoError(t, err)
		assert.Equal(t, "read done", text)
	}
	assert.Equal(t, 1, i.count("authorize"))
	assert.Equal(t, 1, i.count("register"))
	assert.Equal(t, "native", i.regs[0]["application_type"])
	assert.Empty(t, d.requests[0].Header.Get("Authorization"), "the first request goes without a token")
	assert.False(t, i.pages[0].Has("scope"), "nobody named scopes")
}
