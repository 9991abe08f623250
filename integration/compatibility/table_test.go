package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// home is the project's root.
const home = "../.."

func TestThePageHasTheLinesAndVersionsOfToday(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(home, "docs", "compatibility.md"))
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "<!-- "+mark+" -->\n")
	require.True(t, found)
	part, _, _ := strings.Cut(rest, "<!-- end -->")
	for _, r := range rows {
		version, err := r.version(home)
		require.NoError(t, err)
		assert.Contains(t, part, r.head(version)+" |", "run make compatibility")
		assert.Contains(t, part, "| "+r.covering()+" |", "run make compatibility")
	}
	assert.Equal(t, len(rows), strings.Count(part, "\n| ")-1, "lines besides that of the headings")
	assert.NotContains(t, part, "FAILED")
}

func TestEachRowHasTests(t *testing.T) {
	t.Parallel()
	function := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	for _, r := range rows {
		files, err := filepath.Glob(filepath.Join(home, r.dir, "*_test.go"))
		require.NoError(t, err)
		var source strings.Builder
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			source.Write(text)
		}
		parent, sub, _ := strings.Cut(r.tests.String(), "/")
		match := regexp.MustCompile(parent)
		there := false
		for _, f := range function.FindAllStringSubmatch(source.String(), -1) {
			there = there || match.MatchString(f[1])
		}
		assert.True(t, there, "%s: no test in %s is called like %s", r.name, r.dir, parent)
		assert.Contains(t, source.String(), sub, "%s: nothing in %s is called like the subtest", r.name, r.dir)
	}
}

// Who adds a server adds a row.
func TestEachPackageOfServersHasARow(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(home, "integration", "servers", "package.json"))
	require.NoError(t, err)
	var file struct{ Dependencies map[string]string }
	require.NoError(t, json.Unmarshal(text, &file))
	var have []string
	for _, r := range rows {
		have = append(have, r.name)
	}
	require.NotEmpty(t, file.Dependencies)
	for name := range file.Dependencies {
		assert.Contains(t, have, name)
	}
}

func TestVersionsAreReadFromLockFiles(t *testing.T) {
	t.Parallel()
	mod := []byte("module example.org/m\n\nrequire example.org/one v1.0.0\n\nrequire (\n\texample.org/two v2.0.1 // indirect\n\texample.org/two/more v3.0.0\n)\n")
	for module, want := range map[string]string{
		"example.org/one": "v1.0.0", "example.org/two": "v2.0.1", "example.org/two/more": "v3.0.0", "example.org/m": "", "example.org/tw": "",
	} {
		assert.Equal(t, want, required(mod, module), module)
	}
	lock := []byte(`{"packages":{"":{"version":"0"},"node_modules/a":{"version":"1.2.3"},"node_modules/b/node_modules/c":{"version":"4"}}}`)
	for name, want := range map[string]string{"a": "1.2.3", "b": "", "c": ""} {
		version, err := locked(lock, name)
		require.NoError(t, err)
		assert.Equal(t, want, version, name)
	}
	_, err := locked([]byte("{"), "a")
	assert.Error(t, err)
	_, err = row{name: "nobody", lock: npmLock}.version(home)
	assert.ErrorContains(t, err, "nobody")
	_, err = row{name: "nobody", lock: "nowhere/go.mod"}.version(home)
	assert.Error(t, err)
}

// printed is what go test -json prints of a package.
const printed = `{"Action":"start"}
{"Action":"run","Test":"TestA"}
{"Action":"attr","Test":"TestA/one","Key":"mcp.connection","Value":"SSE"}
{"Action":"attr","Test":"TestA/one","Key":"mcp.version","Value":"2025-11-25"}
{"Action":"attr","Test":"TestA/one","Key":"mcp.version","Value":"2024-11-05"}
{"Action":"attr","Test":"TestA/two","Key":"mcp.connection","Value":"child process"}
{"Action":"attr","Test":"TestA/two","Key":"mcp.connection","Value":"child process"}
{"Action":"attr","Test":"TestA/two","Key":"other","Value":"x"}
{"Action":"output","Test":"TestA/one","Output":"text"}
{"Action":"pass","Test":"TestA/one"}
{"Action":"pass","Test":"TestA/two"}
{"Action":"skip","Test":"TestA/three"}
{"Action":"pass","Test":"TestA"}
{"Action":"fail","Test":"TestB/sub"}
{"Action":"fail","Test":"TestB"}
{"Action":"run","Test":"TestC"}
{"Action":"pass","Test":"TestD"}
{"Action":"skip","Test":"TestE"}
{"Action":"fail"}
`

func TestWhatTestsComeTo(t *testing.T) {
	t.Parallel()
	found, err := read(strings.NewReader(printed))
	require.NoError(t, err)
	all := results{"d": found}
	for pattern, want := range map[string]struct {
		connections, versions, said string
		faults                      []string
	}{
		"^TestA":      {"SSE, child process", "2024-11-05, 2025-11-25", "2 passed, 1 skipped", nil},
		"^TestA/one$": {"SSE", "2024-11-05, 2025-11-25", "1 passed", nil},
		"^Test[AB]":   {"SSE, child process", "2024-11-05, 2025-11-25", "2 FAILED, 2 passed, 1 skipped", []string{"n: TestB failed", "n: TestB/sub failed"}},
		"^TestC":      {"", "", "1 FAILED, 0 passed", []string{"n: TestC failed", "n: no test passed"}},
		"^TestD":      {"", "", "1 passed", []string{"n: no test noted what it speaks, and over what (package spoken)"}},
		"^TestE":      {"", "", "0 passed, 1 skipped", []string{"n: no test passed"}},
		"^TestF":      {"", "", "0 passed", []string{"n: no test passed"}},
	} {
		t.Run(pattern, func(t *testing.T) {
			t.Parallel()
			r := row{name: "n", dir: "d", tests: regexp.MustCompile(pattern)}
			o := r.of(all)
			assert.Equal(t, want.connections, strings.Join(o.connections, ", "))
			assert.Equal(t, want.versions, strings.Join(o.versions, ", "))
			assert.Equal(t, want.said, o.String())
			assert.Equal(t, want.faults, faults([]row{r}, all))
		})
	}
}

func TestWhatIsNoResultOfTests(t *testing.T) {
	t.Parallel()
	_, err := read(strings.NewReader("go: no such package\n"))
	assert.ErrorContains(t, err, "cannot be read")
	found, err := read(strings.NewReader(""))
	require.NoError(t, err)
	assert.Empty(t, found)
	_, err = runTests(t.Context(), t.TempDir())
	assert.Error(t, err, "there is no package")
}
