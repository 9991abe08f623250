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
	given, err := provide(ctx, p.o.Provider)
	if err != nil {
		return nil, &HeaderError{"header provider", err}
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

// provide keeps a panic of the owner's code from ending the run.
func provide(ctx context.Context, provider func(context.Context) (http.Header, error)) (h http.Header, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &wire.PanicError{Value: p}
		}
	}()
	return provider(ctx)
}

// identify names the identity that headers belong to.
func (p *Pool) identify(ctx context.Context, headers http.Header) (string, error) {
	if p.o.Identity != nil {
		name, err := who(ctx, p.o.Identity, headers.Clone())
		return "named " + name, err
	}
	return "headers " + fingerprint(headers, p.o.Shared), nil
}

func who(ctx context.Context, identity func(context.Context, http.Header) string, h http.Header) (name string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &HeaderError{"identity function", &wire.PanicError{Value: p}}
		}
	}()
	return identity(ctx, h), nil
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
