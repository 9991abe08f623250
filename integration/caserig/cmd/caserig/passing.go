package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"caserig/rig"
)

// passing is the list of numbers that are known to pass.
type passing []string

const passingHeader = "# The numbers that pass with drivers/ours. A run fails when one of them does not.\n# Written by make cases-accept.\n"

// readPassing reads a list: a number a line, # starts a comment.
func readPassing(path string) (passing, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var p passing
	for line := range strings.Lines(string(b)) {
		line, _, _ = strings.Cut(line, "#")
		p = append(p, strings.Fields(line)...)
	}
	return p, nil
}

// unknown gives the listed numbers that no result has.
func (p passing) unknown(results []rig.Result) []string {
	verdicts := rig.Verdicts(results)
	var out []string
	for _, id := range p {
		if _, ok := verdicts[id]; !ok {
			out = append(out, id)
		}
	}
	return out
}

// among counts the listed numbers that were run.
func (p passing) among(results []rig.Result) int { return len(p) - len(p.unknown(results)) }

// compare gives the listed numbers that were run and do not pass, and the
// numbers that pass and are not listed.
func (p passing) compare(results []rig.Result) (lost, won []string) {
	verdicts := rig.Verdicts(results)
	for _, id := range p {
		if v, ok := verdicts[id]; ok && v != rig.Pass {
			lost = append(lost, id)
		}
	}
	for _, id := range numbersWith(verdicts, rig.Pass) {
		if !slices.Contains(p, id) {
			won = append(won, id)
		}
	}
	return lost, won
}

// retry runs failed rows once more, alone: those of listed numbers, or all.
// Their results are replaced; it gives a line for each row that passes then.
func (p passing) retry(out io.Writer, runner rig.Runner, results []rig.Result, all bool) (flaky []string) {
	for i, r := range results {
		if r.Status != rig.Fail || !all && !slices.Contains(p, r.ID) {
			continue
		}
		fmt.Fprintf(out, "%s on %s failed beside others, once more alone: %s\n", r.Name(), r.Conn, r.Why)
		results[i] = runner.Run(r.Row)
		if results[i].Status == rig.Pass {
			flaky = append(flaky, fmt.Sprintf("%s on %s passes only alone; beside others: %s", r.Name(), r.Conn, r.Why))
		}
	}
	return flaky
}

// accept writes the list anew and says what changed.
func (p passing) accept(out io.Writer, path string, results []rig.Result) error {
	ids := numbersWith(rig.Verdicts(results), rig.Pass)
	var added, removed []string
	for _, id := range ids {
		if !slices.Contains(p, id) {
			added = append(added, id)
		}
	}
	for _, id := range p {
		if !slices.Contains(ids, id) {
			removed = append(removed, id)
		}
	}
	fmt.Fprintf(out, "%s: %d numbers, added %v, removed %v\n", path, len(ids), added, removed)
	return os.WriteFile(path, []byte(passingHeader+strings.Join(ids, "\n")+"\n"), 0o644)
}
