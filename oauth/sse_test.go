package oauth_test

import (
	"net/http/httptest"
	"testing"

	"github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// newSSEDesk is a desk that speaks the older HTTP with SSE transport.
func newSSEDesk(t *testing.T, i *issuer) (d *desk, stream string) {
	t.Helper()
	d = newDesk(t, i)
	web := httptest.NewUnstartedServer(nil)
	sse := server.NewSSEServer(d.mcp, server.WithBaseURL("http://"+web.Listener.Addr().String()))
	web.Config.Handler = d.guard(sse)
	web.Start()
	t.Cleanup(func() { web.CloseClientConnections(); web.Close() })
	d.prm["resource"] = web.URL
	i.resource = web.URL
	return d, web.URL + "/sse"
}

func TestAServerOverSSE(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	d, stream := newSSEDesk(t, i)
	c := userConfig(t, d)
	c.ServerURL = stream
	tr := newTransport(t, c)
	require.NoError(t, tr.Authorize(t.Context()), "the stream is asked, not a message posted")

	cfg, err := config.NewSSE(stream).HTTPClient(tr.Client()).Build()
	require.NoError(t, err)
	ts, err := toolset.New(cfg)
	require.NoError(t, err)
	defer ts.Close()
	tools, err := ts.Tools(t.Context())
	require.NoError(t, err)
	assert.Len(t, tools, 3)
	for range 3 { // in the middle of a session
		text, err := call(t, ts, "read")
		require.NoError(t, err)
		assert.Equal(t, "read done", text)
		i.revoke()
	}
	assert.Equal(t, 1, i.count("authorize"))
	assert.Equal(t, 2, i.count("refresh_token"))
	assert.Equal(t, 3, d.calls, "no call ran twice")
}

func TestAServerOverSSEAsksAtTheHandshake(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	d, stream := newSSEDesk(t, i)
	c := userConfig(t, d)
	c.ServerURL = stream
	cfg, err := config.NewSSE(stream).HTTPClient(newTransport(t, c).Client()).Build()
	require.NoError(t, err)
	ts, err := toolset.New(cfg)
	require.NoError(t, err)
	defer ts.Close()
	_, err = call(t, ts, "read")
	require.NoError(t, err)
	assert.Equal(t, 1, i.count("authorize"))

	i.deny = "access_denied"
	denied, err := toolset.New(func() config.Config {
		cfg, err := config.NewSSE(stream).HTTPClient(newTransport(t, c).Client()).Build()
		require.NoError(t, err)
		return cfg
	}())
	require.NoError(t, err)
	defer denied.Close()
	_, err = denied.Tools(t.Context())
	var failed *toolset.Error
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, 401, failed.Status)
	assert.ErrorContains(t, err, "access_denied")
}
