package httpx

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"
)

// answers reports whether req carries an answer to a question of the server.
func answers(req *http.Request) bool {
	if req.Method != http.MethodPost || req.GetBody == nil {
		return false
	}
	body, err := req.GetBody()
	if err != nil {
		return false
	}
	defer body.Close()
	text, err := io.ReadAll(body)
	if err != nil {
		return false
	}
	var message struct {
		Method *string         `json:"method"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	return json.Unmarshal(text, &message) == nil && message.Method == nil && (message.Result != nil || message.Error != nil)
}

// answerLimit bounds how long an answer may take to be sent once its context has
// ended.
const answerLimit = 30 * time.Second

// answer sends an answer, even where its context ends before it is sent. mcp-go
// gives up on a question after 30 s, but a person may take longer to answer it, and
// the server waits; and it gives up when the request is answered that the question
// came behind. It may write to req.
func (t *Transport) answer(req *http.Request) (*http.Response, error) {
	ctx, end := context.WithCancel(context.WithoutCancel(req.Context()))
	stop := context.AfterFunc(req.Context(), func() { time.AfterFunc(answerLimit, end) })
	done := func() {
		stop()
		end()
	}
	if replayable(req) {
		req.GetBody = nil
	}
	resp, err := t.base.RoundTrip(req.WithContext(ctx))
	if err != nil {
		done()
		return nil, t.refusal(req, err)
	}
	resp.Body = &released{resp.Body, done}
	return t.judge(req, resp)
}

// released is a body with whose end something else ends.
type released struct {
	io.ReadCloser
	done func()
}

func (r *released) Close() error {
	defer r.done()
	return r.ReadCloser.Close()
}
