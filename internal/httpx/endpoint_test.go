package httpx_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
)

func TestAnSSEServerNamesAnAddressOnItself(t *testing.T) {
	t.Parallel()
	const after = "event: message\ndata: {}\n\n"
	for title, c := range map[string]struct{ stream, why string }{
		"relative":              {"event: endpoint\ndata: /messages?id=1\n\n", ""},
		"absolute":              {"event: endpoint\ndata: $home/messages\n\n", ""},
		"behind other events":   {": hello\n\nevent: message\ndata: http://other.test/\n\ndata: x\n\nevent: endpoint\r\ndata:/messages\r\n\r\n", ""},
		"later ones are passed": {"event: endpoint\ndata: /messages\n\nevent: endpoint\ndata: http://other.test/\n\n", ""},
		"a long line before":    {": " + strings.Repeat("x", 200_000) + "\n\nevent: endpoint\ndata: /messages\n\n", ""},
		"another host":          {"event: endpoint\ndata: http://other.test/messages?token=secret-7\n\n", "http://other.test/messages"},
		"without a scheme":      {"event: endpoint\ndata: //other.test/messages\n\n", "http://other.test/messages"},
		"another scheme":        {"event: endpoint\ndata: ftp://127.0.0.1/messages\n\n", "ftp://127.0.0.1/messages"},
		"unreadable":            {"event: endpoint\ndata: http://a b/%zz?secret-7\n\n", "cannot be read"},
		"none":                  {"event: hello\ndata: x\n\n", "before it named the address"},
		"torn":                  {"event: endpoint\ndata: /messages\n", "before it named the address"},
		"a page":                {"<html>not here</html>", "before it named the address"},
		"nothing":               {"", "before it named the address"},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			var stream string
			s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
				stream = strings.ReplaceAll(c.stream, "$home", "http://"+r.Host)
				if c.why == "" {
					stream += after
				}
				for _, b := range []byte(stream) { // in pieces of any size
					_, _ = w.Write([]byte{b})
				}
			})
			resp, err := client(t, s.URL, true, nil).Get(s.URL + "/sse?token=secret-7")
			require.NoError(t, err)
			defer resp.Body.Close()
			got, err := io.ReadAll(resp.Body)
			if c.why == "" {
				require.NoError(t, err)
				assert.Equal(t, stream, string(got))
				return
			}
			var bad *httpx.EndpointError
			require.ErrorAs(t, err, &bad)
			assert.Contains(t, bad.Error(), c.why)
			assert.Contains(t, bad.Error(), s.URL)
			assert.NotContains(t, bad.Error(), "secret-7")
		})
	}
}

func TestO86_AMessageOverSSEGoesToNoOtherServer(t *testing.T) {
	t.Parallel()
	other := newSite(t, status(202, ""))
	c := client(t, "https://127.0.0.1:1/sse", true, nil)
	_, err := post(t, c, t.Context(), other.URL, nil) // as after an endpoint with another scheme
	var bad *httpx.EndpointError
	require.ErrorAs(t, err, &bad)
	assert.Empty(t, other.seen, fmt.Sprint(err))
}
