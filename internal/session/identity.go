package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// tracing are headers that differ from call to call without making another
// caller of it.
var tracing = []string{"Traceparent", "Tracestate", "Baggage", "X-Request-Id", "X-Correlation-Id"}

// resolve asks the header provider and lays its answer over the configured
// headers. The provider's names win, whatever their case.
func (p *Pool) resolve(ctx context.Context) (http.Header, error) {
	headers := p.static.Clone()
	if p.o.Provider == nil || p.kind == wire.Stdio {
		return headers, nil
	}
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
// or the pool is closed. One that ignores its context is left behind; a panic
// becomes an error.
func ask[T any](ctx context.Context, p *Pool, who string, f func(context.Context) (T, error)) (T, error) {
	ctx, done := wire.Limit(ctx, who, p.o.Config.ConnectTimeout)
	defer done()
	type answer struct {
		value T
		err   error
	}
	answered := make(chan answer, 1)
	go func() {
		var a answer
		defer func() {
			if fault := recover(); fault != nil {
				a.err = &wire.PanicError{Value: fault}
			}
			answered <- a
		}()
		a.value, a.err = f(ctx)
	}()
	var none T
	select {
	case a := <-answered:
		if a.err != nil {
			return none, &HeaderError{who, wire.Cause(ctx, a.err)}
		}
		return a.value, nil
	case <-ctx.Done():
		return none, &HeaderError{who, wire.Cause(ctx, ctx.Err())}
	case <-p.life.Done():
		return none, ErrClosed
	}
}

// identify names the identity that headers belong to.
func (p *Pool) identify(ctx context.Context, headers http.Header) (string, error) {
	if p.o.Identity != nil {
		name, err := ask(ctx, p, "identity function", func(ctx context.Context) (string, error) {
			return p.o.Identity(ctx, headers.Clone()), nil
		})
		return "named " + name, err
	}
	return "headers " + fingerprint(headers, p.o.Shared), nil
}

// fingerprint is a hash of headers but the shared ones. It stands for them in
// memory, so that no table holds secrets as keys.
func fingerprint(headers http.Header, shared []string) string {
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		if slices.Contains(tracing, name) || containsFold(shared, name) {
			continue
		}
		fmt.Fprintf(sum, "%q", name)
		for _, value := range headers[name] {
			fmt.Fprintf(sum, " %q", value)
		}
		sum.Write([]byte{'\n'})
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func containsFold(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}
