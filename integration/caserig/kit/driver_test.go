package kit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/tools"
)

// fakeSet is a toolset with one tool.
type fakeSet struct{ closed bool }

func (s *fakeSet) Tools(context.Context) ([]tools.Tool, error) { return []tools.Tool{echoTool{}}, nil }
func (s *fakeSet) Close() error                                { s.closed = true; return nil }
func (s *fakeSet) Report() []string                            { return []string{"a warning"} }
func (s *fakeSet) Params(tools.Tool) any                       { return map[string]any{"type": "object"} }

var errGone = errors.New("gone")

// echoTool answers with its caller and input.
type echoTool struct{}

func (echoTool) Name() string        { return "echo" }
func (echoTool) Description() string { return "echoes" }
func (echoTool) Call(ctx context.Context, input string) (string, error) {
	switch input {
	case "panic":
		panic("at the disco")
	case "gone":
		return "", errGone
	case "wait":
		<-ctx.Done()
		return "", ctx.Err()
	}
	return User(ctx) + Token(ctx) + ":" + input, nil
}

// play runs ops through a driver and gives the answers by id.
func play(t *testing.T, ops ...string) map[string]answer {
	t.Helper()
	var out bytes.Buffer
	open := func(c Config) (Set, error) {
		if err := c.Reject("http"); err != nil {
			return nil, err
		}
		return &fakeSet{}, nil
	}
	d := newDriver(open, map[string]error{"gone": errGone, "canceled": context.Canceled}, &out)
	require.NoError(t, d.serve(strings.NewReader(strings.Join(ops, "\n"))))
	got := map[string]answer{}
	for line := range strings.Lines(out.String()) {
		var a answer
		require.NoError(t, json.Unmarshal([]byte(line), &a))
		got[a.ID] = a
	}
	require.Len(t, got, len(ops))
	return got
}

const opened = `{"id":"new","op":"new","config":{"http":{"url":"http://x"}}}`

func TestServe_AnswersOps(t *testing.T) {
	t.Parallel()
	got := play(t, `{"id":"early","op":"tools"}`, opened, `{"id":"list","op":"tools"}`,
		`{"id":"call","op":"call","tool":"echo","input":"hi","user":"alice","token":"t1"}`,
		`{"id":"many","op":"call","tool":"echo","input":"n%N%","n":3}`,
		`{"id":"none","op":"call","tool":"nope"}`,
		`{"id":"odd","op":"dance"}`, `{"id":"leaks","op":"leaks"}`, `{"id":"close","op":"close"}`)
	assert.Equal(t, errNotOpen.Error(), got["early"].Err)
	assert.True(t, got["new"].OK)
	assert.Equal(t, []toolInfo{{"echo", "echoes", map[string]any{"type": "object"}}}, got["list"].Tools)
	assert.Equal(t, []string{"a warning"}, got["list"].Report)
	assert.Equal(t, "alicet1:hi", got["call"].Text)
	assert.Equal(t, []string{":n0", ":n1", ":n2"}, got["many"].Texts)
	assert.Contains(t, got["none"].Err, "nope")
	assert.Equal(t, "op dance", got["odd"].Unsupported)
	assert.Positive(t, got["leaks"].Goroutines)
	assert.True(t, got["close"].OK)
}

func TestServe_TellsErrorsPanicsAndCancels(t *testing.T) {
	t.Parallel()
	got := play(t, opened, `{"id":"list","op":"tools"}`,
		`{"id":"panic","op":"call","tool":"echo","input":"panic"}`,
		`{"id":"gone","op":"call","tool":"echo","input":"gone"}`,
		`{"id":"cancel","op":"call","tool":"echo","input":"wait","cancel_ms":1}`,
		`{"id":"side","op":"call","tool":"echo","input":"wait","async":true,"deadline_ms":1}`)
	assert.Equal(t, "at the disco", got["panic"].Panic)
	assert.False(t, got["panic"].OK)
	assert.Equal(t, []string{"gone"}, got["gone"].Is)
	assert.Equal(t, []string{"canceled"}, got["cancel"].Is)
	assert.Equal(t, context.DeadlineExceeded.Error(), got["side"].Err)
}

func TestServe_SaysWhatTheLibraryCannotDo(t *testing.T) {
	t.Parallel()
	got := play(t, `{"id":"new","op":"new","config":{"http":{"url":"http://x"},"allow":[]}}`)
	assert.Equal(t, "allow", got["new"].Unsupported)
	assert.False(t, got["new"].OK)
}

func TestServe_RunsAnAgent(t *testing.T) {
	t.Parallel()
	got := play(t, opened, `{"id":"run","op":"agent","script":[{"calls":[{"name":"echo","input":"{\"a\":1}"}]},{"text":"done"}]}`)
	assert.True(t, got["run"].OK, got["run"].Err)
	assert.Equal(t, "done", got["run"].Text)
	assert.Equal(t, []string{`:{"a":1}`}, got["run"].Observations)
}

func TestServe_RefusesWhatIsNoOp(t *testing.T) {
	t.Parallel()
	d := newDriver(nil, nil, &bytes.Buffer{})
	require.Error(t, d.serve(strings.NewReader("not JSON\n")))
}

func TestConfig_MutateHeadersChangesTheCallersMap(t *testing.T) {
	t.Parallel()
	h := map[string]string{"Authorization": "Bearer a"}
	Config{SSE: &URL{Headers: h}}.mutateHeaders()
	assert.Equal(t, "changed", h["Authorization"])
}

func TestConfig_HeadersAreFreshEachTime(t *testing.T) {
	t.Parallel()
	c := Config{FreshHeader: "X-Id"}
	one, err := c.Headers(t.Context())
	require.NoError(t, err)
	two, err := c.Headers(t.Context())
	require.NoError(t, err)
	assert.NotEqual(t, one["X-Id"], two["X-Id"])
	_, err = Config{HeaderFromFile: &FileHeader{"X", "/nonexistent"}}.Headers(t.Context())
	require.Error(t, err)
}
