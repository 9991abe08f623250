package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// expected are the scenarios that are known to stay red, with the reason.
type expected map[job]string

// readExpected reads a file of lines "scenario version reason"; # begins a
// comment.
func readExpected(path string) (expected, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	e := expected{}
	for n, line := range strings.Split(string(text), "\n") {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || strings.HasPrefix(fields[0], "#"):
			continue
		case len(fields) < 3:
			return nil, fmt.Errorf("%s:%d: want scenario, version and reason", path, n+1)
		}
		e[job{fields[0], fields[1]}] = strings.Join(fields[2:], " ")
	}
	return e, nil
}

// unknown are the entries that no scenario of the suite has.
func (e expected) unknown(all []job) []string {
	var names []string
	for j := range e {
		if !slices.Contains(all, j) {
			names = append(names, j.String())
		}
	}
	slices.Sort(names)
	return names
}

// verdict is what an outcome means for the run, and whether it is as it should be.
func (e expected) verdict(o outcome) (text string, ok bool) {
	reason, red := e[o.job]
	switch {
	case o.green() && red:
		return "passes: take it out of the list of those that do not", false
	case o.green():
		return "passes", true
	case red:
		return "known to fail: " + reason, true
	}
	return "FAILS", false
}
