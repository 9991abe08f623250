package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

const (
	// maxDocument bounds an answer of an authorization server, in bytes.
	maxDocument = 1 << 20
	// maxRedirects bounds the redirects of a metadata document.
	maxRedirects = 3
)

// errAbsent is an answer that says that a document is not there.
var errAbsent = errors.New("there is no such document")

// webClient sends requests for metadata and tokens. It keeps no cookies.
func (t *Transport) webClient() *http.Client {
	return &http.Client{Transport: t.base, CheckRedirect: func(req *http.Request, via []*http.Request) error {
		switch {
		case req.Method != http.MethodGet || via[0].Method != http.MethodGet:
			return errors.New("a redirect was refused: only documents may be redirected")
		case origin(req.URL) != origin(via[0].URL):
			return errors.New("a redirect to another host was refused")
		case len(via) > maxRedirects:
			return errors.New("there are too many redirects")
		}
		return nil
	}}
}

// send makes one bounded request and returns its status and body.
func (t *Transport) send(ctx context.Context, req *http.Request) (int, []byte, error) {
	ctx, cancel := context.WithTimeout(ctx, t.config.RequestTimeout)
	defer cancel()
	req.Header.Set("Accept", "application/json")
	resp, err := t.web.Do(req.WithContext(ctx))
	if err != nil {
		return 0, nil, fmt.Errorf("%s %s: %w", req.Method, show(req.URL), withoutURL(err))
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxDocument+1))
	switch {
	case err != nil:
		return 0, nil, fmt.Errorf("%s %s: %w", req.Method, show(req.URL), withoutURL(err))
	case len(body) > maxDocument:
		return 0, nil, fmt.Errorf("%s %s: the answer is larger than %d bytes", req.Method, show(req.URL), maxDocument)
	}
	return resp.StatusCode, body, nil
}

// withoutURL takes off the URL that net/http puts before its errors.
func withoutURL(err error) error {
	var failed *url.Error
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

// document fetches the JSON document at u into v. It is errAbsent where the
// server answers 4xx.
func (t *Transport) document(ctx context.Context, u *url.URL, v any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return err
	}
	status, body, err := t.send(ctx, req)
	switch {
	case err != nil:
		return err
	case status >= 400 && status < 500:
		return errAbsent
	case status != http.StatusOK:
		return fmt.Errorf("GET %s: HTTP %d", show(u), status)
	}
	if err := json.Unmarshal(body, v); err != nil {
		return fmt.Errorf("GET %s: the answer is not the JSON that is expected", show(u))
	}
	return nil
}

// post sends body and returns the status and the answer.
func (t *Transport) post(ctx context.Context, u, contentType, body string, basic *url.Userinfo) (int, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.GetBody = nil // a code or a refresh token is good for one use
	req.Header.Set("Content-Type", contentType)
	if basic != nil {
		secret, _ := basic.Password()
		req.SetBasicAuth(url.QueryEscape(basic.Username()), url.QueryEscape(secret)) // RFC 6749, section 2.3.1
	}
	return t.send(ctx, req)
}
