//go:build unix

package soak

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"strconv"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// userHeader says who calls.
const userHeader = "X-User"

// newServer has one tool with an effect, charge, and two without.
func newServer(l *ledger) *server.MCPServer {
	s := server.NewMCPServer("soak", "1", server.WithToolCapabilities(true))
	s.AddTool(mcp.NewTool("charge", mcp.WithString("key", mcp.Required())), l.charge)
	s.AddTool(mcp.NewTool("whoami", mcp.WithString("key", mcp.Required()), mcp.WithReadOnlyHintAnnotation(true)), whoami)
	s.AddTool(mcp.NewTool("big", mcp.WithString("key", mcp.Required()), mcp.WithReadOnlyHintAnnotation(true)), big)
	return s
}

// receipt is what charge and whoami answer.
type receipt struct{ Key, User string }

func (l *ledger) charge(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if err := l.note(effect, r.GetString("key", "")); err != nil {
		return nil, err
	}
	return whoami(ctx, r)
}

func whoami(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	user := r.Header.Get(userHeader)
	if user == "" {
		user = toolset.HeadersFromContext(ctx).Get(userHeader)
	}
	text, err := json.Marshal(receipt{r.GetString("key", ""), user})
	if err != nil {
		return nil, err
	}
	return mcp.NewToolResultText(string(text)), nil
}

// big answers 32 KB of the key.
func big(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	key := r.GetString("key", "-") + " "
	return mcp.NewToolResultText(strings.Repeat(key, 32<<10/len(key))), nil
}

// ledgerEnv makes a process a server on its stdin and stdout, with the ledger
// of that path.
const ledgerEnv = "MCPTOOLSET_SOAK_LEDGER"

func serveStdio(path string) error {
	l := openLedger(path)
	if l == nil {
		return fmt.Errorf("no ledger at %s", path)
	}
	if err := l.note(process, strconv.Itoa(os.Getpid())); err != nil {
		return err
	}
	stdio := server.NewStdioServer(newServer(l))
	stdio.SetErrorLogger(log.New(io.Discard, "", 0))
	return stdio.Listen(context.Background(), os.Stdin, os.Stdout)
}

var quiet = slog.New(slog.DiscardHandler)
