package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// Authorize has a token at hand before the first call: one that is kept, one
// that is renewed, or one for which the user is asked. It is for programs with
// a user before them, since limits of a toolset, such as its connect limit, do
// not bound it; Config.UserTimeout and ctx do. It ends a rest (see
// Config.UserRest), and so is what a program calls when its user wants to sign
// in after all.
//
// It asks the server with a ping, or a GET where the server takes no POST,
// whether it lets the program in, and follows the refusal as a call does. Where
// the server refuses neither, it signs in if the server's metadata names an
// authorization server, and does nothing elsewhere. These requests bear no
// headers but the token: a gateway that wants others gets them from
// Config.Base.
//
// The error is an [*Error] where authorization failed, also where the server
// refuses its own new token. When ctx ends Authorize returns, but what it began
// goes on until [Transport.Close], and a later call finds the token. It may be
// called concurrently with all else and shares one authorization with requests
// that wait.
func (t *Transport) Authorize(ctx context.Context) error {
	t.endRest()
	resp, err := t.probe(ctx, http.MethodPost)
	if err == nil && (resp.StatusCode == http.StatusMethodNotAllowed || resp.StatusCode == http.StatusNotFound) {
		resp, err = t.probe(ctx, http.MethodGet) // of an SSE server the stream
	}
	if err != nil {
		return err
	}
	if refused(resp) {
		return &Error{Step: "authorization", Status: resp.StatusCode, header: resp.Header, Err: errors.New("the server refuses its own new token")}
	}
	return t.signIn(ctx)
}

// refused reports whether the server wants another token than it was sent.
func refused(resp *http.Response) bool {
	return resp.StatusCode == http.StatusUnauthorized ||
		resp.StatusCode == http.StatusForbidden && challengeOf(resp.Header).err == "insufficient_scope"
}

// signIn gets a token from a server that lets anyone in but names an
// authorization server, since its tools may want one.
func (t *Transport) signIn(ctx context.Context) error {
	token, err := t.current(ctx)
	if err != nil || token != nil {
		return err
	}
	if resource, err := t.resource(ctx, ""); err != nil || resource == nil {
		return err
	}
	_, err = t.renew(ctx, need{explicit: true})
	return err
}

// ping is a request that does nothing. Servers of every era answer it, if only
// to say that they know no such method.
const ping = `{"jsonrpc":"2.0","id":"sign-in","method":"ping"}`

// probe asks the server whether it lets the program in. The answer's body is
// closed.
func (t *Transport) probe(ctx context.Context, method string) (*http.Response, error) {
	return t.admit(ctx, true, func(token *grant) (*http.Response, error) {
		ctx, cancel := context.WithTimeout(ctx, t.config.RequestTimeout)
		defer cancel()
		var body string
		if method == http.MethodPost {
			body = ping
		}
		req, err := http.NewRequestWithContext(ctx, method, t.server.String(), strings.NewReader(body))
		if err != nil {
			return nil, err
		}
		req.Header.Set("Accept", "text/event-stream")
		if method == http.MethodPost {
			req.Header.Set("Accept", "application/json, text/event-stream")
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Mcp-Method", "ping") // MCP 2026-07-28 wants it of every message
		}
		token.dress(req.Header)
		resp, err := t.base.RoundTrip(req)
		if err != nil {
			return nil, fmt.Errorf("oauth: %s %s: %w", method, show(t.server), err)
		}
		discard(resp.Body, method == http.MethodPost)
		return resp, nil
	})
}
