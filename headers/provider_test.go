package headers_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"github.com/mcptoolset/mcptoolset/headers"
)

type source func() (*oauth2.Token, error)

func (s source) Token() (*oauth2.Token, error) { return s() }

func TestF1_StaticHeadersAreCopied(t *testing.T) {
	t.Parallel()
	values := map[string]string{"x-team": "blue"}
	provider := headers.Static(values)
	values["x-team"] = "red"
	first, err := provider(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "blue", first.Get("X-Team"))
	first.Set("X-Team", "green")
	second, err := provider(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "blue", second.Get("X-Team"))
}

func TestF1_ContextHeadersLieOverEachOther(t *testing.T) {
	t.Parallel()
	none, err := headers.FromContext(t.Context())
	require.NoError(t, err)
	assert.Empty(t, none)

	given := http.Header{"X-User": {"ann"}, "X-Team": {"blue"}}
	outer := headers.NewContext(t.Context(), given)
	given.Set("X-User", "changed")
	inner := headers.NewContext(outer, http.Header{"x-user": {"bob"}})
	for ctx, user := range map[context.Context]string{outer: "ann", inner: "bob"} {
		found, err := headers.FromContext(ctx)
		require.NoError(t, err)
		assert.Equal(t, http.Header{"X-User": {user}, "X-Team": {"blue"}}, found)
		found.Set("X-User", "mine")
	}
	again, err := headers.FromContext(inner)
	require.NoError(t, err)
	assert.Equal(t, "bob", again.Get("X-User"), "what a caller does to an answer stays with it")
}

func TestF1_BearerAsksItsSourceEachTime(t *testing.T) {
	t.Parallel()
	tokens := []string{"first", "second"}
	provider := headers.Bearer(source(func() (*oauth2.Token, error) {
		token := &oauth2.Token{AccessToken: tokens[0], TokenType: "bearer", Expiry: time.Now().Add(time.Hour)}
		tokens = tokens[1:]
		return token, nil
	}))
	for _, want := range []string{"Bearer first", "Bearer second"} {
		got, err := provider(t.Context())
		require.NoError(t, err)
		assert.Equal(t, http.Header{"Authorization": {want}}, got)
	}
}

func TestF1_BearerWithoutAUsableTokenIsAnError(t *testing.T) {
	t.Parallel()
	gone := errors.New("the issuer is gone")
	for name, s := range map[string]oauth2.TokenSource{
		"no source": nil,
		"error":     source(func() (*oauth2.Token, error) { return nil, gone }),
		"nil token": source(func() (*oauth2.Token, error) { return nil, nil }),
		"empty":     source(func() (*oauth2.Token, error) { return &oauth2.Token{}, nil }),
		"run out": source(func() (*oauth2.Token, error) {
			return &oauth2.Token{AccessToken: "secret-token", Expiry: time.Now().Add(-time.Hour)}, nil
		}),
	} {
		got, err := headers.Bearer(s)(t.Context())
		require.Error(t, err, name)
		assert.Nil(t, got, name)
		assert.NotContains(t, err.Error(), "secret-token", name)
		assert.Equal(t, name == "error", errors.Is(err, gone), name)
	}
}

func TestF1_JoinedProvidersLieOverEachOther(t *testing.T) {
	t.Parallel()
	ctx := headers.NewContext(t.Context(), http.Header{"X-User": {"ann"}})
	joined := headers.Join(nil, headers.Static(map[string]string{"x-user": "nobody", "x-team": "blue"}), headers.FromContext)
	got, err := joined(ctx)
	require.NoError(t, err)
	assert.Equal(t, http.Header{"X-User": {"ann"}, "X-Team": {"blue"}}, got)

	failure := errors.New("no")
	_, err = headers.Join(func(context.Context) (http.Header, error) { return nil, failure }, func(context.Context) (http.Header, error) {
		t.Error("asked after a failure")
		return nil, nil
	})(ctx)
	require.ErrorIs(t, err, failure)

	none, err := headers.Join()(ctx)
	require.NoError(t, err)
	assert.Empty(t, none)
}
