// Package sse reads streams of server-sent events for mcp-go, which takes
// every event for one message and decodes it in its own way.
//
// In MCP 2025-03-26, and in no other version, several messages may come in one
// batch. [Reader] passes each on as an event of its own, and [Items] cuts a batch
// that came otherwise. The data of a JSON-RPC error goes through mcp-go as text,
// so that its digits stay as they were written; [Data] is the way back.
package sse
