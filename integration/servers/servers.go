package servers

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// requireEnv names the environment variable that makes a missing server fail
// the test instead of skipping it.
const requireEnv = "MCPTOOLSET_REQUIRE_SERVERS"

// entry is what is known about a server.
type entry struct {
	file  string   // below node_modules
	stdio []string // arguments for a child process
	http  launch   // streamable HTTP; zero = not spoken
	sse   launch
}

// launch is how a server is told to listen. %PORT% in it is the port.
type launch struct {
	args, env []string
	path      string
}

var entries = map[string]entry{
	"everything": {
		file:  "@modelcontextprotocol/server-everything/dist/index.js",
		stdio: []string{"stdio"},
		http:  launch{args: []string{"streamableHttp"}, env: []string{"PORT=%PORT%"}, path: "/mcp"},
		sse:   launch{args: []string{"sse"}, env: []string{"PORT=%PORT%"}, path: "/sse"},
	},
	"filesystem":          {file: "@modelcontextprotocol/server-filesystem/dist/index.js"},
	"memory":              {file: "@modelcontextprotocol/server-memory/dist/index.js"},
	"sequential-thinking": {file: "@modelcontextprotocol/server-sequential-thinking/dist/index.js"},
	"context7": {
		file: "@upstash/context7-mcp/dist/index.js",
		http: launch{args: []string{"--transport", "http", "--port", "%PORT%"}, path: "/mcp"},
	},
	"time": {file: "time-mcp/dist/index.js"},
	"supergateway": {
		file: "supergateway/dist/index.js",
		http: launch{args: bridged("--stdio", "--port", "%PORT%", "--logLevel", "none", "--outputTransport", "streamableHttp"), path: "/mcp"},
		sse:  launch{args: bridged("--stdio", "--port", "%PORT%", "--logLevel", "none"), path: "/sse"},
	},
	"supergateway-stateful": {
		file: "supergateway/dist/index.js",
		http: launch{args: bridged("--stdio", "--port", "%PORT%", "--logLevel", "none", "--outputTransport", "streamableHttp", "--stateful"), path: "/mcp"},
	},
	"mcp-proxy": {
		file: "mcp-proxy/dist/bin/mcp-proxy.mjs",
		http: launch{args: []string{"--port", "%PORT%", "--host", "127.0.0.1", "--", "node", everything, "stdio"}, path: "/mcp"},
		sse:  launch{args: []string{"--port", "%PORT%", "--host", "127.0.0.1", "--", "node", everything, "stdio"}, path: "/sse"},
	},
}

// everything is the entry file of server-everything, which stands behind the
// bridges. It is put in when one is started.
const everything = "%EVERYTHING%"

// bridged are the arguments of supergateway with a child process behind it,
// whose command line it splits at spaces.
func bridged(flag string, more ...string) []string {
	return append([]string{flag, "node " + everything + " stdio"}, more...)
}

// Server is the command line that starts a server as a child process which
// speaks MCP on its standard streams.
type Server struct {
	Command string
	Args    []string
}

// Find gives the command line of a server, by a name of the package's list;
// args are added to it. The test is skipped where the server is not installed,
// or fails where it has to be.
func Find(t testing.TB, name string, args ...string) Server {
	t.Helper()
	node, file, e := find(t, name)
	return Server{Command: node, Args: slices.Concat([]string{file}, e.stdio, args)}
}

// find gives the paths of node and of the server's entry file.
func find(t testing.TB, name string) (node, file string, e entry) {
	t.Helper()
	e, ok := entries[name]
	if !ok {
		t.Fatalf("there is no test server %q", name)
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	node, file, err = locate(dir, e)
	if err != nil {
		missing(t, os.Getenv(requireEnv) == "1", name, err)
	}
	return node, file, e
}

// missing ends the test for a server that cannot run.
func missing(t testing.TB, required bool, name string, why error) {
	t.Helper()
	if required {
		t.Fatalf("test server %s cannot run, and %s is set: %v", name, requireEnv, why)
	}
	t.Skipf("test server %s cannot run: %v", name, why)
}

// locate gives the paths of node and of the server's entry file, for a test
// that runs in dir.
func locate(dir string, e entry) (node, file string, err error) {
	node, err = exec.LookPath("node")
	if err != nil {
		return "", "", errors.New("node is not installed")
	}
	home, err := home(dir)
	if err != nil {
		return "", "", err
	}
	file = filepath.Join(home, "node_modules", filepath.FromSlash(e.file))
	if _, err := os.Stat(file); err != nil {
		return "", "", errors.New("npm servers are not installed (make servers)")
	}
	return node, file, nil
}

// home is this package's folder in the checkout that dir belongs to. A test
// runs in its own package's folder, so home is found on the way up.
func home(dir string) (string, error) {
	for {
		home := filepath.Join(dir, "integration", "servers")
		_, err := os.Stat(filepath.Join(home, "package-lock.json"))
		if err == nil {
			return home, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("the test does not run in a checkout of the project")
		}
		dir = up
	}
}

// with puts a port into the texts of a launch.
func with(port int, texts []string) []string {
	out := slices.Clone(texts)
	for i := range out {
		out[i] = strings.ReplaceAll(out[i], "%PORT%", fmt.Sprint(port))
	}
	return out
}
