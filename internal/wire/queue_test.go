package wire

import (
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
)

// TestE9_WhatWaitsIsBoundedInBytes has a server send large log messages, and one
// change among them, to a handler that is busy.
func TestE9_WhatWaitsIsBoundedInBytes(t *testing.T) {
	t.Parallel()
	busy, began := make(chan struct{}), make(chan struct{})
	var told []Notice
	s := newStrays()
	q := &queue{strays: s}
	q.handle(func(n Notice) {
		if told = append(told, n); len(told) == 1 {
			close(began)
			<-busy
		}
	})
	message := func(text string) Notice {
		n := Notice{}
		n.Method = string(mcp.MethodNotificationMessage)
		n.Params.AdditionalFields = map[string]any{"data": []any{map[string]any{"text": text}}}
		return n
	}
	change := Notice{}
	change.Method = mcp.MethodNotificationToolsListChanged
	q.push(message("first"))
	<-began
	q.push(change)
	large := strings.Repeat("x", 3<<20)
	for range 50 {
		q.push(message(large))
	}
	assert.LessOrEqual(t, q.bytes, maxQueuedBytes)
	assert.Len(t, q.waiting, 1+5)
	q.push(message("last"))
	close(busy)
	<-s.close()
	assert.Zero(t, q.bytes)
	assert.Equal(t, message("last"), told[len(told)-1])
	assert.Equal(t, change, told[1], "log messages go before changes")
}
