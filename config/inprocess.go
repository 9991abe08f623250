package config

import "github.com/mark3labs/mcp-go/server"

// InProcess talks to a server in the same process, without a network.
type InProcess struct {
	// Server is the server. It is used as it is and stays the caller's: the
	// toolset does not shut it down.
	Server *server.MCPServer
}

func (p InProcess) check(f *faults) {
	if p.Server == nil {
		f.add("InProcess.Server", "is nil", "set it to the server to talk to")
	}
}
