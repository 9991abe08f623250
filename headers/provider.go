package headers

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"golang.org/x/oauth2"
)

// A Provider answers the headers of one operation, as
// toolset.WithHeaderProvider takes it. Those of this package may be called
// concurrently, and what they answer belongs to the caller.
type Provider = func(ctx context.Context) (http.Header, error)

// Static answers the same headers each time. It copies values; nil and an
// empty map are no headers. Where all callers share them, the Headers of the
// configuration do the same without a provider.
func Static(values map[string]string) Provider {
	fixed := make(http.Header, len(values))
	for name, value := range values {
		fixed.Set(name, value)
	}
	return func(context.Context) (http.Header, error) { return fixed.Clone(), nil }
}

// key is that of headers in a context.
type key struct{}

// NewContext returns a context with headers for the operations made with it,
// which [FromContext] finds. They lie over those that parent has, whatever the
// case of their names. It copies them.
func NewContext(parent context.Context, more http.Header) context.Context {
	all, _ := parent.Value(key{}).(http.Header)
	return context.WithValue(parent, key{}, over(all, more))
}

// FromContext is the [Provider] that answers what [NewContext] has put into
// the context of an operation. Without any, there are no headers: the server
// decides what a caller without a name may do. It returns no error.
func FromContext(ctx context.Context) (http.Header, error) {
	all, _ := ctx.Value(key{}).(http.Header)
	return over(nil, all), nil
}

// Bearer answers the Authorization header with the token of source, which is
// asked each time: it has to keep its token and to renew it in time, as
// [oauth2.ReuseTokenSource] and the sources of [oauth2.Config] and
// golang.org/x/oauth2/clientcredentials do. Its error is returned and wrapped;
// so is one for a token that is empty or has run out. Token takes no context: a
// source that hangs is given up by the toolset, within its connect limit.
//
// A nil source answers an error each time.
func Bearer(source oauth2.TokenSource) Provider {
	return func(context.Context) (http.Header, error) {
		if source == nil {
			return nil, errors.New("headers: Bearer was given no token source")
		}
		token, err := source.Token()
		if err != nil {
			return nil, fmt.Errorf("headers: no token: %w", err)
		}
		if !token.Valid() {
			return nil, errors.New("headers: the token source gave a token that is empty or has run out")
		}
		return http.Header{"Authorization": {token.Type() + " " + token.AccessToken}}, nil
	}
}

// Join asks providers one after the other; the answers of later ones lie over
// those of earlier ones, whatever the case of their names. The first error ends
// it and is returned. Nil providers are left out.
func Join(providers ...Provider) Provider {
	given := slices.DeleteFunc(slices.Clone(providers), func(p Provider) bool { return p == nil })
	return func(ctx context.Context) (http.Header, error) {
		all := http.Header{}
		for _, provider := range given {
			more, err := provider(ctx)
			if err != nil {
				return nil, err
			}
			all = over(all, more)
		}
		return all, nil
	}
}

// over returns a copy of below with more laid over it.
func over(below, more http.Header) http.Header {
	all := make(http.Header, len(below)+len(more))
	for _, layer := range []http.Header{below, more} {
		for _, name := range slices.Sorted(maps.Keys(layer)) {
			all[http.CanonicalHeaderKey(name)] = slices.Clone(layer[name])
		}
	}
	return all
}
