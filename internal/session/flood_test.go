package session_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/internal/bound"
	"github.com/mcptoolset/mcptoolset/internal/mcptest"
	"github.com/mcptoolset/mcptoolset/internal/session"
)

// endless is a JSON text that never ends, until nobody reads it any more.
func endless(w io.Writer) {
	if _, err := io.WriteString(w, `{"jsonrpc":"2.0","result":{"x":"`); err != nil {
		return
	}
	for chunk := strings.Repeat("x", 64<<10); ; {
		if _, err := io.WriteString(w, chunk); err != nil {
			return
		}
	}
}

func TestAnAnswerWithoutEndEndsTheCall(t *testing.T) {
	t.Parallel()
	web := mcptest.New(t, mcptest.Legacy()).StreamableHTTP(t)
	p := newPool(t, config.NewStreamableHTTP(web.URL), func(o *session.Options) { o.MaxMessage = 1 << 20 })
	web.Once(mcptest.Method("tools/call"), func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		endless(w)
	})
	_, err := call(t.Context(), p, "echo")
	require.ErrorIs(t, err, bound.ErrTooLarge)
	_, err = call(t.Context(), p, "echo")
	assert.NoError(t, err, "the session lives on")
}
