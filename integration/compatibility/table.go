package main

import (
	"fmt"
	"strings"
)

// outcome is what the tests of one row came to.
type outcome struct {
	passed, skipped       int
	failed                []string // their names; also of those that did not end
	connections, versions []string
}

// of gathers the results of a row. A test with subtests does not count beside
// them, unless it failed.
func (r row) of(all results) outcome {
	var o outcome
	parents := map[string]bool{}
	for name := range all[r.dir] {
		for i := range name {
			if name[i] == '/' {
				parents[name[:i]] = true
			}
		}
	}
	for name, one := range all[r.dir] {
		if !r.tests.MatchString(name) {
			continue
		}
		for _, c := range one.connections {
			o.connections = with(o.connections, c)
		}
		for _, v := range one.versions {
			o.versions = with(o.versions, v)
		}
		switch {
		case one.verdict == "pass" && !parents[name]:
			o.passed++
		case one.verdict == "skip" && !parents[name]:
			o.skipped++
		case one.verdict != "pass" && one.verdict != "skip":
			o.failed = with(o.failed, name)
		}
	}
	return o
}

// String is the outcome in a few words.
func (o outcome) String() string {
	text := fmt.Sprintf("%d passed", o.passed)
	if len(o.failed) > 0 {
		text = fmt.Sprintf("%d FAILED, ", len(o.failed)) + text
	}
	if o.skipped > 0 {
		text += fmt.Sprintf(", %d skipped", o.skipped)
	}
	return text
}

// table is the page's.
func table(root string, rows []row, all results) (string, error) {
	var b strings.Builder
	b.WriteString("\n| | | version | connections | protocol versions | tests | last run |\n|---|---|---|---|---|---|---|\n")
	for _, r := range rows {
		version, err := r.version(root)
		if err != nil {
			return "", err
		}
		o := r.of(all)
		fmt.Fprintf(&b, "%s | %s | %s | %s | %v |\n", r.head(version),
			strings.Join(o.connections, ", "), strings.Join(o.versions, ", "), r.covering(), o)
	}
	b.WriteString("\n")
	return b.String(), nil
}

// head are the first cells of a line.
func (r row) head(version string) string {
	return fmt.Sprintf("| %s | `%s` | %s", r.what, r.name, version)
}

// covering is the cell that names the tests.
func (r row) covering() string {
	return fmt.Sprintf("`%s` in [%s](../%s)", strings.ReplaceAll(r.tests.String(), "|", `\|`), r.dir, r.dir)
}

// faults are why the table is not to be written.
func faults(rows []row, all results) []string {
	var said []string
	for _, r := range rows {
		o := r.of(all)
		for _, name := range o.failed {
			said = append(said, fmt.Sprintf("%s: %s failed", r.name, name))
		}
		switch {
		case o.passed == 0:
			said = append(said, r.name+": no test passed")
		case len(o.connections) == 0 || len(o.versions) == 0:
			said = append(said, r.name+": no test noted what it speaks, and over what (package spoken)")
		}
	}
	return said
}
