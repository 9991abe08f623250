package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// version reads the version of what a row is about.
func (r row) version(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(r.lock)))
	if err != nil {
		return "", err
	}
	version := ""
	if filepath.Base(r.lock) == "go.mod" {
		version = required(text, r.name)
	} else if version, err = locked(text, r.name); err != nil {
		return "", fmt.Errorf("%s: %w", r.lock, err)
	}
	if version == "" {
		return "", fmt.Errorf("%s has no %s", r.lock, r.name)
	}
	return version, nil
}

// required is the version of a module that a go.mod requires; empty for none.
func required(mod []byte, module string) string {
	line := regexp.MustCompile(`(?m)^\s*(?:require\s+)?` + regexp.QuoteMeta(module) + `\s+(v\S+)`)
	if found := line.FindSubmatch(mod); found != nil {
		return string(found[1])
	}
	return ""
}

// locked is the version of a package that npm installs; empty for none.
func locked(lock []byte, name string) (string, error) {
	var file struct {
		Packages map[string]struct{ Version string }
	}
	err := json.Unmarshal(lock, &file)
	return file.Packages["node_modules/"+name].Version, err
}
