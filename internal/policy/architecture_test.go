package policy_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// roomRow is a row of the table of rooms; its groups are the room and the cell
// with those it may import.
var roomRow = regexp.MustCompile("(?m)^\\| `([a-z/]+)` \\| [^|]+ \\| ([^|]*)\\|$")

var inCode = regexp.MustCompile("`([^`]+)`")

func TestTheTableOfRoomsIsTheOneThatHolds(t *testing.T) {
	t.Parallel()
	documented := map[string][]string{}
	for _, row := range roomRow.FindAllStringSubmatch(read(t, "ARCHITECTURE.md"), -1) {
		imports := []string{}
		for _, name := range inCode.FindAllStringSubmatch(row[2], -1) {
			imports = append(imports, name[1])
		}
		documented[row[1]] = imports
	}
	for room, imports := range mayImport {
		if assert.Contains(t, documented, room, "ARCHITECTURE.md has no row for this room") {
			assert.ElementsMatch(t, imports, documented[room], "what %s may import", room)
		}
	}
	for room := range documented {
		assert.Contains(t, mayImport, room, "ARCHITECTURE.md has a row for a room that imports_test.go does not know")
	}
}

// dotted is a name such as wire.List or Config.MaxItems in a document; its
// groups are what stands first and last.
var dotted = regexp.MustCompile(`\b([A-Za-z]+)(?:\.[A-Za-z]+)*\.([A-Za-z]+)\b`)

// foreign are the first parts of names that are not ours.
var foreign = []string{"agents", "errors", "exec", "llms", "slog", "Executor", "OpenAIFunctionsAgent"}

func TestDocumentsSpeakOfWhatExists(t *testing.T) {
	t.Parallel()
	declared := declarations(t)
	for _, document := range []string{"ARCHITECTURE.md", "docs/errors.md"} {
		text := read(t, document)
		spoken := inCode.FindAllString(fenced.ReplaceAllString(text, ""), -1)
		if document == "ARCHITECTURE.md" {
			spoken = append(spoken, blocks(text, "text")...)
		}
		for _, words := range spoken {
			for _, name := range dotted.FindAllStringSubmatch(words, -1) {
				if !slices.Contains(foreign, name[1]) && !slices.Contains([]string{"go", "json", "md"}, name[2]) {
					assert.True(t, declared[name[2]], "%s speaks of %s, which is not declared", document, name[0])
				}
			}
		}
	}
}

// declarations are the names that the library declares: functions, methods,
// types, fields, constants and variables.
func declarations(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, name := range files(t) {
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "examples/") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.SkipObjectResolution)
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted, not yet committed
		}
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				found[n.Name.Name] = true
			case *ast.TypeSpec:
				found[n.Name.Name] = true
			case *ast.Field:
				for _, field := range n.Names {
					found[field.Name] = true
				}
			case *ast.ValueSpec:
				for _, value := range n.Names {
					found[value.Name] = true
				}
			}
			return true
		})
	}
	return found
}
