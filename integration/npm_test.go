package integration

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/integration/servers"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// The servers that others wrote, driven through the toolset alone.

// markEnv marks the processes of one test, so that they can be found.
const markEnv = "MCPTOOLSET_TEST_MARK"

// npmChild describes a server as a child process. When the test ends, after
// its toolset was closed, no process of it may be left.
func npmChild(t *testing.T, name string, args ...string) *config.Builder {
	t.Helper()
	s := servers.Find(t, name, args...)
	mark := t.TempDir()
	t.Cleanup(func() { assert.Empty(t, marked(t, mark), "processes left after Close") })
	return config.NewStdio(s.Command, s.Args...).Name(name).Env(markEnv, mark)
}

// marked are the ids of the processes with this mark, grandchildren too. Only
// Linux tells.
func marked(t *testing.T, mark string) []int {
	t.Helper()
	if runtime.GOOS != "linux" {
		return nil
	}
	environs, err := filepath.Glob("/proc/[0-9]*/environ")
	require.NoError(t, err)
	var found []int
	for _, path := range environs {
		environ, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(environ, []byte(markEnv+"="+mark+"\x00")) {
			continue // it has ended meanwhile, or is another user's
		}
		id, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		require.NoError(t, err)
		found = append(found, id)
	}
	return found
}

// toolNames are the names of what Tools gives, in its order.
func toolNames(t *testing.T, ts *toolset.Toolset) []string {
	t.Helper()
	found, err := ts.Tools(t.Context())
	require.NoError(t, err)
	return namesOf(found)
}

func namesOf(found []tools.Tool) []string {
	names := []string{}
	for _, tool := range found {
		names = append(names, tool.Name())
	}
	return names
}

// call runs a tool as an agent does. An agent's run goes on, so the error must
// be nil whatever the tool says.
func call(t *testing.T, ts *toolset.Toolset, tool, input string) string {
	t.Helper()
	found, err := ts.Tools(t.Context())
	require.NoError(t, err)
	picked := pick(found, tool)
	require.NotNil(t, picked, "no tool %s among %v", tool, namesOf(found))
	text, err := picked.Call(t.Context(), input)
	require.NoError(t, err)
	return text
}

// everythingKinds are the ways to reach server-everything.
var everythingKinds = map[string]func(*testing.T) *config.Builder{
	"stdio": func(t *testing.T) *config.Builder { return npmChild(t, "everything") },
	"sse": func(t *testing.T) *config.Builder {
		return config.NewSSE(servers.SSE(t, "everything")).Name("everything")
	},
	"streamable http": func(t *testing.T) *config.Builder {
		return config.NewStreamableHTTP(servers.HTTP(t, "everything")).Name("everything")
	},
}

func TestNPM_Everything(t *testing.T) {
	t.Parallel()
	for name, describe := range everythingKinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ts := open(t, describe(t).Resources(true))
			speaks(t, ts)
			checkEverythingListing(t, ts)
			checkEverythingCalls(t, ts)
			checkEverythingResources(t, ts)
			checkEverythingAtOnce(t, ts)
			assert.Contains(t, call(t, ts, "simulate-research-query", `{"topic":"stoats"}`), "stoats")
		})
	}
}

func checkEverythingListing(t *testing.T, ts *toolset.Toolset) {
	names := toolNames(t, ts)
	assert.Subset(t, names, []string{"echo", "get-sum", "get-structured-content", "get-tiny-image", "get-resource-links", "get-annotated-message"})
	assert.Equal(t, []string{"list_mcp_resources", "list_mcp_resource_templates", "load_mcp_resource"}, names[len(names)-3:])

	assert.Contains(t, names, "simulate-research-query", "it runs as a task or not at all")

	info, err := ts.ServerInfo(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "mcp-servers/everything", info.Name)
	assert.False(t, info.Modern())
	assert.NotEmpty(t, info.Instructions)
}

