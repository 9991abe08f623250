package policy_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/mcptoolset/mcptoolset"

// mayImport are the rooms of this module that a room may import, besides those
// below itself. A new room has to be entered here.
var mayImport = map[string][]string{
	"filter":                    {},
	"config":                    {"filter"},
	"headers":                   {},
	"oauth":                     {},
	"resources":                 {"internal/decode", "internal/render"},
	"agent":                     {"toolset", "internal/chat", "internal/render"},
	"documents":                 {"filter", "toolset"},
	"prompts":                   {"toolset", "internal/decode", "internal/render"},
	"toolset":                   {"config", "filter", "resources", "internal/args", "internal/chat", "internal/decode", "internal/httpx", "internal/render", "internal/schema", "internal/session", "internal/wire"},
	"progress":                  {"toolset"},
	"internal/bound":            {},
	"internal/args":             {"internal/decode/rawjson"},
	"internal/chat":             {},
	"internal/decode":           {},
	"internal/httpx":            {"internal/bound", "internal/sse"},
	"internal/inprocess":        {"internal/wire"},
	"internal/mcptest":          {},
	"internal/policy":           {},
	"internal/proc":             {},
	"internal/render":           {"internal/decode", "internal/decode/rawjson"},
	"internal/schema":           {},
	"internal/session":          {"config", "internal/httpx", "internal/inprocess", "internal/proc", "internal/stdio", "internal/streamable", "internal/wire"},
	"internal/sse":              {"internal/decode/rawjson"},
	"internal/stdio":            {"internal/bound", "internal/decode/rawjson", "internal/proc", "internal/sse", "internal/wire"},
	"internal/streamable":       {"internal/decode/rawjson", "internal/httpx", "internal/sse"},
	"internal/wire":             {"internal/decode", "internal/httpx", "internal/sse"},
	"examples":                  {"agent", "config", "documents", "filter", "headers", "oauth", "prompts", "toolset", "resources"},
	"integration":               {"agent", "config", "documents", "filter", "headers", "oauth", "prompts", "toolset", "resources", "internal/mcptest"},
	"integration/bench":         {"config", "toolset", "internal/args", "internal/schema"},
	"integration/servers":       {},
	"integration/compatibility": {"config"},
	"integration/conformance":   {"config", "oauth", "toolset", "integration/compatibility/page"},
}

// langchaingo are the packages of LangChainGo that the library itself may
// import. The others bring heavy modules, or a provider: they are for examples
// and tests.
var langchaingo = []string{"callbacks", "llms", "schema", "tools"}

// langchaingoOf are those that one room may import besides. Each is a room of its
// own so that only who uses it has them.
var langchaingoOf = map[string][]string{
	"agent":     {"agents", "chains", "prompts"},
	"documents": {"textsplitter"},
	"prompts":   {"prompts"},
}

// pure rooms do no I/O and start no goroutines.
var pure = []string{"filter", "internal/args", "internal/chat", "internal/decode", "internal/render", "internal/schema"}

// doers are packages a pure room has no business with.
var doers = []string{"net", "net/http", "os/exec", "sync/errgroup", "github.com/mark3labs/mcp-go/client", "github.com/mark3labs/mcp-go/client/transport"}

type goPackage struct {
	ImportPath string
	Imports    []string
}

// packages lists those of the root module.
func packages(t *testing.T) []goPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	require.NoError(t, err)
	var all []goPackage
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p goPackage
		require.NoError(t, d.Decode(&p))
		all = append(all, p)
	}
	require.NotEmpty(t, all)
	return all
}

// room is the entry of mayImport a package belongs to: the longest that is
// its path or leads to it.
func room(path string) string {
	path = strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
	longest := ""
	for name := range mayImport {
		if (path == name || strings.HasPrefix(path, name+"/")) && len(name) > len(longest) {
			longest = name
		}
	}
	return longest
}

func TestRoomsImportOnlyWhatTheyMay(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		from := room(p.ImportPath)
		if !assert.NotEmpty(t, from, "%s is in no room: enter it in mayImport", p.ImportPath) {
			continue
		}
		leaf := from == "examples" || strings.HasPrefix(from, "integration")
		for _, imported := range p.Imports {
			switch {
			case strings.HasPrefix(imported, module+"/"):
				to := strings.TrimPrefix(imported, module+"/")
				inside := to == from || strings.HasPrefix(to, from+"/")
				assert.True(t, inside || slices.Contains(mayImport[from], to), "%s imports %s", p.ImportPath, imported)
			case strings.HasPrefix(imported, "github.com/tmc/langchaingo/"):
				name := strings.TrimPrefix(imported, "github.com/tmc/langchaingo/")
				assert.True(t, leaf || slices.Contains(langchaingo, name) || slices.Contains(langchaingoOf[from], name), "%s imports %s", p.ImportPath, imported)
			case slices.Contains(doers, imported):
				assert.NotContains(t, pure, from, "%s imports %s", p.ImportPath, imported)
			}
		}
	}
}
