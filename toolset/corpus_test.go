package toolset_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/tools"

	"github.com/mcptoolset/mcptoolset/internal/schema"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// Every tool that public servers list, as the captures beside the project have
// them, goes the whole way: discovery, names, descriptions, definitions for all
// profiles, and calls with arguments that fit and that do not.

// capture is what one public server listed.
type capture struct {
	Tools []json.RawMessage `json:"tools"`
}

func captures(t *testing.T) map[string]capture {
	t.Helper()
	files, err := filepath.Glob("../../shared/corpus/*.json")
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("no captures of public servers in ../shared/corpus")
	}
	all := map[string]capture{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var c capture
		require.NoError(t, json.Unmarshal(text, &c), file)
		all[strings.TrimSuffix(filepath.Base(file), ".json")] = c
	}
	return all
}

// tally counts what was tried, so that a test that tries nothing fails.
type tally struct{ tools, fitting, refused atomic.Int64 }

func TestB2_EveryCapturedServerGoesTheWholeWay(t *testing.T) {
	t.Parallel()
	var n tally
	t.Cleanup(func() {
		t.Logf("%d tools, %d calls that fit, %d refused", n.tools.Load(), n.fitting.Load(), n.refused.Load())
		assert.Greater(t, n.fitting.Load(), n.tools.Load(), "each tool was to be called with its required arguments and with all")
		assert.Greater(t, n.refused.Load(), n.tools.Load())
	})
	for name, c := range captures(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			list := bytes.Join(asBytes(c.Tools), []byte(","))
			server := newRaw(t, lists("["+string(list)+"]"))
			ts := open(t, server.config())
			offered, err := ts.Tools(t.Context())
			require.NoError(t, err)
			usable := slices.DeleteFunc(c.Tools, demandsTask)
			require.Len(t, offered, len(usable), "%v", ts.Report().Warnings)
			checkNames(t, offered)
			for i, tool := range offered {
				checkShown(t, tool.(*toolset.Tool), usable[i])
				checkCalls(t, server, tool.(*toolset.Tool), &n)
			}
		})
	}
}

func asBytes(all []json.RawMessage) (texts [][]byte) {
	for _, text := range all {
		texts = append(texts, text)
	}
	return texts
}

// demandsTask tells of the tools that are left out rightly.
func demandsTask(listed json.RawMessage) bool {
	var tool struct{ Execution struct{ TaskSupport string } }
	return json.Unmarshal(listed, &tool) == nil && tool.Execution.TaskSupport == "required"
}

var callable = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func checkNames(t *testing.T, offered []tools.Tool) {
	t.Helper()
	seen := map[string]bool{}
	for _, tool := range offered {
		assert.Regexp(t, callable, tool.Name())
		assert.False(t, seen[strings.ToUpper(tool.Name())], "two are named %s", tool.Name())
		seen[strings.ToUpper(tool.Name())] = true
	}
}

// checkShown compares a tool with its definition as listed. That what the
// profiles make passes the providers is held for the same schemas beside the
// profiles.
func checkShown(t *testing.T, tool *toolset.Tool, listed json.RawMessage) {
	t.Helper()
	var want struct {
		Name, Description         string
		InputSchema, OutputSchema json.RawMessage
		Meta                      json.RawMessage `json:"_meta"`
		Annotations               json.RawMessage
	}
	require.NoError(t, json.Unmarshal(listed, &want))
	assert.Equal(t, want.Name, tool.OriginalName())
	assert.Equal(t, want.Description, tool.OriginalDescription())
	for what, pair := range map[string][2]json.RawMessage{
		"inputSchema": {want.InputSchema, tool.InputSchema()}, "outputSchema": {want.OutputSchema, tool.OutputSchema()},
		"_meta": {want.Meta, tool.Meta()}, "annotations": {want.Annotations, tool.Annotations()},
	} {
		assert.Equal(t, string(pair[0]), string(pair[1]), "%s of %s", what, want.Name)
	}
	text := tool.Description()
	assert.NotContains(t, text, "\n", want.Name)
	assert.True(t, utf8.ValidString(text), want.Name)
	assert.Less(t, utf8.RuneCountInString(text), 6000, want.Name)
	for _, p := range schema.Profiles() {
		definition := tool.Definition(toolset.Profile(p.String()))
		assert.Equal(t, tool.Name(), definition.Name)
		assert.True(t, utf8.ValidString(definition.Description), want.Name)
		shown := schema.Parameters(want.InputSchema, p)
		assert.Equal(t, shown.Parameters, definition.Parameters, "%s for %s", want.Name, p)
	}
}

// checkCalls calls a tool with arguments that fit its schema, and with such in
// which one thing is wrong. What reaches the server fits, whatever was sent.
func checkCalls(t *testing.T, server *raw, tool *toolset.Tool, n *tally) {
	t.Helper()
	n.tools.Add(1)
	judge := newJudge(tool.InputSchema())
	if judge == nil {
		return // a schema that cannot be compiled is not checked by us either
	}
	for _, full := range []bool{false, true} {
		fitting := judge.draw(judge.root, full, 0)
		if !judge.accepts(fitting) {
			continue // the drawer is no solver
		}
		sent, observation := callOnce(t, server, tool, fitting)
		if assert.NotNil(t, sent, "%s refused %s: %s", tool.Name(), fitting, observation) {
			assert.Equal(t, plain(fitting), plain(sent), tool.Name())
			n.fitting.Add(1)
		}
	}
	base := judge.draw(judge.root, true, 0)
	for _, wrong := range spoil(judge, base) {
		sent, observation := callOnce(t, server, tool, wrong)
		if sent != nil {
			assert.NoError(t, judge.compiled.Validate(sent), tool.Name())
			continue
		}
		assert.True(t, strings.HasPrefix(observation, "Error:"), observation)
		assert.Greater(t, len(observation), 40, "it says what to do about it")
		n.refused.Add(1)
	}
}

