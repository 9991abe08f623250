package toolset

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcptoolset/mcptoolset/internal/render"
	"github.com/mcptoolset/mcptoolset/internal/session"
)

// WithServerLogger has the server's log messages (MCP, server/utilities/logging)
// written to logger, with the attributes server, logger (the server's word for
// where it comes from) and data, where the message is more than text. What the
// server sends is text of a stranger, cut at 4,000 characters, without the
// secrets of the session.
//
// The levels are debug, info, notice (slog.LevelInfo+2), warning, error,
// critical (slog.LevelError+4), alert (+8) and emergency (+12). Asked for are
// those from the lowest on that logger takes when the toolset is made;
// [Toolset.SetServerLogLevel] changes that. Messages are written one after
// another for each connection, off its read loop, and the oldest go where more
// than 1,024 or 16 MiB wait. Over streamable HTTP messages outside of calls only come with
// [WithListening]. By default, and for nil, none are asked for.
func WithServerLogger(logger *slog.Logger) Option {
	return func(o *options) { o.serverLogger = logger }
}

// levels are MCP's log levels and slog's for them, from the lowest on.
var levels = []struct {
	name  mcp.LoggingLevel
	level slog.Level
}{
	{mcp.LoggingLevelDebug, slog.LevelDebug},
	{mcp.LoggingLevelInfo, slog.LevelInfo},
	{mcp.LoggingLevelNotice, slog.LevelInfo + 2},
	{mcp.LoggingLevelWarning, slog.LevelWarn},
	{mcp.LoggingLevelError, slog.LevelError},
	{mcp.LoggingLevelCritical, slog.LevelError + 4},
	{mcp.LoggingLevelAlert, slog.LevelError + 8},
	{mcp.LoggingLevelEmergency, slog.LevelError + 12},
}

// logLevel is the level to ask the server for; empty for no messages at all.
func (o *options) logLevel() mcp.LoggingLevel {
	if o.serverLogger == nil {
		return ""
	}
	for _, l := range levels {
		if o.serverLogger.Enabled(context.Background(), l.level) {
			return l.name
		}
	}
	return mcp.LoggingLevelEmergency
}

// SetServerLogLevel asks the server for its log messages from a level on: in
// sessions of before 2026-07-28 by a request each, since then with the requests
// that follow. Without [WithServerLogger] they are asked for and dropped. It
// does not connect: sessions to come ask for the same. The error is an [*Error]
// with what the server answered.
func (ts *Toolset) SetServerLogLevel(ctx context.Context, level slog.Level) error {
	began := time.Now()
	if err := ts.open(ctx); err != nil {
		return ts.fault(StageConnect, "", began, err)
	}
	asked := mcp.LoggingLevelEmergency
	for _, l := range levels {
		if l.level >= level {
			asked = l.name
			break
		}
	}
	ctx, done := context.WithTimeout(ctx, ts.cfg.ConnectTimeout)
	defer done()
	if err := ts.pool.SetLogLevel(ctx, asked); err != nil {
		return ts.fault(StageConnect, "", began, err)
	}
	return nil
}

const (
	// maxLogged bounds what is logged of one value of a message, in characters.
	maxLogged = 4000
	// maxExamined bounds what is searched for secrets, in bytes, of which none
	// is taken to be longer than longestSecret.
	maxExamined   = 256 << 10
	longestSecret = 64 << 10
)

// logged writes one of the server's log messages to the owner's logger.
func (ts *Toolset) logged(n session.Notice) {
	if ts.o.serverLogger == nil {
		return
	}
	attrs := []slog.Attr{slog.String("server", ts.cfg.Name)}
	if from := text(n, n.Params["logger"]); from != "" {
		attrs = append(attrs, slog.String("logger", from))
	}
	message, whole := headline(n)
	if !whole {
		attrs = append(attrs, slog.String("data", text(n, n.Params["data"])))
	}
	ts.contain("server logger", func() {
		ts.o.serverLogger.LogAttrs(ts.life, levelOf(n.Params["level"]), message, attrs...)
	})
}

// levelOf is slog's level for one of MCP's; what is none counts as info.
func levelOf(level any) slog.Level {
	name, _ := level.(string)
	for _, l := range levels {
		if strings.EqualFold(string(l.name), name) {
			return l.level
		}
	}
	return slog.LevelInfo
}

// headline is the text of a message, and whether that is all of it. An object
// often has its text in message or msg.
func headline(n session.Notice) (message string, whole bool) {
	switch data := n.Params["data"].(type) {
	case string:
		return text(n, data), true
	case map[string]any:
		for _, key := range []string{"message", "msg"} {
			if said, ok := data[key].(string); ok {
				return text(n, said), len(data) == 1
			}
		}
	}
	return "message of the server", false
}

// text is a value of the server's as text that may be logged.
func text(n session.Notice, v any) string {
	said, ok := v.(string)
	if !ok && v != nil {
		var b strings.Builder
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(false)
		if encoder.Encode(v) != nil {
			return "what cannot be written as JSON"
		}
		said = strings.TrimSuffix(b.String(), "\n")
	}
	clean := n.Redact(said[:min(len(said), maxExamined)])
	if len(said) > maxExamined { // there may be the beginning of a secret at its end
		clean = clean[:max(0, len(clean)-longestSecret)] + "…"
	}
	cut, _ := render.Cut(strings.ToValidUTF8(clean, "\uFFFD"), maxLogged, false)
	return cut
}
