package toolset_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// interview has a raw server of the older era ask on the stream of its answer
// to a method, and answer only when it has been told.
type interview struct {
	method    string
	questions []string // methods and params of requests
	result    string   // or an error object after "!"

	told chan string
	mu   sync.Mutex
	all  []string // what it was told
	held int      // how often the method was used
}

func (i *interview) by(s *raw) {
	i.told = make(chan string, len(i.questions))
	next := s.Config.Handler
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		var m request
		_ = json.Unmarshal(body, &m) // the GET has no body
		switch {
		case m.Method == "" && m.ID != nil:
			select {
			case i.told <- string(body):
			case <-r.Context().Done():
			}
			w.WriteHeader(http.StatusAccepted)
		case m.Method == i.method:
			i.hold(r.Context(), w, m)
		default:
			r.Body = io.NopCloser(bytes.NewReader(body))
			next.ServeHTTP(w, r)
		}
	})
}

func (i *interview) hold(ctx context.Context, w http.ResponseWriter, m request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.held++
	w.Header().Set("Content-Type", "text/event-stream")
	for n, question := range i.questions {
		fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":\"q%d\",%s}\n\n", n, question)
		w.(http.Flusher).Flush()
		select {
		case told := <-i.told:
			i.all = append(i.all, told)
		case <-ctx.Done():
			return
		}
	}
	member := `"result":` + i.result
	if i.result[0] == '!' {
		member = `"error":` + i.result[1:]
	}
	fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,%s}\n\n", m.ID, member)
}

// heard is what the server was told, and how often it was asked.
func (i *interview) heard() ([]string, int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.all, i.held
}

// observed is what the model is told of a call of the tool t.
func observed(t *testing.T, ts *toolset.Toolset) string {
	t.Helper()
	found, err := ts.Tool(t.Context(), "t")
	if err != nil {
		t.Fatal(err)
	}
	text, err := found.Call(t.Context(), `{"q":1}`)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
