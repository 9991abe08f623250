package oauth

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// Loopback is a [Prompter] for command lines: it opens the user's browser and
// waits on 127.0.0.1 for it to come back (RFC 8252, section 7.3). It listens
// only while a user is being asked and takes one answer.
type Loopback struct {
	// Open shows the user the page. By default it is [OpenBrowser].
	Open func(ctx context.Context, authorizationURL string) error
	// Port is the port to listen on; by default it is a free one each time. It
	// is for authorization servers that compare the whole redirect URL.
	Port int
	// Path is the path of the redirect URL, by default "/callback".
	Path string
}

// Start implements [Prompter]. redirectURL may be left empty in the
// configuration: the address that is listened on is used. One that is given
// has to be on 127.0.0.1, and its port and path are listened on.
func (l *Loopback) Start(ctx context.Context, redirectURL string) (Visit, error) {
	path := l.Path
	if path == "" {
		path = "/callback"
	}
	address := net.JoinHostPort("127.0.0.1", fmt.Sprint(l.Port))
	if redirectURL != "" {
		u, err := url.Parse(redirectURL)
		if err != nil || u.Scheme != "http" || u.Hostname() != "127.0.0.1" && u.Hostname() != "localhost" || u.Port() == "" {
			return nil, errors.New("a Loopback needs a RedirectURL on 127.0.0.1 with a port, or none")
		}
		path, address = u.Path, net.JoinHostPort("127.0.0.1", u.Port())
	}
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp4", address)
	if err != nil {
		return nil, err
	}
	if redirectURL == "" {
		redirectURL = (&url.URL{Scheme: "http", Host: listener.Addr().String(), Path: path}).String()
	}
	if path == "" {
		path = "/"
	}
	v := &loopbackVisit{redirect: redirectURL, open: l.Open, came: make(chan string, 1)}
	if v.open == nil {
		v.open = OpenBrowser
	}
	v.server = &http.Server{Handler: v.handler(path), ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second, MaxHeaderBytes: maxRedirect}
	v.served.Go(func() { _ = v.server.Serve(listener) })
	return v, nil
}

type loopbackVisit struct {
	redirect string
	open     func(context.Context, string) error
	server   *http.Server
	served   sync.WaitGroup
	came     chan string
	state    string
	mu       sync.Mutex
	answered bool
}

func (v *loopbackVisit) RedirectURL() string { return v.redirect }

// Ask shows the page and waits for the browser.
func (v *loopbackVisit) Ask(ctx context.Context, page string) (string, error) {
	u, err := url.Parse(page)
	if err != nil {
		return "", errors.New("the authorization URL cannot be read")
	}
	v.mu.Lock()
	v.state = u.Query().Get("state")
	v.mu.Unlock()
	if err := v.open(ctx, page); err != nil {
		return "", fmt.Errorf("the browser could not be opened: %w", err)
	}
	select {
	case query := <-v.came:
		return query, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// farewell is how long the last answer to the browser may take.
const farewell = 2 * time.Second

// Close ends the listener when the browser has its answer.
func (v *loopbackVisit) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	err := v.server.Shutdown(ctx)
	if err != nil {
		err = v.server.Close()
	}
	v.served.Wait()
	return err
}

// handler takes the first request with the state that was sent. Others, from
// pages that guess the port, do not count.
func (v *loopbackVisit) handler(path string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		w.Header().Set("Referrer-Policy", "no-referrer")
		w.Header().Set("Content-Security-Policy", "default-src 'none'")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path != path || r.Method != http.MethodGet {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		if !v.take(r.URL.Query().Get("state")) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = fmt.Fprint(w, page("This page is not expected."))
			return
		}
		_, _ = fmt.Fprint(w, page("You may close this page and go back to the program."))
		v.came <- r.URL.RawQuery
	})
}

// take reports whether the answer with this state is the one waited for.
func (v *loopbackVisit) take(state string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.answered || v.state == "" || state != v.state {
		return false
	}
	v.answered = true
	return true
}

func page(text string) string {
	return "<!doctype html><meta charset=utf-8><title>mcptoolset</title><p>" + text + "</p>\n"
}
