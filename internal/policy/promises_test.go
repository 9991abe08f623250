package policy_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const promises = "docs/promises.md"

var update = flag.Bool("update", false, "write the lists of tests in "+promises+" anew")

// sections are how many promises there are under each letter.
var sections = map[string]int{"A": 8, "B": 11, "C": 7, "D": 5, "E": 11, "F": 11, "G": 2, "H": 7, "J": 5, "K": 3}

const reports = 95

// numbers are all that the document has to hold, in its order.
func numbers() []string {
	var all []string
	for _, letter := range slices.Sorted(maps.Keys(sections)) {
		for i := range sections[letter] {
			all = append(all, fmt.Sprintf("%s%d", letter, i+1))
		}
	}
	for i := range reports {
		all = append(all, fmt.Sprintf("O%02d", i+1))
	}
	return all
}

// row is a promise in the document. Its groups are the number, the text with
// what is missing, the number in the mark, and the list of tests.
var row = regexp.MustCompile(`(?ms)^- \*\*([A-Z][0-9]+)\*\* (.*?)\n  - Tests: <!-- ([A-Z][0-9]+) -->(.*?)<!-- end -->$`)

func TestPromisesNameTheirTests(t *testing.T) {
	t.Parallel()
	held := tests(t)
	rig := passing(t)
	document := read(t, promises)
	var found []string
	fresh := row.ReplaceAllStringFunc(document, func(text string) string {
		match := row.FindStringSubmatch(text)
		number, words, old := match[1], match[2], match[4]
		found = append(found, number)
		assert.Equal(t, number, match[3], "the mark of a row bears its number")
		list := listOf(held.by[number], slices.Contains(rig, number))
		if !*update {
			assert.Equal(t, spaceless(list), spaceless(old), "the tests of %s: go test ./internal/policy -run Promises -update writes them anew", number)
		}
		covered := list != none || strings.Contains(words, "\n  - Also: ")
		unbuilt := strings.Contains(words, "\n  - Not built yet.")
		assert.NotEqual(t, covered, unbuilt, "%s: either there are tests, or the row says that it is not built yet", number)
		return strings.TrimSuffix(text, old+"<!-- end -->") + list + "<!-- end -->"
	})
	assert.Equal(t, numbers(), found, "the rows of the document")
	if *update && fresh != document {
		require.NoError(t, os.WriteFile(filepath.Join(root, promises), []byte(fresh), 0o644))
	}
}

// named is a test in a document: its groups are the package and the function.
var named = regexp.MustCompile("`([a-z0-9/]+)\\.((?:Test|Fuzz|Example)\\w+)`")

func TestPromisesNameTestsThatExist(t *testing.T) {
	t.Parallel()
	held := tests(t)
	for _, name := range documents(t) {
		for _, match := range named.FindAllStringSubmatch(read(t, name), -1) {
			full := match[1] + "." + match[2]
			assert.True(t, held.all[full], "%s names a test that does not exist: %s", name, full)
		}
	}
}

func TestPromisesAreTestedByNumbersThatExist(t *testing.T) {
	t.Parallel()
	known := numbers()
	held := tests(t)
	for number, names := range held.by {
		assert.Contains(t, known, number, "there is no such promise: %v", names)
	}
	for _, number := range passing(t) {
		assert.Contains(t, known, number, "passing.txt")
	}
}

const (
	none = "no test bears the number"
	// width is where a list of tests is broken into lines.
	width = 160
)

// listOf is what the document says of a promise's tests.
func listOf(names []string, rig bool) string {
	var items []string
	for _, name := range names {
		items = append(items, "`"+name+"`")
	}
	switch {
	case len(items) == 0 && rig:
		return "the case rig only"
	case len(items) == 0:
		return none
	case rig:
		items = append(items, "the case rig")
	}
	const indent = "\n    "
	var list strings.Builder
	line := 0
	for i, item := range items {
		if i < len(items)-1 {
			item += ","
		}
		if line+len(item) > width || i == 0 {
			list.WriteString(indent)
			line = 0
		} else {
			list.WriteString(" ")
		}
		list.WriteString(item)
		line += len(item) + 1
	}
	return list.String()
}

// passing are the numbers that pass in the case rig.
func passing(t *testing.T) []string {
	t.Helper()
	var found []string
	for line := range strings.Lines(read(t, "integration/caserig/passing.txt")) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			found = append(found, line)
		}
	}
	require.NotEmpty(t, found)
	return found
}

// testsOf are the tests of the project: package and function, all and by the
// promise they hold.
type testsOf struct {
	all map[string]bool
	by  map[string][]string
}

var (
	// inName finds the numbers in the name of a test.
	inName = regexp.MustCompile(`^(?:Test|Fuzz)((?:(?:[A-K][0-9]{1,2}|O[0-9]{2})_)+)`)
	// atHead finds the number at the head of a case's name or of a message.
	atHead = regexp.MustCompile(`^([A-K][0-9]{1,2}|O[0-9]{2})[ :]`)
)

func tests(t *testing.T) testsOf {
	t.Helper()
	found := testsOf{map[string]bool{}, map[string][]string{}}
	for _, file := range files(t) {
		if !strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, file))
		if os.IsNotExist(err) {
			continue // deleted, not yet committed
		}
		require.NoError(t, err)
		parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, declared := range parsed.Decls {
			if function, ok := declared.(*ast.FuncDecl); ok && function.Recv == nil {
				found.add(path.Dir(file), function)
			}
		}
	}
	require.NotEmpty(t, found.by)
	for number := range found.by {
		slices.Sort(found.by[number])
	}
	return found
}

func (f testsOf) add(room string, function *ast.FuncDecl) {
	name := function.Name.Name
	if !strings.HasPrefix(name, "Test") && !strings.HasPrefix(name, "Fuzz") && !strings.HasPrefix(name, "Example") {
		return
	}
	full := room + "." + name
	f.all[full] = true
	held := map[string]bool{}
	if match := inName.FindStringSubmatch(name); match != nil {
		for _, number := range strings.Split(strings.TrimSuffix(match[1], "_"), "_") {
			held[number] = true
		}
	}
	if !strings.HasPrefix(room, "integration/caserig") { // its tests play with numbers
		ast.Inspect(function, func(n ast.Node) bool {
			if number := numberOf(n); number != "" {
				held[number] = true
			}
			return true
		})
	}
	for number := range held {
		f.by[number] = append(f.by[number], full)
	}
}

// numberOf is the number at the head of a string.
func numberOf(n ast.Node) string {
	literal, ok := n.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return ""
	}
	text, err := strconv.Unquote(literal.Value)
	if err != nil {
		return ""
	}
	if match := atHead.FindStringSubmatch(text); match != nil {
		return match[1]
	}
	return ""
}
