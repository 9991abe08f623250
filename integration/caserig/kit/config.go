package kit

import (
	"context"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
)

// Config is what a case asks for. A driver answers [Unsupported] for what its
// library cannot give.
type Config struct {
	Name  string `json:"name"`
	Stdio *Stdio `json:"stdio"`
	HTTP  *URL   `json:"http"` // streamable HTTP
	SSE   *URL   `json:"sse"`

	Allow             *[]string   `json:"allow"` // names, as the server spells them; none = no tool
	Deny              *[]string   `json:"deny"`
	Prefix            string      `json:"prefix"`
	Resources         bool        `json:"resources"`           // add the tools that list and load resources
	MaxResourceLength int         `json:"max_resource_length"` // characters
	MaxOutput         int         `json:"max_output"`          // characters
	CallTimeoutMS     int         `json:"call_timeout_ms"`
	ConnectTimeoutMS  int         `json:"connect_timeout_ms"`
	Trusted           bool        `json:"trusted"`          // the server's hints may be relied on
	HeaderFromCtx     string      `json:"header_from_ctx"`  // header with the op's user
	TokenHeader       string      `json:"token_header"`     // header with the op's token
	HeaderFromFile    *FileHeader `json:"header_from_file"` // header read anew each time it is asked for
	FreshHeader       string      `json:"fresh_header"`     // header with another value each time it is asked for
	IdentityByUser    bool        `json:"identity_by_user"` // sessions belong to the op's user, whatever the headers
	TypedNil          bool        `json:"typed_nil"`        // the connection is a typed nil pointer
	MutateHeaders     bool        `json:"mutate_headers"`   // the caller's header map is changed after opening
	ServersJSON       string      `json:"servers_json"`     // an mcpServers file
	Group             []Config    `json:"group"`            // several servers as one toolset
}

// Stdio is a child process.
type Stdio struct {
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
}

// URL is a server reached over HTTP.
type URL struct {
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
}

// FileHeader is a header whose value is a file's text.
type FileHeader struct {
	Header string `json:"header"`
	Path   string `json:"path"`
}

type unsupported string

func (u unsupported) Error() string { return "unsupported: " + string(u) }

// Unsupported is the error that says that the library has no such feature.
func Unsupported(what string) error { return unsupported(what) }

// Dynamic says whether the config asks for headers that are resolved anew for
// each operation.
func (c Config) Dynamic() bool {
	return c.HeaderFromCtx != "" || c.TokenHeader != "" || c.HeaderFromFile != nil || c.FreshHeader != ""
}

// Reject returns [Unsupported] for the first wish of the config that is not in
// the list.
func (c Config) Reject(can ...string) error {
	has := map[string]bool{}
	for _, s := range can {
		has[s] = true
	}
	for _, w := range []struct {
		name string
		want bool
	}{
		{"stdio", c.Stdio != nil}, {"http", c.HTTP != nil}, {"sse", c.SSE != nil},
		{"allow", c.Allow != nil}, {"deny", c.Deny != nil}, {"prefix", c.Prefix != ""}, {"resources", c.Resources},
		{"max_resource_length", c.MaxResourceLength != 0}, {"max_output", c.MaxOutput != 0},
		{"call_timeout", c.CallTimeoutMS != 0}, {"connect_timeout", c.ConnectTimeoutMS != 0},
		{"dynamic_headers", c.Dynamic()}, {"identity", c.IdentityByUser}, {"trusted", c.Trusted},
		{"typed_nil", c.TypedNil}, {"servers_json", c.ServersJSON != ""}, {"group", c.Group != nil},
	} {
		if w.want && !has[w.name] {
			return Unsupported(w.name)
		}
	}
	return nil
}

var headersAsked atomic.Int64

// Headers is what the driver's header provider answers for an operation.
func (c Config) Headers(ctx context.Context) (map[string]string, error) {
	h := map[string]string{}
	if c.HeaderFromCtx != "" && User(ctx) != "" {
		h[c.HeaderFromCtx] = User(ctx)
	}
	if c.TokenHeader != "" && Token(ctx) != "" {
		h[c.TokenHeader] = Token(ctx)
	}
	if f := c.HeaderFromFile; f != nil {
		b, err := os.ReadFile(f.Path)
		if err != nil {
			return nil, err
		}
		h[f.Header] = strings.TrimSpace(string(b))
	}
	if c.FreshHeader != "" {
		h[c.FreshHeader] = "r" + strconv.FormatInt(headersAsked.Add(1), 10)
	}
	return h, nil
}

// mutateHeaders changes the header maps that the library was given.
func (c Config) mutateHeaders() {
	for _, u := range []*URL{c.HTTP, c.SSE} {
		if u != nil && u.Headers != nil {
			u.Headers["Authorization"] = "changed"
		}
	}
}

type (
	userKey  struct{}
	tokenKey struct{}
)

// User is the user on whose behalf the current operation runs.
func User(ctx context.Context) string { s, _ := ctx.Value(userKey{}).(string); return s }

// Token is that user's token.
func Token(ctx context.Context) string { s, _ := ctx.Value(tokenKey{}).(string); return s }
