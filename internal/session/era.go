package session

import (
	"errors"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

// doubt is what an error says of the protocol that a connection speaks.
type doubt int

const (
	noDoubt  doubt = iota
	doubtful       // the server may speak another version now
	outdated       // it does, and looked no further at the request
)

// doubtOf tells whether a server refuses a request over streamable HTTP because
// it was replaced, behind the same address, by one that speaks another version:
// since 2026-07-28 there is no session whose loss would say so. A server refuses
// a version that it does not know with 400 (MCP 2025-11-25, basic/transports,
// "Protocol Version Header"), as it does a request without a session; one of the
// newer era has error codes of its own for it (MCP 2026-07-28, basic/versioning).
func doubtOf(c *wire.Conn, err error) doubt {
	var refusal *httpx.StatusError
	var answer *wire.RPCError
	switch {
	case c.Kind() != wire.StreamableHTTP:
	case errors.As(err, &refusal):
		if refusal.Status == http.StatusBadRequest && !refusal.InSession {
			return doubtful
		}
	case errors.As(err, &answer):
		return doubtOfAnswer(c.Info().Modern(), answer)
	}
	return noDoubt
}

// The codes that JSON-RPC leaves to implementations begin here and end at
// mcp.HEADER_MISMATCH, where those of MCP begin.
const firstFree = -32000

func doubtOfAnswer(modern bool, e *wire.RPCError) doubt {
	switch {
	case e.Code == mcp.UNSUPPORTED_PROTOCOL_VERSION, e.Code == mcp.HEADER_MISMATCH && !modern:
		return outdated
	case e.Status != http.StatusBadRequest:
	case e.Code == mcp.INVALID_REQUEST, e.Code <= firstFree && e.Code > mcp.HEADER_MISMATCH:
		return doubtful
	}
	return noDoubt
}
