package mcptest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// hooks make an mcp-go server, which always speaks both eras, one of the older.
func (s *Server) hooks() *server.Hooks {
	hooks := new(server.Hooks)
	if s.spec.Legacy {
		hooks.AddOnRequestInitialization(refuseModern)
	}
	return hooks
}

// refuseModern makes server/discover an unknown method and refuses the other
// requests of the modern era. A hook can only answer "invalid request", so
// discover is made to look like a request of the older era, in place: there
// mcp-go itself says that it does not know the method.
func refuseModern(_ context.Context, _ any, message any) error {
	raw, ok := message.(json.RawMessage)
	if !ok {
		return nil
	}
	m := ParseMessage(raw)
	switch {
	case m.Method == string(mcp.MethodServerDiscover):
		older := bytes.ReplaceAll(raw, []byte(mcp.ProtocolVersion20260728), []byte(mcp.LATEST_LEGACY_PROTOCOL_VERSION))
		copy(raw, older) // dates are equally long
		return nil
	case mcp.IsModernProtocol(m.Version()):
		return errors.New("unsupported protocol version " + m.Version())
	}
	return nil
}

// legacyOverHTTP is refuseModern for streamable HTTP, where mcp-go answers by the rules of
// the modern era before it asks a hook. Servers of the older era say "method not
// found" with status 200.
func legacyOverHTTP(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m := readMessage(r)
		switch {
		case m.Method == string(mcp.MethodServerDiscover):
			writeJSON(w, http.StatusOK, Failure(m, mcp.METHOD_NOT_FOUND, "Method not found"))
		case mcp.IsModernProtocol(m.Version()) || mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion)):
			writeJSON(w, http.StatusBadRequest, Failure(m, mcp.INVALID_REQUEST, "Bad Request: Unsupported protocol version"))
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// readMessage reads the body of a request and leaves it to be read again.
func readMessage(r *http.Request) Message {
	if r.Body == nil {
		return Message{}
	}
	body, err := io.ReadAll(r.Body)
	_ = r.Body.Close()
	var rest io.Reader = bytes.NewReader(body)
	if err != nil {
		rest = io.MultiReader(rest, failing{err})
	}
	r.Body = io.NopCloser(rest)
	return ParseMessage(body)
}

// failing is a reader that has failed.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