func checkEverythingCalls(t *testing.T, ts *toolset.Toolset) {
	assert.Equal(t, "Echo: größe <&>", call(t, ts, "echo", `{"message":"größe <&>"}`))
	assert.Equal(t, "The sum of 2 and 40 is 42.", call(t, ts, "get-sum", `{"a":"2","b":40}`))

	structured := named(t, ts, "get-structured-content")
	assert.NotEmpty(t, structured.OutputSchema())
	text := call(t, ts, "get-structured-content", `{"location":"Chicago"}`)
	assert.True(t, json.Valid([]byte(text)), "it is shown once: %s", text)
	assert.Contains(t, text, `"temperature"`)

	text = call(t, ts, "get-tiny-image", "")
	assert.Contains(t, text, "image/png")
	raw, err := ts.CallTool(t.Context(), "get-tiny-image", nil)
	require.NoError(t, err)
	require.Len(t, raw.Content, 3)
	assert.NotContains(t, text, raw.Content[1].Data[:16], "base64 is nothing for a model")
	picture, err := raw.Content[1].Bytes()
	require.NoError(t, err)
	assert.Equal(t, "image/png", http.DetectContentType(picture), "the owner gets it")
	assert.Contains(t, text, fmt.Sprint(len(picture), " bytes"))

	text = call(t, ts, "get-resource-links", `{"count":2}`)
	assert.Contains(t, text, "demo://resource/dynamic/blob/1")
	assert.Contains(t, text, "demo://resource/dynamic/text/2")
	text = call(t, ts, "get-resource-reference", `{"resourceType":"Text","resourceId":7}`)
	assert.Contains(t, text, "Resource 7: This is a plaintext resource")

	text = call(t, ts, "get-annotated-message", `{"messageType":"error","includeImage":true}`)
	assert.Contains(t, text, "Operation failed")
	assert.Contains(t, text, "image/png")

	text = call(t, ts, "get-structured-content", `{"location":"Paris"}`)
	assert.True(t, strings.HasPrefix(text, "Error:"), text)
	assert.Contains(t, text, "location")
	assert.Contains(t, text, "Los Angeles", "what would be right is said")
	text = call(t, ts, "get-resource-reference", `{"resourceId":-1}`)
	assert.True(t, strings.HasPrefix(text, "Error:"), text)
	assert.Contains(t, text, "-1", "the server's own words")
}

func checkEverythingResources(t *testing.T, ts *toolset.Toolset) {
	const features = "demo://resource/static/document/features.md"
	assert.Contains(t, call(t, ts, "list_mcp_resources", ""), features)
	assert.Contains(t, call(t, ts, "list_mcp_resource_templates", "{}"), "demo://resource/dynamic/text/{resourceId}")

	byURI := call(t, ts, "load_mcp_resource", `{"uri":"`+features+`"}`)
	assert.Contains(t, byURI, "# Everything Server")
	assert.Equal(t, byURI, call(t, ts, "load_mcp_resource", `{"name":"features.md"}`))
	assert.Contains(t, call(t, ts, "load_mcp_resource", `{"uri":"demo://resource/dynamic/text/{resourceId}","variables":{"resourceId":"3"}}`), "Resource 3")
	assert.Contains(t, call(t, ts, "load_mcp_resource", `{"uri":"demo://resource/dynamic/text/4"}`), "Resource 4", "listed or not")
	assert.Contains(t, call(t, ts, "load_mcp_resource", `{"uri":"demo://resource/dynamic/blob/1"}`), "binary")

	text := call(t, ts, "load_mcp_resource", `{"uri":"demo://nothing/here"}`)
	assert.True(t, strings.HasPrefix(text, "Error:"), text)
	assert.Contains(t, text, "demo://nothing/here")
}

func checkEverythingAtOnce(t *testing.T, ts *toolset.Toolset) {
	echo := named(t, ts, "echo")
	var all sync.WaitGroup
	for i := range 10 {
		all.Go(func() {
			message := fmt.Sprint("caller ", i)
			text, err := echo.Call(t.Context(), `{"message":"`+message+`"}`)
			assert.NoError(t, err)
			assert.Equal(t, "Echo: "+message, text)
		})
	}
	all.Wait()
}

