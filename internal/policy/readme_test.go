package policy_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const root = "../.."

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	require.NoError(t, err)
	return string(text)
}

// fenced matches a block of a document; its groups are the language and the
// text.
var fenced = regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$")

// blocks are the texts of a document's blocks in a language.
func blocks(document, language string) []string {
	var found []string
	for _, match := range fenced.FindAllStringSubmatch(document, -1) {
		if match[1] == language {
			found = append(found, match[2])
		}
	}
	return found
}

// excerpt matches a part of an example that the README shows; its groups are
// the name and the text.
var excerpt = regexp.MustCompile(`(?ms)^// readme: ([a-z]+)$\n(.*?)^// readme end$`)

// excerpts are the parts of the examples that the README shows, by name.
func excerpts(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, name := range files(t) {
		if !strings.HasPrefix(name, "examples/") || !strings.HasSuffix(name, ".go") {
			continue
		}
		text := read(t, name)
		marks := excerpt.FindAllStringSubmatch(text, -1)
		assert.Len(t, marks, strings.Count(text, "// readme: "), "%s: a mark does not end", name)
		for _, match := range marks {
			assert.NotContains(t, found, match[1], "%s: two excerpts have one name", name)
			found[match[1]] = match[2]
		}
	}
	require.NotEmpty(t, found)
	return found
}

// spaceless makes texts equal that differ in white space.
func spaceless(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestREADMEShowsTheExamples(t *testing.T) {
	t.Parallel()
	var shown []string
	for _, block := range blocks(read(t, "README.md"), "go") {
		shown = append(shown, spaceless(block))
	}
	real := excerpts(t)
	for name, text := range real {
		assert.Contains(t, shown, spaceless(text), "the README does not show the excerpt %q as it stands in its example", name)
	}
	for _, block := range shown {
		inExamples := false
		for _, text := range real {
			inExamples = inExamples || spaceless(text) == block
		}
		assert.True(t, inExamples, "no example holds this block of the README between marks: %.80s…", block)
	}
}

var (
	// makeLine is a line of a block that runs make.
	makeLine = regexp.MustCompile(`(?m)^make ([a-z-]+)`)
	// makeIndented is a line of a document that does.
	makeIndented = regexp.MustCompile(`(?m)^(?:    |\t)make ([a-z-]+)`)
)

// target is a line of the Makefile that begins a target.
var target = regexp.MustCompile(`(?m)^([a-z-]+):`)

func TestDocumentsNameTargetsThatExist(t *testing.T) {
	t.Parallel()
	var known []string
	for _, match := range target.FindAllStringSubmatch(read(t, "Makefile"), -1) {
		known = append(known, match[1])
	}
	for _, name := range documents(t) {
		text := read(t, name)
		run := makeIndented.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1)
		for _, block := range blocks(text, "sh") {
			run = append(run, makeLine.FindAllStringSubmatch(block, -1)...)
		}
		for _, match := range run {
			assert.Contains(t, known, match[1], "%s: make %s", name, match[1])
		}
		if name == "README.md" {
			assert.GreaterOrEqual(t, len(run), 2, "the README tells how to see it at work and how to test it")
		}
	}
}

// documents are the project's Markdown files.
func documents(t *testing.T) []string {
	t.Helper()
	var found []string
	for _, name := range files(t) {
		if _, err := os.Stat(filepath.Join(root, name)); err == nil && strings.HasSuffix(name, ".md") {
			found = append(found, name)
		}
	}
	require.Contains(t, found, "README.md")
	return found
}

var (
	// link is a link of a document; its group is where it leads.
	link = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	// folder is a package that a document names for a command of go.
	folder = regexp.MustCompile(`\./((?:examples|integration|internal)/[a-z/]+)`)
)

func TestDocumentsLeadSomewhere(t *testing.T) {
	t.Parallel()
	for _, name := range documents(t) {
		text := read(t, name)
		for _, match := range link.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
			to, _, _ := strings.Cut(match[1], "#")
			if strings.Contains(to, "://") || to == "" {
				continue
			}
			_, err := os.Stat(filepath.Join(root, filepath.Dir(name), to))
			assert.NoError(t, err, "%s links to %s", name, match[1])
		}
		for _, match := range folder.FindAllStringSubmatch(text, -1) {
			_, err := os.Stat(filepath.Join(root, match[1]))
			assert.NoError(t, err, "%s names ./%s", name, match[1])
		}
	}
}

func TestREADMEIsShort(t *testing.T) {
	t.Parallel()
	prose := fenced.ReplaceAllString(read(t, "README.md"), "")
	assert.Less(t, len(strings.Fields(prose)), 500, "the words of the README outside of its programs")
}
