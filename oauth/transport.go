package oauth

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Transport is an [http.RoundTripper] that authorizes the requests to one MCP
// server. It is made by [NewTransport] and may be used concurrently. It prints
// without its tokens.
type Transport struct {
	config Config
	server *url.URL
	base   http.RoundTripper
	own    bool
	web    *http.Client

	life context.Context
	end  context.CancelFunc
	wg   sync.WaitGroup

	mu     sync.Mutex
	closed bool
	token  *grant // nil while there is none; never changed, only replaced
	place  *place // where token is from
	flight *flight
	rest   rest
	// patient is until when a renewal before the token's end is not tried
	// again after one that failed.
	patient time.Time
}

// NewTransport returns a Transport. It does no I/O. Its error names all faults
// of c.
func NewTransport(c Config) (*Transport, error) {
	c, server, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	t := &Transport{config: c, server: server, base: c.Base}
	if t.base == nil {
		t.base, t.own = http.DefaultTransport, false
		if tuned, ok := http.DefaultTransport.(*http.Transport); ok {
			tuned = tuned.Clone()
			tuned.MaxIdleConnsPerHost = tuned.MaxIdleConns // calls are concurrent
			t.base, t.own = tuned, true
		}
	}
	t.web = t.webClient()
	t.life, t.end = context.WithCancel(context.Background())
	return t, nil
}

// Client returns a new client that sends through t, for the HTTPClient of a
// toolset's config. It has no timeout and no cookies.
func (t *Transport) Client() *http.Client { return &http.Client{Transport: t} }

// Close ends an authorization that is under way and waits for it, and closes
// idle connections where the Transport owns them. Requests fail afterwards.
// Close the toolset first. It may be called more than once.
func (t *Transport) Close() error {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.end()
	t.wg.Wait()
	if t.own {
		t.CloseIdleConnections()
	}
	return nil
}

// CloseIdleConnections closes connections of the base that are not in use. It
// is what [http.Client.CloseIdleConnections] calls.
func (t *Transport) CloseIdleConnections() {
	if c, ok := t.base.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

var errClosed = errors.New("oauth: the Transport is closed")

const (
	// maxStepUps bounds how often one request has a user asked for more.
	maxStepUps = 2
	// maxRenewals bounds how often one request gets another token after a 401:
	// one that is kept, one that is refreshed, or the user's leave anew.
	maxRenewals = 3
)

// RoundTrip sends req with the token for the server. A request that the server
// refuses, with 401, or with 403 for want of scopes, is sent again with a new
// token: a refused request did not run. A request to another host or with an
// Authorization header of its own is sent as it is.
//
// Where no token can be had the error is an [*Error]. Where the server refuses
// its own new token too, its answer is returned.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if origin(req.URL) != origin(t.server) || req.Header.Get("Authorization") != "" {
		return t.base.RoundTrip(req)
	}
	body, err := bodyOf(req)
	if err != nil {
		return nil, err
	}
	return t.admit(req.Context(), false, func(token *grant) (*http.Response, error) {
		return t.base.RoundTrip(dressed(req, body, token))
	})
}

// admit sends with the token that is at hand, and after a refusal with
// another, for ever fewer reasons. explicit is set where the user is to be
// asked in any case.
func (t *Transport) admit(ctx context.Context, explicit bool, send func(*grant) (*http.Response, error)) (*http.Response, error) {
	token, err := t.current(ctx)
	if err != nil {
		return nil, err
	}
	renewals, stepUps := 0, 0
	for {
		resp, err := send(token)
		if err != nil || resp.StatusCode != http.StatusUnauthorized && resp.StatusCode != http.StatusForbidden {
			return resp, err
		}
		c := challengeOf(resp.Header)
		n := need{challenge: c, used: token, explicit: explicit}
		inVain := renewals+stepUps > 0 && token.came == byLeave
		switch {
		case resp.StatusCode == http.StatusUnauthorized && renewals < maxRenewals && !(renewals > 0 && inVain):
			n.afresh = renewals > 0 && token.came == byRefresh
			renewals++
		case refused(resp) && resp.StatusCode == http.StatusForbidden && stepUps < maxStepUps && t.mayStepUp(token, c):
			stepUps++
			n.more = true
		default:
			if inVain && refused(resp) {
				t.beginRest(failf("authorization", "the server refused the token that the user gave leave for"))
			}
			return resp, nil
		}
		discard(resp.Body, true)
		token, err = t.renew(ctx, n)
		if err != nil {
			return nil, refusedRequest(err, resp)
		}
	}
}

// mayStepUp reports whether asking for the challenge's scopes could help:
// whether any of them was not asked for yet.
func (t *Transport) mayStepUp(token *grant, c challenge) bool {
	return token == nil || len(c.scopes) > 0 && !within(c.scopes, token.Scopes)
}

// refusedRequest adds to an authorization's error which refusal it came from.
func refusedRequest(err error, resp *http.Response) error {
	var failed *Error
	if !errors.As(err, &failed) {
		return err
	}
	shared := *failed // others wait for the same authorization
	shared.Status, shared.header = resp.StatusCode, resp.Header
	return &shared
}

// maxDiscard bounds what is read of a refusal, so that its connection can be
// used again.
const maxDiscard = 64 << 10

// discard closes body, read to its end where that is not far.
func discard(body io.ReadCloser, ends bool) {
	if ends {
		_, _ = io.CopyN(io.Discard, body, maxDiscard)
	}
	body.Close()
}

// bodyOf returns what makes the request's body, any number of times, and
// closes the request's own.
func bodyOf(req *http.Request) (func() (io.ReadCloser, error), error) {
	if req.Body == nil || req.Body == http.NoBody {
		return func() (io.ReadCloser, error) { return req.Body, nil }, nil
	}
	defer req.Body.Close()
	if req.GetBody != nil {
		return req.GetBody, nil
	}
	whole, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	return func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(string(whole))), nil }, nil
}

// dressed is a copy of req with a body of its own and the token.
func dressed(req *http.Request, body func() (io.ReadCloser, error), token *grant) *http.Request {
	sent := *req
	sent.Header = req.Header.Clone()
	if sent.Header == nil {
		sent.Header = http.Header{}
	}
	token.dress(sent.Header)
	var err error
	if sent.Body, err = body(); err != nil {
		sent.Body = failing{err}
	}
	return &sent
}

// failing is a body that cannot be had.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
func (failing) Close() error               { return nil }

// patience is how long a renewal before the token's end is not tried again
// after one that failed.
const patience = 10 * time.Second

// current is the token to begin with, nil where there is none. One that is
// about to end is renewed first where that needs no user.
func (t *Transport) current(ctx context.Context) (*grant, error) {
	now := time.Now()
	t.mu.Lock()
	token, closed, patient := t.token, t.closed, now.Before(t.patient)
	t.mu.Unlock()
	switch {
	case closed:
		return nil, errClosed
	case token == nil || !token.stale(now):
		return token, nil
	}
	if t.renewable(token) && !patient {
		fresh, err := t.renew(ctx, need{used: token, quiet: true})
		if err == nil {
			return fresh, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		t.mu.Lock()
		t.patient = time.Now().Add(patience)
		t.mu.Unlock()
		t.config.Logger.Info("oauth: the token could not be renewed before its end", "error", err)
		now = time.Now()
	}
	if token.expired(now) {
		return nil, nil // the refusal tells the way in
	}
	return token, nil
}
