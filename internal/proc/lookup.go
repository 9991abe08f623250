package proc

import (
	"errors"
	"io/fs"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// findCommand is the file to run for s.Command: os/exec would search the
// parent's PATH, while the child's own is what its configuration talks about.
func findCommand(s Spec, env []string) (string, error) {
	if isPath(s.Command) {
		path := s.Command
		if s.Dir != "" && !filepath.IsAbs(path) {
			path = filepath.Join(s.Dir, path)
		}
		return executable(path)
	}
	var refused error
	for _, dir := range filepath.SplitList(lookupEnv(env, "PATH", runtime.GOOS == "windows")) {
		if !filepath.IsAbs(dir) {
			continue // what runs must not depend on where the parent happens to stand
		}
		path, err := executable(filepath.Join(dir, s.Command))
		if err == nil {
			return path, nil
		}
		if errors.Is(err, fs.ErrPermission) && refused == nil {
			refused = err
		}
	}
	if refused != nil {
		return "", refused
	}
	return "", exec.ErrNotFound
}

func isPath(command string) bool {
	if runtime.GOOS == "windows" {
		return strings.ContainsAny(command, `:\/`)
	}
	return strings.Contains(command, "/")
}

// executable is the file at path, absolute, with the extension it needs on
// Windows. A file that is missing is exec.ErrNotFound too.
func executable(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	found, err := exec.LookPath(abs)
	if err == nil {
		return found, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return "", exec.ErrNotFound
	}
	if cause := errors.Unwrap(err); cause != nil {
		return "", cause // the caller names the command
	}
	return "", err
}
