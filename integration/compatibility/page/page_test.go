package page_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/integration/compatibility/page"
)

func TestOnlyWhatIsBetweenTheMarksChanges(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "page.md")
	const before = "first\n<!-- a -->\nold\n<!-- end -->\nthen\n<!-- b -->\nkept\n<!-- end -->\nlast\n"
	require.NoError(t, os.WriteFile(path, []byte(before), 0o600))
	require.NoError(t, page.Write(path, "a", "new\n"))
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "first\n<!-- a -->\nnew\n<!-- end -->\nthen\n<!-- b -->\nkept\n<!-- end -->\nlast\n", string(after))
}

func TestAPageWithoutTheMarksStaysAsItIs(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"none":             "no marks",
		"another's":        "<!-- b -->\n<!-- end -->\n",
		"one without end":  "<!-- a -->\n",
		"the end before":   "<!-- end -->\n<!-- a -->\n",
		"not a whole line": "<!-- a --> <!-- end -->\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "page.md")
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			assert.ErrorContains(t, page.Write(path, "a", "new"), "marks")
			after, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, text, string(after))
		})
	}
}
