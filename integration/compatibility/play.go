package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/mcptoolset/mcptoolset/integration/compatibility/spoken"
)

// results are what tests came to, by the folder of their package and by their
// names.
type results map[string]map[string]*result

// result is what one test came to.
type result struct {
	verdict               string // pass, fail or skip; empty where it did not end
	connections, versions []string
}

// play runs the tests of all packages that rows name.
func play(ctx context.Context, root string, rows []row) (results, error) {
	all := results{}
	for _, r := range rows {
		if all[r.dir] != nil {
			continue
		}
		of, err := runTests(ctx, filepath.Join(root, filepath.FromSlash(r.dir)))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.dir, err)
		}
		all[r.dir] = of
	}
	return all, nil
}

// runTests runs the tests of a package. That some fail is no error.
func runTests(ctx context.Context, dir string) (map[string]*result, error) {
	cmd := exec.CommandContext(ctx, "go", "test", "-json", "-count=1", "-timeout=20m", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "MCPTOOLSET_REQUIRE_SERVERS=1") // a missing server is a failure
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	all, err := read(out)
	var failed *exec.ExitError
	if ended := cmd.Wait(); err == nil && !errors.As(ended, &failed) {
		err = ended
	}
	if err == nil && len(all) == 0 {
		err = errors.New("no test ran")
	}
	return all, err
}

// event is one line of go test -json.
type event struct{ Action, Test, Key, Value string }

// read makes results of what go test -json prints.
func read(from io.Reader) (map[string]*result, error) {
	all := map[string]*result{}
	for lines := json.NewDecoder(from); ; {
		var e event
		switch err := lines.Decode(&e); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			_, _ = io.Copy(io.Discard, from) // or the tests would wait for a reader
			return nil, fmt.Errorf("what go test prints cannot be read: %w", err)
		case e.Test == "":
			continue
		}
		if all[e.Test] == nil {
			all[e.Test] = &result{}
		}
		all[e.Test].note(e)
	}
}

func (r *result) note(e event) {
	switch e.Action {
	case "pass", "fail", "skip":
		r.verdict = e.Action
	case "attr":
		switch e.Key {
		case spoken.Connection:
			r.connections = with(r.connections, e.Value)
		case spoken.Version:
			r.versions = with(r.versions, e.Value)
		}
	}
}

// with is a sorted list with one more text.
func with(all []string, text string) []string {
	if i, there := slices.BinarySearch(all, text); !there {
		return slices.Insert(all, i, text)
	}
	return all
}
