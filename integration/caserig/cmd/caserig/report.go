package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"caserig/rig"
)

// report shows the rows that do not pass, with verbose all of them, the totals
// by kind, and the numbers that do not pass.
func report(out io.Writer, results []rig.Result, verbose bool) {
	for _, r := range results {
		if verbose || r.Status != rig.Pass {
			fmt.Fprintf(out, "%-12s %-12s %-6s %-12s %5d ms  %s\n", r.Name(), r.Kind, r.Conn, r.Status, r.Took.Milliseconds(), r.Why)
		}
	}
	verdicts := rig.Verdicts(results)
	var kinds []string
	byKind, rows, numbers := map[string]count{}, count{}, count{}
	seen := map[string]bool{}
	for _, r := range results {
		rows = rows.plus(r.Status)
		if seen[r.ID] {
			continue
		}
		seen[r.ID] = true
		if !slices.Contains(kinds, r.Kind) {
			kinds = append(kinds, r.Kind)
		}
		byKind[r.Kind] = byKind[r.Kind].plus(verdicts[r.ID])
		numbers = numbers.plus(verdicts[r.ID])
	}
	slices.Sort(kinds)
	fmt.Fprintf(out, "\n%-24s %6s %6s %12s\n", "numbers by kind", "pass", "fail", "unsupported")
	for _, k := range kinds {
		byKind[k].print(out, k)
	}
	numbers.print(out, "all numbers")
	rows.print(out, "all cases, connections")
	fmt.Fprintln(out)
	for _, s := range []rig.Status{rig.Fail, rig.Unsupported} {
		if ids := numbersWith(verdicts, s); len(ids) > 0 {
			fmt.Fprintf(out, "%s: %s\n", s, strings.Join(ids, " "))
		}
	}
}

// count holds numbers or rows by their outcome.
type count struct{ pass, fail, unsupported int }

func (c count) plus(s rig.Status) count {
	switch s {
	case rig.Pass:
		c.pass++
	case rig.Fail:
		c.fail++
	default:
		c.unsupported++
	}
	return c
}

func (c count) print(out io.Writer, title string) {
	fmt.Fprintf(out, "%-24s %6d %6d %12d\n", title, c.pass, c.fail, c.unsupported)
}

func withStatus(results []rig.Result, s rig.Status) []rig.Result {
	var out []rig.Result
	for _, r := range results {
		if r.Status == s {
			out = append(out, r)
		}
	}
	return out
}

// numbersWith gives the numbers of an outcome, sorted.
func numbersWith(verdicts map[string]rig.Status, s rig.Status) []string {
	var ids []string
	for id, v := range verdicts {
		if v == s {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, rig.CompareIDs)
	return ids
}
