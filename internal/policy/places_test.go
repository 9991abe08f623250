package policy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// places are the names of machines, homes and registries, which mean nothing
// to another reader and break the build elsewhere. They are written so that
// this file does not match itself.
var places = regexp.MustCompile(`(/[w]ork/|/[r]oot/|/[h]ome/[a-z]+/|/[U]sers/)|\b([r]egistry|[p]roxy)\.[a-z]+\.(org|com|dev|io)\b|"[r]esolved":`)

// files lists what git keeps, and what it would keep.
func files(t *testing.T) []string {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Skip("not a git checkout: the files of the project are not known")
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

func TestNoFileNamesThePlaceItWasMadeIn(t *testing.T) {
	t.Parallel()
	for _, name := range files(t) {
		if strings.HasSuffix(name, ".sum") {
			continue
		}
		text, err := os.ReadFile(filepath.Join("../..", name))
		if os.IsNotExist(err) {
			continue // deleted, not yet committed
		}
		require.NoError(t, err)
		assert.NotRegexp(t, places, string(text), name)
	}
}

func TestNoRoomIsCalledUtil(t *testing.T) {
	t.Parallel()
	for _, name := range files(t) {
		for part := range strings.SplitSeq(name, "/") {
			assert.NotRegexp(t, `^(utils?|common|helpers?|misc)(\.go)?$`, part, name)
		}
	}
}
