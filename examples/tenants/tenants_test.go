package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"

	"github.com/mcptoolset/mcptoolset/internal/mcptest"
)

func TestMain(m *testing.M) { mcptest.Main(m) }

// curious is a model that asks the server who the caller is, and answers with
// what it observed. It keeps nothing, so all users can share it.
type curious struct{}

var _ llms.Model = curious{}

func (curious) GenerateContent(_ context.Context, messages []llms.MessageContent, _ ...llms.CallOption) (*llms.ContentResponse, error) {
	choice := &llms.ContentChoice{}
	if observed, ok := messages[len(messages)-1].Parts[0].(llms.ToolCallResponse); ok {
		choice.Content = observed.Content
	} else {
		choice.ToolCalls = []llms.ToolCall{{ID: "1", Type: "function", FunctionCall: &llms.FunctionCall{Name: "whoami", Arguments: "{}"}}}
	}
	return &llms.ContentResponse{Choices: []*llms.ContentChoice{choice}}, nil
}

func (m curious) Call(ctx context.Context, prompt string, options ...llms.CallOption) (string, error) {
	return llms.GenerateFromSinglePrompt(ctx, m, prompt, options...)
}

// house is the service in front of an MCP server.
type house struct {
	url   string
	mcp   *mcptest.Endpoint
	renew atomic.Int32 // counts the tokens of all users
}

// open starts both. An MCP server of the older era has sessions, which must not
// be mixed up.
func open(t *testing.T) *house {
	t.Helper()
	h := &house{mcp: mcptest.New(t, mcptest.Legacy()).StreamableHTTP(t)}
	ts, err := newToolset(h.mcp.URL)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ts.Close()) })
	web := httptest.NewServer(&service{toolset: ts, model: curious{}, signIn: func(key string) (user, bool) {
		id, ok := strings.CutPrefix(key, "key-of-")
		return user{id, fmt.Sprintf("%s-token-%d", id, h.renew.Load())}, ok
	}})
	t.Cleanup(web.Close)
	h.url = web.URL
	return h
}

// ask puts a question as who has the key.
func (h *house) ask(t *testing.T, key string) (string, int) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.url, strings.NewReader("Who am I?"))
	if !assert.NoError(t, err) {
		return "", 0
	}
	request.Header.Set("Authorization", "Bearer "+key)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if !assert.NoError(t, err) {
		return "", 0
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	assert.NoError(t, err)
	return string(body), response.StatusCode
}

// seen is what the MCP server saw of the caller.
func (h *house) seen(t *testing.T, key string) mcptest.Who {
	t.Helper()
	answer, status := h.ask(t, key)
	assert.Equal(t, http.StatusOK, status, answer)
	var who mcptest.Who
	assert.NoError(t, json.Unmarshal([]byte(answer), &who), answer)
	return who
}

func TestEachUserReachesTheServerAsThemselves(t *testing.T) {
	t.Parallel()
	h := open(t)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			id := []string{"alice", "bob"}[i%2]
			assert.Equal(t, "Bearer "+id+"-token-0", h.seen(t, "key-of-"+id).Headers["Authorization"])
		})
	}
	all.Wait()
	assert.Equal(t, 2, h.mcp.Received.Count(mcptest.Method("initialize")), "one session for each user")

	owner := map[string]string{}
	for _, r := range h.mcp.Received.All() {
		who, _, _ := strings.Cut(r.Header.Get("Authorization"), "-token")
		assert.NotEmpty(t, who, "%s %s", r.HTTP, r.Method)
		if r.Session != "" {
			assert.Contains(t, []string{"", who}, owner[r.Session], "a session under another user's token")
			owner[r.Session] = who
		}
	}
	assert.Len(t, owner, 2)
}

func TestARenewedTokenKeepsTheSession(t *testing.T) {
	t.Parallel()
	h := open(t)
	before := h.seen(t, "key-of-alice")
	h.renew.Add(1)
	after := h.seen(t, "key-of-alice")
	assert.Equal(t, "Bearer alice-token-1", after.Headers["Authorization"])
	assert.NotEmpty(t, after.Session)
	assert.Equal(t, before.Session, after.Session)
}

func TestStrangersAreSentAway(t *testing.T) {
	t.Parallel()
	h := open(t)
	_, status := h.ask(t, "nobody")
	assert.Equal(t, http.StatusUnauthorized, status)
	assert.Zero(t, h.mcp.Received.Count(), "the MCP server was not asked")

	_, err := headers(t.Context())
	assert.Error(t, err, "without a user nothing is sent")
}

func TestUsersAreReadFromAFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "users.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"k":{"id":"alice","token":"t"}}`), 0o600))
	users, err := readUsers(file)
	require.NoError(t, err)
	u, ok := users("k")
	assert.True(t, ok)
	assert.Equal(t, user{"alice", "t"}, u)
	_, ok = users("")
	assert.False(t, ok)
	_, err = readUsers(file + ".missing")
	assert.ErrorIs(t, err, os.ErrNotExist)
}
