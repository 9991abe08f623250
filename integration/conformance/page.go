package main

import (
	"fmt"
	"strings"
)

// mark is the name of the table's place in the page.
const mark = "conformance"

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
