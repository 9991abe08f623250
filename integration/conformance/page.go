package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

const (
	tableBegin = "<!-- conformance -->\n"
	tableEnd   = "<!-- end -->"
)

// writeTable writes the outcomes between the marks of a page.
func writeTable(path string, outcomes []outcome, known expected) error {
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, begun := strings.Cut(string(page), tableBegin)
	_, after, ended := strings.Cut(rest, tableEnd)
	if !begun || !ended {
		return errors.New(path + " has no marks to write the table between")
	}
	return os.WriteFile(path, []byte(before+tableBegin+markdown(outcomes, known)+tableEnd+after), 0o644)
}

// markdown is the table and the counts.
func markdown(outcomes []outcome, known expected) string {
	var b strings.Builder
	b.WriteString("\n| scenario | version | passed | failed | warned | |\n|---|---|---|---|---|---|\n")
	for _, o := range outcomes {
		verdict, _ := known.verdict(o)
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %s |\n", o.scenario, o.version, o.passed, o.failed, o.warned, verdict)
	}
	b.WriteString("\n")
	for _, line := range counts(outcomes) {
		b.WriteString("- " + line + "\n")
	}
	b.WriteString("\n")
	return b.String()
}
