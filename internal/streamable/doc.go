// Package streamable is the transport over streamable HTTP: mcp-go's, with the
// short way for what nearly every request is, one message out and one answer
// back.
//
// mcp-go writes a request and reads its answer several times over, which is most
// of what a large answer costs. Here a request is written once and its answer
// read once. Whatever else comes back is left to mcp-go: a stream on which
// something else stands before the answer, an answer with an error, another
// status. It gets the response as the server sent it, so sessions, notices,
// questions of the server and streams that are resumed stay its business, and so
// does the handshake.
package streamable
