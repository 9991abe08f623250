package streamable

import (
	"log/slog"

	"github.com/mark3labs/mcp-go/client/transport"
)

// Branch returns a transport to the same server with a notification handler of
// its own, for a request whose notices are to be told from those of all others:
// mcp-go does not say by which stream one came. It needs no handshake, no Start
// and no Close, and its requests end with t. Only since 2026-07-28, where there
// are no sessions, is it of use.
func (t *Transport) Branch() (transport.Interface, error) {
	inner, err := transport.NewStreamableHTTP(t.message.URL.String(),
		transport.WithHTTPLogger(slog.New(slog.DiscardHandler)), transport.WithHTTPBasicClient(t.client))
	if err != nil {
		return nil, err
	}
	branch := &Transport{StreamableHTTP: inner, message: t.message, client: t.client, direct: t.direct, life: t.life, end: func() {}}
	if version := t.version.Load(); version != nil {
		branch.SetProtocolVersion(*version)
	}
	return branch, nil
}
