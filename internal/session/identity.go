package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// tracing are headers that differ from call to call without making another
// caller of it.
var tracing = []string{"Traceparent", "Tracestate", "Baggage", "X-Request-Id", "X-Correlation-Id"}

// resolve asks the header provider and lays its answer over the configured
// headers. The provider's names win, whatever their case.
func (p *Pool) resolve(ctx context.Context) (http.Header, error) {
	if p.o.Provider == nil || p.kind == wire.Stdio {
		return p.static, nil
	}
	headers := p.static.Clone()
	defer func() { p.used.note(headers) }()
	given, err := p.provide(ctx)
	if err != nil {
		return nil, err
	}
	if err := config.CheckHeaders(given); err != nil {
		return nil, &HeaderError{"header provider", err}
	}
	for name, values := range given {
		if len(values) > 0 {
			headers[http.CanonicalHeaderKey(name)] = slices.Clone(values)
		}
	}
	return headers, nil
}

// provide asks the owner's provider.
func (p *Pool) provide(ctx context.Context) (http.Header, error) {
	return ask(ctx, p, "header provider", p.o.Provider)
}

// ask runs a function of the owner's within the connect limit, until ctx ends
// or the pool is closed.
func ask[T any](ctx context.Context, p *Pool, who string, f func(context.Context) (T, error)) (T, error) {
	value, err := wire.Ask(ctx, p.life, who, p.o.Config.ConnectTimeout, f)
	switch {
	case errors.Is(err, wire.ErrClosed):
		err = ErrClosed
	case err != nil:
		err = &HeaderError{who, err}
	}
	return value, err
}

// identify names the identity that headers belong to.
func (p *Pool) identify(ctx context.Context, headers http.Header) (string, error) {
	if p.o.Identity != nil {
		name, err := ask(ctx, p, "identity function", func(ctx context.Context) (string, error) {
			return p.o.Identity(ctx, headers.Clone()), nil
		})
		return named + name, err
	}
	if p.o.Provider == nil {
		return p.nobody, nil
	}
	return unnamed + fingerprint(headers, p.o.Shared), nil
}

// named begins an identity that the owner named, unnamed one that is known by
// its headers.
const (
	named   = "named "
	unnamed = "headers "
)

type nameKey struct{}

// Name returns what the owner's identity function called whom an operation's
// context is for.
func Name(ctx context.Context) (string, bool) {
	name, ok := ctx.Value(nameKey{}).(string)
	return name, ok
}

// Context is ctx as requests of the operation, and handlers of the owner's that
// are called for it, see it: with its headers and the name of its identity.
func (o *Operation) Context(ctx context.Context) context.Context {
	ctx = httpx.WithHeaders(ctx, o.headers)
	if name, ok := strings.CutPrefix(o.identity, named); ok {
		ctx = context.WithValue(ctx, nameKey{}, name)
	}
	return ctx
}

// fingerprint is a hash of headers but the shared ones. It stands for them in
// memory, so that no table holds secrets as keys.
func fingerprint(headers http.Header, shared []string) string {
	names := make([]string, 0, 16)
	for name := range headers {
		if !slices.Contains(tracing, name) && !containsFold(shared, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	text := make([]byte, 0, 512)
	for _, name := range names {
		text = strconv.AppendQuote(text, name)
		for _, value := range headers[name] {
			text = strconv.AppendQuote(append(text, ' '), value)
		}
		text = append(text, '\n')
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func containsFold(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}
