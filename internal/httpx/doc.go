// Package httpx is the toolset's one way over HTTP: a RoundTripper that lies
// under mcp-go's HTTP transports and holds what those leave open.
//
//   - Every request carries the headers of the operation it belongs to, taken
//     from its context; requests without one (listening streams, the closing
//     DELETE) carry the last headers the session was used with.
//   - Nothing goes to another host when the server redirects, or names another
//     one for the messages of an SSE session: an error names both.
//   - A refusal becomes a [StatusError] with the status and the head of the
//     body, instead of the many forms mcp-go gives it.
//   - A context can carry an [Exchange], which tells whether anything of a
//     request reached a connection.
//
// Errors that leave the package name the method, the scheme, host and path of
// a URL, and never its user, its query or a header's value.
package httpx