// callOnce returns the arguments that reached the server, nil where none did.
func callOnce(t *testing.T, server *raw, tool *toolset.Tool, arguments any) (any, string) {
	t.Helper()
	server.mu.Lock()
	before := len(server.seen)
	server.mu.Unlock()
	observation, err := tool.Call(t.Context(), plain(arguments))
	require.NoError(t, err, tool.Name())
	server.mu.Lock()
	defer server.mu.Unlock()
	for _, r := range server.seen[before:] {
		if r.Method == "tools/call" {
			var params struct{ Arguments json.RawMessage }
			require.NoError(t, json.Unmarshal(r.Params, &params))
			return exact(params.Arguments), observation
		}
	}
	return nil, observation
}

// spoil returns copies of arguments with one member missing or of another
// kind, as far as the schema refuses them.
func spoil(judge *judge, arguments any) (all []any) {
	members, ok := arguments.(map[string]any)
	if !ok {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		missing := maps.Clone(members)
		delete(missing, name)
		other := maps.Clone(members)
		other[name] = map[string]any{"no": []any{"such", "thing"}}
		if text, isText := members[name].(string); !isText || text != "" {
			all = append(all, missing)
		}
		all = append(all, other)
	}
	all = slices.DeleteFunc(all, judge.accepts)
	return all[:min(len(all), 4)]
}

// judge decides by the schema alone what fits.
type judge struct {
	root     any
	compiled *jsonschema.Schema
}

func newJudge(text json.RawMessage) *judge {
	if text == nil {
		return nil
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil
	}
	c := jsonschema.NewCompiler()
	if c.AddResource("mem:schema", doc) != nil {
		return nil
	}
	compiled, err := c.Compile("mem:schema")
	if err != nil {
		return nil
	}
	return &judge{root: doc, compiled: compiled}
}

func (j *judge) accepts(v any) bool {
	_, isObject := v.(map[string]any)
	return isObject && j.compiled.Validate(v) == nil
}

// draw makes a value that probably fits: with the required members alone, or
// with the optional ones too.
func (j *judge) draw(node any, full bool, depth int) any {
	s, ok := node.(map[string]any)
	if !ok || depth > 8 {
		return "anything"
	}
	if ref, ok := s["$ref"].(string); ok {
		return j.draw(j.follow(ref), full, depth+1)
	}
	if c, ok := s["const"]; ok {
		return c
	}
	if list, ok := s["enum"].([]any); ok && len(list) > 0 {
		return list[len(list)-1]
	}
	for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
		if list, ok := s[keyword].([]any); ok && len(list) > 0 && s["properties"] == nil {
			return j.draw(list[0], full, depth+1)
		}
	}
	return j.typed(s, typeOf(s), full, depth)
}

func typeOf(s map[string]any) string {
	switch kind := s["type"].(type) {
	case string:
		return kind
	case []any:
		if len(kind) > 0 {
			return fmt.Sprint(kind[0])
		}
	}
	if s["properties"] != nil {
		return "object"
	}
	return ""
}

func (j *judge) typed(s map[string]any, kind string, full bool, depth int) any {
	switch kind {
	case "object":
		members := map[string]any{}
		properties, _ := s["properties"].(map[string]any)
		required, _ := s["required"].([]any)
		for name, property := range properties {
			if slices.Contains(required, any(name)) || full && depth < 4 {
				members[name] = j.draw(property, full, depth+1)
			}
		}
		return members
	case "array":
		return []any{j.draw(s["items"], full, depth+1)}
	case "integer", "number":
		for _, keyword := range []string{"default", "minimum", "maximum"} {
			if n, ok := s[keyword].(json.Number); ok {
				return n
			}
		}
		return json.Number("9007199254740993")
	case "boolean":
		return true
	case "null":
		return nil
	}
	if text, ok := s["default"].(string); ok {
		return text
	}
	if text, ok := formatted[fmt.Sprint(s["format"])]; ok {
		return text
	}
	return "2024-01-01"
}

// formatted has a text for each format the captures ask for. We take formats
// for remarks, the judge does not.
var formatted = map[string]string{
	"uri":       "https://example.com/a",
	"date-time": "2024-01-01T00:00:00Z",
	"uuid":      "123e4567-e89b-12d3-a456-426614174000",
	"email":     "someone@example.com",
	"time":      "12:00:00Z",
}

// follow finds what a reference within the schema points at.
func (j *judge) follow(ref string) any {
	node := j.root
	for _, part := range strings.Split(strings.TrimPrefix(strings.TrimPrefix(ref, "#"), "/"), "/") {
		members, ok := node.(map[string]any)
		if !ok || part == "" {
			return node
		}
		node = members[strings.NewReplacer("~1", "/", "~0", "~").Replace(part)]
	}
	return node
}

// exact decodes with every digit kept.
func exact(text json.RawMessage) any {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return fmt.Sprintf("not JSON: %s", text)
	}
	return v
}

func plain(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
