package config_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/config"
)

func TestA5_O82_BadHeaders(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		header, value, want string
		hidden              bool // the name must not be shown
	}{
		"line feed":              {"X-Api-Key", "tok-123\nX: y", "line feed", false},
		"only a line feed":       {"X-Api-Key", "\n", "line feed", false},
		"trailing line feed":     {"X-Api-Key", "tok-123\n", "line feed", false},
		"carriage return":        {"X-Api-Key", "tok-123\r", "line feed", false},
		"NUL":                    {"X-Api-Key", "tok-123\x00", "control", false},
		"delete":                 {"X-Api-Key", "tok-123\x7f", "control", false},
		"escape":                 {"X-Api-Key", "\x1b[31mtok-123", "control", false},
		"unexpanded":             {"Authorization", "Bearer ${TOK:-tok-123}", "${TOK}", false},
		"unexpanded env":         {"X-Api-Key", "${env:MY_TOK}", "${env:MY_TOK}", false},
		"empty bearer":           {"Authorization", "Bearer ", "credential", false},
		"bare bearer":            {"authorization", "bearer", "credential", false},
		"empty basic":            {"Authorization", " Basic  ", "credential", false},
		"empty authorization":    {"Authorization", "", "credential", false},
		"empty key":              {"x-api-key", "", "credential", false},
		"empty name":             {"", "tok-123", "header name", true},
		"name with a space":      {"Bearer tok-123", "Authorization", "header name", true},
		"name with a colon":      {"tok-123:", "v", "header name", true},
		"name with a line feed":  {"X-A\ntok-123", "v", "header name", true},
		"name that is not ASCII": {"X-Größe", "v", "header name", true},
		"accept":                 {"Accept", "text/html", "itself", false},
		"lower case":             {"content-type", "x", "itself", false},
		"length":                 {"Content-Length", "1", "itself", false},
		"session":                {"mcp-session-id", "tok-123", "itself", false},
		"parameter":              {"Mcp-Param-City", "x", "itself", false},
		"host":                   {"Host", "h", "itself", false},
	} {
		for field, c := range map[string]config.Config{
			"SSE.Headers":            {SSE: &config.SSE{URL: "http://h", Headers: map[string]string{tt.header: tt.value}}},
			"StreamableHTTP.Headers": {StreamableHTTP: &config.StreamableHTTP{URL: "http://h", Headers: map[string]string{tt.header: tt.value}}},
		} {
			if !tt.hidden {
				field += `["` + tt.header + `"]`
			}
			for _, err := range bothDoors(c) {
				require.Error(t, err, name)
				assert.Equal(t, []string{field}, fieldsIn(t, err), name)
				assert.ErrorContains(t, err, tt.want, name)
				assert.NotContains(t, err.Error(), "tok-123", name)
			}
		}
	}
	assert.NoError(t, config.Config{SSE: &config.SSE{URL: "http://h", Headers: map[string]string{
		"Authorization": "Bearer x", "X-Empty": "", "X-Tab": "a\tb", "X-UTF8": "größe", "X-Latin": "\xe9", "User-Agent": "mine/1",
		"X-Dollar": "pa$word {x} $(y) ${", "X-Open": "${name", "x_under.score!#$%&'*+^`|~": "v", "Cookie": "a=b", "Mcp-Tenant": "t", "Cache-Control": "no-store",
		"Origin": "http://o", "Accept-Language": "de", "X-Mcp-Param-A": "1",
	}}}.Validate())
}

func TestA5_ReservedHeaders(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"Accept", "Accept-Encoding", "Connection", "Content-Encoding", "Content-Length", "Content-Type", "Expect", "Host", "Keep-Alive", "Last-Event-ID",
		mcp.HeaderMethod, mcp.HeaderName, mcp.HeaderProtocolVersion, mcp.HeaderSessionID, mcp.HeaderLastEventID, mcp.HeaderParamPrefix + "X",
		"Mcp-Param-", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
	} {
		for _, n := range []string{name, strings.ToLower(name), strings.ToUpper(name)} {
			assert.True(t, config.ReservedHeader(n), n)
		}
	}
	for _, name := range []string{"", "Authorization", "X-Api-Key", "Cookie", "User-Agent", "Accept-Language", "Mcp-Params", "Mcp", "X-Accept", "Hosts"} {
		assert.False(t, config.ReservedHeader(name), name)
	}
}

// Headers made at run time keep to the same rules, but what an owner's code
// leaves empty may be meant.
func TestF1_HeadersMadeAtRunTime(t *testing.T) {
	t.Parallel()
	for _, h := range []http.Header{nil, {}, {"X-A": nil}, {"X-A": {"1", "2"}}, {"Authorization": {""}, "X-B": {"${x}"}}} {
		assert.NoError(t, config.CheckHeaders(h), "%v", h)
	}
	err := config.CheckHeaders(http.Header{
		"X-A": {"fine", secret + "\n"}, "Accept": {"x"}, "mcp-session-id": {secret}, "Bearer " + secret: {"x"}, "X-Good": {secret},
	})
	require.Error(t, err)
	assert.ElementsMatch(t, []string{`Headers["X-A"]`, `Headers["Accept"]`, `Headers["mcp-session-id"]`, "Headers"}, fieldsIn(t, err))
	assert.NotContains(t, err.Error(), secret)
	assert.True(t, strings.HasPrefix(err.Error(), `Headers["Accept"]: `), "the error speaks of a config: %v", err)
}
