package oauth_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/oauth"
)

// town is an internet without a network, with a server and its issuer: hosts
// may have public names, and time may be that of testing/synctest.
type town struct {
	issuer *issuer
	desk   *desk

	mu    sync.Mutex
	hosts map[string]http.Handler
	seen  []string // METHOD URL of each request
}

const (
	townServer = "https://desk.example"
	townIssuer = "https://login.example"
)

func newTown(t *testing.T) *town {
	t.Helper()
	w := &town{hosts: map[string]http.Handler{}}
	w.issuer = newIssuerOn(t, &httptest.Server{URL: townIssuer})
	w.desk = &desk{Server: &httptest.Server{URL: townServer}, issuer: w.issuer, said: true, needs: map[string]string{}}
	w.desk.describe()
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+prmPath, w.desk.document)
	mux.Handle("/mcp", w.desk.guard(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = rw.Write(body) // an echo
	})))
	w.hosts["desk.example"], w.hosts["login.example"] = mux, w.issuer.Config.Handler
	return w
}

func (w *town) RoundTrip(req *http.Request) (*http.Response, error) {
	w.mu.Lock()
	w.seen = append(w.seen, req.Method+" "+req.URL.String())
	host := w.hosts[req.URL.Host]
	w.mu.Unlock()
	if host == nil {
		return nil, errors.New("there is no such host: " + req.URL.Host)
	}
	came := req.Clone(req.Context())
	if came.Body == nil {
		came.Body = http.NoBody
	}
	defer came.Body.Close()
	answer := httptest.NewRecorder()
	host.ServeHTTP(answer, came)
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	resp := answer.Result()
	resp.Request = req
	return resp, nil
}

// requests are those to host so far.
func (w *town) requests(host string) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var found []string
	for _, line := range w.seen {
		at, _, _ := strings.Cut(line, "?")
		if strings.Contains(at, host) {
			found = append(found, line)
		}
	}
	return found
}

// config is that of a user who agrees.
func (w *town) config() oauth.Config {
	return oauth.Config{ServerURL: w.desk.url(), Base: w, AuthorizationCode: &oauth.AuthorizationCode{
		Registration: &oauth.Registration{}, RedirectURL: redirectURL, Prompt: w.agree(),
	}}
}

func (w *town) agree() oauth.Prompt {
	return func(ctx context.Context, page string) (string, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, page, nil)
		if err != nil {
			return "", err
		}
		resp, err := w.RoundTrip(req)
		if err != nil {
			return "", err
		}
		return resp.Header.Get("Location"), nil
	}
}

// say sends text to the server, which echoes it.
func say(t *testing.T, tr *oauth.Transport, url, text string) error {
	t.Helper()
	resp, err := tr.Client().Post(url, "application/json", strings.NewReader(text))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, 200, resp.StatusCode)
	require.Equal(t, text, string(body))
	return nil
}
