package schema_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/schema"
)

// captured is a tool as a public server listed it.
type captured struct {
	Server, Name string
	Schema       json.RawMessage
}

// corpus reads the captures beside the repository.
func corpus(tb testing.TB) []captured {
	tb.Helper()
	files, err := filepath.Glob("../../../shared/corpus/*.json")
	require.NoError(tb, err)
	if len(files) == 0 {
		tb.Skip("no captures of public servers in ../shared/corpus")
	}
	var tools []captured
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(tb, err)
		var capture struct {
			Tools []struct {
				Name        string
				InputSchema json.RawMessage
			}
		}
		require.NoError(tb, json.Unmarshal(raw, &capture), file)
		for _, t := range capture.Tools {
			tools = append(tools, captured{filepath.Base(file), t.Name, t.InputSchema})
		}
	}
	return tools
}

func TestC6_EveryCapturedToolFitsEveryProfile(t *testing.T) {
	t.Parallel()
	for _, tool := range corpus(t) {
		for _, p := range schema.Profiles() {
			checkConversion(t, p, tool.Schema, tool.Server+" "+tool.Name)
		}
	}
}

// checkConversion holds for every schema and profile: the checker of the
// profile is content, the same input gives the same bytes in a fresh map, and
// converting the result again changes nothing.
func checkConversion(t require.TestingT, p schema.Profile, raw json.RawMessage, name string) {
	shown := schema.Parameters(raw, p)
	if found := problems(p, shown); len(found) > 0 {
		require.Fail(t, "the provider would refuse it", "%s, %s: %s\n%.2000s\n%.2000s", p, name, found[0], raw, mustJSON(shown.Parameters))
	}
	if odd := oddType(shown.Parameters); odd != nil {
		require.Fail(t, "a Go type that LangChainGo's providers do not read", "%s, %s: %T", p, name, odd)
	}
	first := mustJSON(shown.Parameters)
	again := schema.Parameters(raw, p)
	if mustJSON(again.Parameters) != first || !assert.ObjectsAreEqual(again.Notes, shown.Notes) {
		require.Fail(t, "not deterministic", "%s, %s", p, name)
	}
	again.Parameters["properties"].(map[string]any)["changed"] = true
	if mustJSON(shown.Parameters) != first {
		require.Fail(t, "two conversions share a map", "%s, %s", p, name)
	}
	second := schema.Parameters(json.RawMessage(first), p)
	if mustJSON(second.Parameters) != first || second.Strict != shown.Strict || len(second.Keys) > 0 {
		require.Fail(t, "converting again changes it", "%s, %s:\n%.2000s\n%.2000s\n%.2000s", p, name, raw, first, mustJSON(second.Parameters))
	}
}

// oddType finds a value of a type that Parameters must not hold.
func oddType(v any) any {
	switch x := v.(type) {
	case nil, bool, string, json.Number:
	case map[string]any:
		for _, below := range x {
			if odd := oddType(below); odd != nil {
				return odd
			}
		}
	case []any:
		for _, below := range x {
			if odd := oddType(below); odd != nil {
				return odd
			}
		}
	default:
		return v
	}
	return nil
}

func mustJSON(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}
