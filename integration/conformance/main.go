// Command conformance runs the client scenarios of the protocol's conformance
// suite against a client made of this library (package client below it), and
// prints a table.
//
//	conformance -client PROGRAM [-all] [-only text] [-j 4] [-keep DIR] [-table PAGE]
//
// By default it runs the sets that are frozen for protocol versions 2025-11-25
// and 2026-07-28; with -all every client scenario at every version it applies
// to. A scenario passes when the suite made at least one check, none failed or
// warned, and the client ended as the scenario allows. Those that are known not to pass stand
// in expected.txt with the reason.
//
// The exit status is 1 when a scenario fails that is not in that list, or
// passes and is; 2 when the suite could not be run.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"golang.org/x/sync/errgroup"

	"github.com/mcptoolset/mcptoolset/integration/compatibility/page"
)

// frozen are the protocol versions with a frozen set.
var frozen = []string{"2025-11-25", "2026-07-28"}

type options struct {
	client, dir, only, keep, table string
	all                            bool
	jobs                           int
}

func main() {
	var o options
	flag.StringVar(&o.client, "client", "", "the client program")
	flag.StringVar(&o.dir, "dir", filepath.Join("integration", "conformance"), "where the suite is installed and expected.txt is")
	flag.BoolVar(&o.all, "all", false, "run every client scenario, not only the frozen sets")
	flag.StringVar(&o.only, "only", "", "run only scenarios whose name and version contain this text")
	flag.StringVar(&o.keep, "keep", "", "keep what the suite writes in this directory")
	flag.StringVar(&o.table, "table", "", "write the table into this Markdown page, between its marks")
	flag.IntVar(&o.jobs, "j", 4, "scenarios at once")
	flag.Parse()
	ok, err := run(context.Background(), o, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func run(ctx context.Context, o options, out io.Writer) (ok bool, err error) {
	client, err := filepath.Abs(o.client)
	if err != nil {
		return false, err
	}
	s, err := findSuite(o.dir)
	if err != nil {
		return false, err
	}
	known, err := readExpected(filepath.Join(o.dir, "expected.txt"))
	if err != nil {
		return false, err
	}
	jobs, err := s.chosen(ctx, o.all)
	if err != nil {
		return false, err
	}
	if unknown := known.unknown(jobs); o.all && unknown != nil {
		return false, fmt.Errorf("expected.txt names scenarios that the suite does not have: %s", strings.Join(unknown, ", "))
	}
	jobs = slices.DeleteFunc(jobs, func(j job) bool { return !strings.Contains(j.String(), o.only) })
	outcomes, err := play(ctx, s, client, jobs, o)
	if err != nil {
		return false, err
	}
	if o.table != "" {
		if err := page.Write(o.table, mark, markdown(outcomes, known)); err != nil {
			return false, err
		}
	}
	return report(out, outcomes, known), nil
}

// chosen are the scenarios to run.
func (s suite) chosen(ctx context.Context, all bool) ([]job, error) {
	if all {
		return s.all(ctx)
	}
	var jobs []job
	for _, revision := range frozen {
		required, err := s.required(ctx, revision)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, required...)
	}
	return jobs, nil
}

// play runs the jobs side by side; the outcomes are in their order.
func play(ctx context.Context, s suite, client string, jobs []job, o options) ([]outcome, error) {
	dir := o.keep
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "conformance"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
	}
	outcomes := make([]outcome, len(jobs))
	var group errgroup.Group
	group.SetLimit(max(1, o.jobs))
	for i, j := range jobs {
		group.Go(func() error {
			outcomes[i] = s.run(ctx, client, j, dir)
			return nil
		})
	}
	return outcomes, group.Wait()
}

// report prints the table, what was wrong in those that should have passed, and
// the count. ok is false when one is not as it should be.
func report(out io.Writer, outcomes []outcome, known expected) (ok bool) {
	ok = true
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "scenario\tversion\tpassed\tfailed\twarned\t")
	for _, o := range outcomes {
		verdict, _ := known.verdict(o)
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%d\t%s\n", o.scenario, o.version, o.passed, o.failed, o.warned, verdict)
	}
	table.Flush()
	for _, o := range outcomes {
		if _, fine := known.verdict(o); fine {
			continue
		}
		ok = false
		for _, fault := range o.faults {
			fmt.Fprintf(out, "\n%v: %s\n", o.job, fault)
		}
	}
	fmt.Fprintln(out)
	for _, line := range counts(outcomes) {
		fmt.Fprintln(out, line)
	}
	return ok
}

// counts tells for each version how many scenarios pass.
func counts(outcomes []outcome) []string {
	total, green := map[string]int{}, map[string]int{}
	var versions []string
	for _, o := range outcomes {
		if total[o.version]++; total[o.version] == 1 {
			versions = append(versions, o.version)
		}
		if o.green() {
			green[o.version]++
		}
	}
	slices.Sort(versions)
	lines := make([]string, len(versions))
	for i, version := range versions {
		lines[i] = fmt.Sprintf("%s: %d of %d pass", version, green[version], total[version])
	}
	return lines
}
