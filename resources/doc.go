// Package resources holds the tools by which a model lists and loads what an
// MCP server offers as resources: list_mcp_resources,
// list_mcp_resource_templates and load_mcp_resource.
//
// A [Tool] is a name, a description, a JSON Schema and a function over the
// narrow [Server] interface. It knows nothing of connections, agents or
// limits of time: package toolset gives it those, and whoever talks to a
// server in another way may implement Server and use the tools as they are.
//
// # What a model gets
//
// The list tools return one page as a JSON object: the items with name, uri,
// title, description, mimeType and size, as far as they are present, then
// nextCursor if there is more, and in note whatever has to be said in words. A
// page too long for one observation is cut between items, and its nextCursor
// leads to the rest of it. load_mcp_resource returns the resource's text
// itself, MaxLength characters at a time, with a marker that says how to go on.
//
// Whatever cannot be done is a text that begins with "Error:" and says how to
// call the tool; see [Tool.Run].
//
// # Trust
//
// Names, descriptions and texts of resources are the server's words, and reach
// the model as they are: bounded and free of control characters, but not
// vetted. [Options.Confirm] lets the owner decide on each read.
package resources
