package servers

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLocate_SaysHowToInstall(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}
	checkout := t.TempDir()
	folder := filepath.Join(checkout, "integration", "servers")
	deep := filepath.Join(checkout, "toolset", "inner")
	require.NoError(t, os.MkdirAll(folder, 0o755))
	require.NoError(t, os.MkdirAll(deep, 0o755))

	_, _, err := locate(deep, entries["time"])
	require.ErrorContains(t, err, "checkout")

	require.NoError(t, os.WriteFile(filepath.Join(folder, "package-lock.json"), nil, 0o600))
	_, _, err = locate(deep, entries["time"])
	require.ErrorContains(t, err, "make servers")

	entry := filepath.Join(folder, "node_modules", "time-mcp", "dist", "index.js")
	require.NoError(t, os.MkdirAll(filepath.Dir(entry), 0o755))
	require.NoError(t, os.WriteFile(entry, nil, 0o600))
	node, file, err := locate(deep, entries["time"])
	require.NoError(t, err)
	assert.NotEmpty(t, node)
	assert.Equal(t, entry, file)
}

func TestMissing_SkipsUnlessServersAreRequired(t *testing.T) {
	t.Parallel()
	why := errors.New("gone")
	assert.Equal(t, "skipped: test server time cannot run: gone", outcome(func(t testing.TB) { missing(t, false, "time", why) }))
	assert.Equal(t, "failed: test server time cannot run, and MCPTOOLSET_REQUIRE_SERVERS is set: gone",
		outcome(func(t testing.TB) { missing(t, true, "time", why) }))
}

func TestFind_FailsForAnUnknownServer(t *testing.T) {
	t.Parallel()
	assert.Equal(t, `failed: there is no test server "tme"`, outcome(func(t testing.TB) { Find(t, "tme") }))
}

// outcome runs f with a test that only notes how it ended.
func outcome(f func(testing.TB)) (how string) {
	defer func() { how, _ = recover().(string) }()
	f(noteTB{})
	return ""
}

type noteTB struct{ testing.TB }

func (noteTB) Helper()                        {}
func (noteTB) Skipf(format string, a ...any)  { panic("skipped: " + fmt.Sprintf(format, a...)) }
func (noteTB) Fatalf(format string, a ...any) { panic("failed: " + fmt.Sprintf(format, a...)) }
