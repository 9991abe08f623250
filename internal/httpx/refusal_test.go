package httpx_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
)

// inVain is what an owner's RoundTripper says of a request that the server
// refused, when it could do nothing about that.
type inVain struct {
	status int
	header http.Header
	text   string
}

func (e *inVain) Error() string               { return e.text }
func (e *inVain) Refusal() (int, http.Header) { return e.status, e.header }

// failing is an owner's RoundTripper that has no answer.
type failing struct{ err error }

func (f failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

func failingClient(t *testing.T, err error, sse bool, headers http.Header) *http.Client {
	t.Helper()
	origin, parsed := url.Parse("https://desk.example/mcp")
	require.NoError(t, parsed)
	return httpx.New(failing{err}, origin, sse, headers).Client(nil)
}

func TestARefusalTheOwnerCouldNotMendIsARefusal(t *testing.T) {
	t.Parallel()
	header := http.Header{"Www-Authenticate": {`Bearer error="invalid_token"`}, "Retry-After": {"7"}, "Set-Cookie": {"id=secret-7"}}
	for name, wrap := range map[string]func(error) error{
		"bare":    func(err error) error { return err },
		"wrapped": func(err error) error { return fmt.Errorf("sign in: %w", err) },
	} {
		for _, status := range []int{401, 403, 429, 503} {
			for _, sse := range []bool{false, true} {
				t.Run(fmt.Sprint(name, " ", status, " ", sse), func(t *testing.T) {
					t.Parallel()
					said := &inVain{status, header, "the user said no"}
					c := failingClient(t, wrap(said), sse, nil)
					for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
						req, err := http.NewRequestWithContext(t.Context(), method, "https://desk.example/mcp", nil)
						require.NoError(t, err)
						_, err = c.Do(req)
						if method == http.MethodGet && !sse { // a listening stream is not judged
							require.ErrorIs(t, err, said)
							continue
						}
						var refusal *httpx.StatusError
						require.ErrorAs(t, err, &refusal, method)
						assert.Equal(t, method, refusal.Method)
						assert.Equal(t, status, refusal.Status)
						assert.Equal(t, "the user said no", refusal.Body)
						assert.Equal(t, http.Header{"Www-Authenticate": header["Www-Authenticate"], "Retry-After": header["Retry-After"]}, refusal.Header)
						assert.Equal(t, status == 401, errors.Is(err, transport.ErrAuthorizationRequired))
						var owner *inVain
						require.ErrorAs(t, err, &owner, "the owner finds their own error")
						assert.Same(t, said, owner)
					}
				})
			}
		}
	}
}

func TestA8_ARefusalOfTheOwnerRepeatsNoSecret(t *testing.T) {
	t.Parallel()
	c := failingClient(t, &inVain{status: 401, text: "refused: secret-token-7 " + strings.Repeat("x", 4096)}, false, http.Header{"X-Api-Key": {"secret-token-7"}})
	_, err := post(t, c, context.Background(), "https://desk.example/mcp", nil)
	var refusal *httpx.StatusError
	require.ErrorAs(t, err, &refusal)
	assert.NotContains(t, refusal.Error(), "secret-token-7")
	assert.Less(t, len(refusal.Body), 2100, "it is bounded as a server's body is")
}

func TestAnErrorThatIsNoRefusalStaysOne(t *testing.T) {
	t.Parallel()
	for name, cause := range map[string]error{
		"without a status":  &inVain{status: 0, text: "the browser is gone"},
		"with a success":    &inVain{status: 200, text: "strange"},
		"with a redirect":   &inVain{status: 302, text: "strange"},
		"of another kind":   errors.New("no route to host"),
		"of a context":      context.Canceled,
		"of nil and status": fmt.Errorf("joined: %w", errors.Join(nil, &inVain{status: 0})),
	} {
		_, err := post(t, failingClient(t, cause, false, nil), context.Background(), "https://desk.example/mcp", nil)
		var refusal *httpx.StatusError
		require.Error(t, err, name)
		assert.NotErrorAs(t, err, &refusal, name)
		assert.ErrorIs(t, err, cause, name)
	}
}

func TestF7_ARefusalOfTheOwnerInASession(t *testing.T) {
	t.Parallel()
	for status, gone := range map[int]bool{401: false, 403: false, 404: true, 400: true} {
		c := failingClient(t, &inVain{status: status, text: "x"}, false, nil)
		_, err := post(t, c, context.Background(), "https://desk.example/mcp", http.Header{"Mcp-Session-Id": {"1"}})
		var refusal *httpx.StatusError
		require.ErrorAs(t, err, &refusal)
		assert.True(t, refusal.InSession)
		assert.Equal(t, gone, refusal.SessionGone(), status)
	}
}
