// Package stdio speaks JSON-RPC with a child process over its stdin and stdout:
// it is the [transport.Interface] that the wire room lies on for such servers.
//
// A child's stdout is what a program printed, not what a protocol promised.
// Every line is looked at once, by the members at its top, and what stands
// there decides; the result stays the bytes that were sent.
//
//   - An answer is given to the request it belongs to, also when its id came
//     back as text or as 7.0, in a batch, behind noise, behind another message
//     on the same line, or printed over several lines.
//   - An answer that cannot be used (it is no JSON, it is nested too deeply, it
//     holds neither a result nor an error) becomes the error of its request at
//     once, a [wire.AnswerError]. Nobody waits for what has already come.
//   - What belongs to no request is counted and told ([Options.OnStray]).
//   - Notifications are handed on in order. The server's own requests are
//     answered aside, so that a handler holds up nothing.
//   - Writing holds up no caller. A request that was provably never written,
//     because the child died or did not read until the caller gave up, is a
//     [wire.UnsentError]: it may be sent again.
package stdio