func TestNPM_FilesystemWritesRealFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ts := open(t, npmChild(t, "filesystem", dir))
	speaks(t, ts)
	in := func(arguments map[string]any) string {
		text, err := json.Marshal(arguments)
		require.NoError(t, err)
		return string(text)
	}

	const content = "größe\n{\"id\": 9007199254740993}\n"
	note := filepath.Join(dir, "note.txt")
	text := call(t, ts, "write_file", in(map[string]any{"path": note, "content": content}))
	assert.NotContains(t, text, "Error:")
	written, err := os.ReadFile(note)
	require.NoError(t, err)
	assert.Equal(t, content, string(written))

	require.NoError(t, os.WriteFile(filepath.Join(dir, "other.txt"), []byte("one\ntwo\nthree"), 0o600))
	assert.Contains(t, call(t, ts, "read_text_file", in(map[string]any{"path": note})), content)
	text = call(t, ts, "read_text_file", in(map[string]any{"path": filepath.Join(dir, "other.txt"), "head": "2"}))
	assert.Contains(t, text, "one\ntwo")
	assert.NotContains(t, text, "three")
	text = call(t, ts, "list_directory", in(map[string]any{"path": dir}))
	assert.Contains(t, text, "[FILE] note.txt")
	assert.Contains(t, text, "[FILE] other.txt")

	// A list written as a text, as models do.
	text = call(t, ts, "edit_file", in(map[string]any{"path": note, "edits": `[{"oldText":"größe","newText":"Größe"}]`}))
	assert.NotContains(t, text, "Error:")
	written, err = os.ReadFile(note)
	require.NoError(t, err)
	assert.Equal(t, strings.Replace(content, "größe", "Größe", 1), string(written))

	outside := filepath.Join(t.TempDir(), "secret.txt")
	require.NoError(t, os.WriteFile(outside, []byte("not yours"), 0o600))
	text = call(t, ts, "read_text_file", in(map[string]any{"path": outside}))
	assert.True(t, strings.HasPrefix(text, "Error:"), text)
	assert.Contains(t, text, "Access denied")
	assert.NotContains(t, text, "not yours")
}

func TestNPM_MemoryKeepsAGraphInTheFileOfItsEnvironment(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "graph.json")
	remember := func() *config.Builder { return npmChild(t, "memory").Env("MEMORY_FILE_PATH", file) }

	first := open(t, remember())
	speaks(t, first)
	text := call(t, first, "create_entities", `{"entities":[{"name":"Ada","entityType":"person","observations":["counts","writes"]}]}`)
	assert.NotContains(t, text, "Error:")
	call(t, first, "create_entities", `{"entities":"[{\"name\":\"Engine\",\"entityType\":\"machine\",\"observations\":[]}]"}`)
	call(t, first, "create_relations", `{"relations":[{"from":"Ada","to":"Engine","relationType":"programs"}]}`)
	require.NoError(t, first.Close())

	kept, err := os.ReadFile(file)
	require.NoError(t, err, "the variable reached the server")
	assert.Contains(t, string(kept), "Ada")

	second := open(t, remember())
	text = call(t, second, "read_graph", "")
	for _, word := range []string{"Ada", "counts", "writes", "Engine", "programs"} {
		assert.Contains(t, text, word)
	}
	text = call(t, second, "create_entities", `{"entities":[{"name":"Bob"}]}`)
	assert.True(t, strings.HasPrefix(text, "Error:"), text)
	assert.Contains(t, text, "entityType", "nested arguments are checked")
	assert.NotContains(t, call(t, second, "read_graph", ""), "Bob")
}

