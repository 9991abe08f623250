// Package streamable is the transport over streamable HTTP: mcp-go's, with the
// short way for what nearly every request is, one message out and one answer
// back.
//
// mcp-go writes a request and reads its answer several times over, which is most
// of what a large answer costs. Here a request is written once and its answer,
// be it a result or an error, read once. Whatever else comes back is left to
// mcp-go: a stream on which something else stands before the answer, a batch,
// another status, the answer to initialize. It gets the response as the server
// sent it, but for batches, which are taken apart, and the data of errors, which
// keeps its digits; so sessions, notices, questions of the server and streams
// that are resumed stay its business.
package streamable
