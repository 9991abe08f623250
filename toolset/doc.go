// Package toolset gives a LangChainGo agent the tools of an MCP server.
//
// A [Toolset] is made from a [config.Config] with exactly one connection. Its
// [Toolset.Tools] are ordinary LangChainGo tools, for any agent:
//
//	cfg, err := config.NewStreamableHTTP("https://host/mcp").Build()
//	ts, err := toolset.New(cfg)
//	tools, err := ts.Tools(ctx)
//
// [Bind] lets a model of a function-calling agent see the server's real
// schemas instead of LangChainGo's single string argument. Hand-written loops
// use [Definitions], [Execute] and [Respond].
//
// # What a model's mistakes and a server's faults become
//
// An error from a tool's Call ends a LangChainGo run. So whatever an agent can
// live with (a failing tool, bad arguments, an unreachable server, a limit
// that was reached) is an observation: a text that begins with "Error:", with
// a nil error. Four things are Go errors: the end of the caller's context,
// a closed toolset ([ErrClosed]), a failing header provider and bound arguments
// that cannot be set ([WithBoundArguments]). [WithErrorHook] lets the owner
// decide otherwise.
//
// # Lifetime
//
// New does no I/O; the first use connects, and nothing that belongs to a call
// owns a session. Close ends everything, child processes included.
package toolset