func TestNPM_SequentialThinkingKeepsItsThoughts(t *testing.T) {
	t.Parallel()
	ts := open(t, npmChild(t, "sequential-thinking"))
	speaks(t, ts)
	assert.Equal(t, []string{"sequentialthinking"}, toolNames(t, ts))

	text := call(t, ts, "sequentialthinking", `{"thought":"größe <&>","thoughtNumber":1,"totalThoughts":2,"nextThoughtNeeded":true}`)
	assert.JSONEq(t, `{"thoughtNumber":1,"totalThoughts":2,"nextThoughtNeeded":true,"branches":[],"thoughtHistoryLength":1}`, text)
	// Numbers and booleans written as texts, as models do.
	text = call(t, ts, "sequentialthinking", `{"thought":"or so","thoughtNumber":"2","totalThoughts":"2","nextThoughtNeeded":"false","branchFromThought":1,"branchId":"b"}`)
	assert.JSONEq(t, `{"thoughtNumber":2,"totalThoughts":2,"nextThoughtNeeded":false,"branches":["b"],"thoughtHistoryLength":2}`, text)

	text = call(t, ts, "sequentialthinking", `{"thought":"no number","nextThoughtNeeded":true}`)
	assert.True(t, strings.HasPrefix(text, "Error:"), text)
	assert.Contains(t, text, "thoughtNumber")
}

// context7 speaks the protocol without sessions and works only online.
func TestNPM_Context7IsModern(t *testing.T) {
	t.Parallel()
	for name, describe := range map[string]func(*testing.T) *config.Builder{
		"stdio": func(t *testing.T) *config.Builder { return npmChild(t, "context7") },
		"streamable http": func(t *testing.T) *config.Builder {
			return config.NewStreamableHTTP(servers.HTTP(t, "context7")).Name("context7")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ts := open(t, describe(t))
			speaks(t, ts)
			info, err := ts.ServerInfo(t.Context())
			require.NoError(t, err)
			assert.Equal(t, "2026-07-28", info.ProtocolVersion)
			assert.True(t, info.Modern())
			assert.Equal(t, []string{"resolve-library-id", "query-docs"}, toolNames(t, ts))

			text := call(t, ts, "resolve-library-id", `{"query":"how to list tools","libraryName":"mcp"}`)
			assert.NotEmpty(t, text)
			text = call(t, ts, "resolve-library-id", `{"query":"how to list tools"}`)
			assert.True(t, strings.HasPrefix(text, "Error:"), text)
			assert.Contains(t, text, "libraryName")
		})
	}
}

// time prints a line on standard output that is no message.
func TestO72_NPM_TimeWorksInSpiteOfItsNoise(t *testing.T) {
	t.Parallel()
	ts := open(t, npmChild(t, "time"))
	speaks(t, ts)
	for _, c := range []struct{ tool, input, want string }{
		{"days_in_month", `{"date":"2024-02-11"}`, "29"},
		{"convert_time", `{"sourceTimezone":"Europe/Berlin","targetTimezone":"Asia/Tokyo","time":"2024-06-01 12:00:00"}`, "2024-06-01 19:00:00"},
		{"get_timestamp", `{"time":"2024-06-01 12:00:00"}`, "1717243200000"},
		{"get_week_year", `2024-06-01`, "22"}, // a bare value for its only property
	} {
		assert.Contains(t, call(t, ts, c.tool, c.input), c.want, c.tool)
	}
	assert.Contains(t, call(t, ts, "current_time", `{"format":"YYYY"}`), "YYYY-MM-DD", "the allowed values are said")
}

func TestF9_NPM_CloseEndsTheProcess(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells which processes there are")
	}
	s := servers.Find(t, "everything")
	mark := t.TempDir()
	ts := open(t, config.NewStdio(s.Command, s.Args...).Env(markEnv, mark))
	assert.Contains(t, call(t, ts, "get-env", ""), mark, "the variable reached the server")
	running := marked(t, mark)
	require.NotEmpty(t, running)
	require.NoError(t, ts.Close())
	for _, id := range running {
		assert.NoDirExists(t, fmt.Sprintf("/proc/%d", id), "no zombie either")
	}
}
