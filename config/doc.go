// Package config says what a toolset connects to, as plain data.
//
// A [Config] has exactly one connection (a child process, a legacy SSE
// endpoint, a streamable HTTP endpoint or a server in the same process), an
// optional choice of tools and the limits that hold. It is written as a
// literal or with a [Builder]:
//
//	cfg, err := config.NewStreamableHTTP("https://example.com/mcp").
//		Header("Authorization", "Bearer "+token).
//		Filter(filter.Allow("search", "fetch")).
//		Resources(true).
//		Build()
//
// Both pass the same [Config.Validate], and [Config.Builder] leads from one to
// the other without losing anything. Behaviour, such as headers that depend on
// the user or an approval before a call, is not data and comes as options of
// the toolset.
//
// # Zero values and defaults
//
// A zero field means its default, and [Config.WithDefaults] fills it in. An
// explicit zero given to a Builder is a fault, because it was meant; only
// [Builder.CallTimeout] takes one, for "no limit but the caller's context".
//
// # The connection is what it says
//
// The field that is set decides the transport, never the URL's path. The URL
// is used as given, its query included.
//
// # Variables
//
// Nothing is expanded. A "${NAME}" that is left in a URL, a header value, a
// command or a directory is refused by name, because a server would get it as
// it stands. Arguments and environment values may hold one: a shell or the
// child itself may be what expands it.
//
// # Secrets
//
// Errors and printed configs never show header values, environment values, the
// user part of a URL, the values of its query or its fragment. Printing means
// the verbs of package fmt (but %p, which asks nobody), log/slog, encoding/json
// and whatever uses [encoding.TextMarshaler]. Of the arguments only flags
// ("-y", "--token") are shown, since any other may be a token or a connection
// string. Header and environment names, the scheme, host and path of a URL and
// the command are shown: secrets do not belong there.
//
// One way stays open. Package fmt cannot ask what is in an unexported field of
// a struct how it wants to be printed. A Config there is safe with %v, %+v and
// %#v, which stop at its pointers; with other verbs, or if it is a
// [StreamableHTTP], [SSE] or [Stdio] by value, fmt prints the secrets with the
// struct around them. Give such a struct a Format method of its own.
//
// # Copies
//
// Build, [Config.Builder] and [Config.WithDefaults] return deep copies: maps
// and slices are never shared with the caller. What cannot be copied (the HTTP
// client, the in-process server, the filter) is kept as it is and never
// written to.
package config
