//go:build unix

package soak

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// ledger is where the servers of all processes note what took effect: a file
// that is only appended to, a line at a time.
type ledger struct {
	path string
	file *os.File
}

func newLedger(t *testing.T) *ledger {
	t.Helper()
	l := openLedger(filepath.Join(t.TempDir(), "ledger"))
	require.NotNil(t, l)
	t.Cleanup(func() { _ = l.file.Close() })
	return l
}

// openLedger returns nil where the file cannot be opened.
func openLedger(path string) *ledger {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil
	}
	return &ledger{path: path, file: file}
}

func (l *ledger) note(kind, key string) error {
	_, err := fmt.Fprintf(l.file, "%s %s\n", kind, key)
	return err
}

// counts tells how often each key of a kind was noted.
func (l *ledger) counts(t *testing.T, kind string) map[string]int {
	t.Helper()
	file, err := os.Open(l.path)
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	counts := map[string]int{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var of, key string
		_, err := fmt.Sscan(lines.Text(), &of, &key)
		require.NoError(t, err, "%q", lines.Text())
		if of == kind {
			counts[key]++
		}
	}
	return counts
}

const (
	effect  = "effect"
	process = "process"
)

// processes are the ids of all child processes there ever were.
func (l *ledger) processes(t *testing.T) (ids []int) {
	t.Helper()
	for text := range l.counts(t, process) {
		id, err := strconv.Atoi(text)
		require.NoError(t, err)
		ids = append(ids, id)
	}
	return ids
}
