package main

import "regexp"

// row is a server, an SDK or a bridge, and the tests that run against it.
type row struct {
	what string // SDK, server or bridge
	name string // of its Go module or npm package
	lock string // the file that holds its version, from the project's root
	dir  string // of the tests' package, from the project's root
	// tests matches the whole names of the tests, those of subtests with
	// their parents' (TestX/sub).
	tests *regexp.Regexp
}

// Where versions stand.
const (
	ownModule   = "go.mod"
	goSDKModule = "integration/gosdk/go.mod"
	npmLock     = "integration/servers/package-lock.json"
)

// Where tests are.
const (
	contract = "integration"
	goSDK    = "integration/gosdk"
)

// rows are those of the table, in its order. A server that others wrote gets a
// row when its package is added to integration/servers.
var rows = []row{
	{"SDK", "github.com/mark3labs/mcp-go", ownModule, contract, regexp.MustCompile(`^Test(Matrix|Contract)_`)},
	{"SDK", "github.com/modelcontextprotocol/go-sdk", goSDKModule, goSDK, regexp.MustCompile(`^TestGoSDK_`)},
	{"server", "@modelcontextprotocol/server-everything", npmLock, contract, regexp.MustCompile(`NPM_Everything`)},
	{"server", "@modelcontextprotocol/server-filesystem", npmLock, contract, regexp.MustCompile(`NPM_Filesystem`)},
	{"server", "@modelcontextprotocol/server-memory", npmLock, contract, regexp.MustCompile(`NPM_Memory`)},
	{"server", "@modelcontextprotocol/server-sequential-thinking", npmLock, contract, regexp.MustCompile(`NPM_SequentialThinking`)},
	{"server", "@upstash/context7-mcp", npmLock, contract, regexp.MustCompile(`NPM_Context7`)},
	{"server", "time-mcp", npmLock, contract, regexp.MustCompile(`NPM_Time`)},
	{"bridge", "supergateway", npmLock, contract, regexp.MustCompile(`^TestNPM_Bridges/supergateway`)},
	{"bridge", "mcp-proxy", npmLock, contract, regexp.MustCompile(`^TestNPM_Bridges/mcp-proxy`)},
}
