// Command caserig runs the failure cases against a driver and judges it.
//
//	caserig -driver PATH [-only names,results,O16] [-on stdio,http] [-j 4] [-timeout 20s] [-v]
//	caserig -driver PATH -passing FILE [-accept]
//	caserig -list
//	caserig fakesrv [-http ADDR] -scenario FILE -log FILE
//
// Without a list of passing numbers the exit status is 1 when a case fails.
// With -passing it is 1 when a number of that list does not pass. A busy machine
// can make a case fail that has to be quick, so what fails gets a second try
// alone before it is judged. With -accept the list is written anew instead.
// The status is 2 when the cases could not be run.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	_ "caserig/cases"
	"caserig/fakesrv"
	"caserig/rig"
)

const (
	exitOK = iota
	exitFailed
	exitTrouble
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "fakesrv" {
		if err := serve(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, "fakesrv:", err)
			os.Exit(exitTrouble)
		}
		return
	}
	ok, err := run(os.Args[1:], os.Stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "caserig:", err)
		os.Exit(exitTrouble)
	case !ok:
		os.Exit(exitFailed)
	}
}

type options struct {
	driver    string
	selection selection
	jobs      int
	timeout   time.Duration
	verbose   bool
	list      bool
	passing   string
	accept    bool
}

func parse(args []string) (o options, err error) {
	fs := flag.NewFlagSet("caserig", flag.ContinueOnError)
	fs.StringVar(&o.driver, "driver", "", "the driver program")
	fs.Var(&o.selection.only, "only", "run these numbers, cases or kinds (comma list)")
	fs.Var(&o.selection.on, "on", "run on these connection kinds (comma list)")
	fs.IntVar(&o.jobs, "j", 4, "cases at once")
	fs.DurationVar(&o.timeout, "timeout", 20*time.Second, "limit for one case")
	fs.BoolVar(&o.verbose, "v", false, "show the cases that pass too")
	fs.BoolVar(&o.list, "list", false, "list the cases, run nothing")
	fs.StringVar(&o.passing, "passing", "", "judge by this list of numbers that pass")
	fs.BoolVar(&o.accept, "accept", false, "write the list of -passing anew")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	switch {
	case fs.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q", fs.Arg(0))
	case o.driver == "" && !o.list:
		return o, errors.New("-driver is missing")
	case o.jobs < 1:
		return o, errors.New("-j must be at least 1")
	case o.accept && (o.passing == "" || !o.selection.everything()):
		return o, errors.New("-accept needs -passing, and all cases")
	}
	return o, nil
}

// run is the whole command; ok is its verdict.
func run(args []string, out io.Writer) (ok bool, err error) {
	o, err := parse(args)
	if err != nil {
		return false, err
	}
	rows := o.selection.rows()
	if len(rows) == 0 {
		return false, errors.New("no case is selected")
	}
	if o.list {
		for _, r := range rows {
			fmt.Fprintf(out, "%-12s %-12s %-6s %s\n", r.Name(), r.Kind, r.Conn, r.Title)
		}
		return true, nil
	}
	self, err := os.Executable()
	if err != nil {
		return false, err
	}
	runner := rig.Runner{Driver: o.driver, Server: []string{self, "fakesrv"}, Timeout: o.timeout}
	fmt.Fprintf(out, "%d cases with %s, %d at once\n", len(rows), o.driver, o.jobs)
	results := runAll(runner, rows, o.jobs)
	if o.passing == "" {
		report(out, results, o.verbose)
		return len(withStatus(results, rig.Fail)) == 0, nil
	}
	return judge(out, o, runner, results)
}

// judge compares the outcome with the list of numbers that pass.
func judge(out io.Writer, o options, runner rig.Runner, results []rig.Result) (ok bool, err error) {
	list, err := readPassing(o.passing)
	if err != nil {
		return false, err
	}
	if o.selection.everything() {
		if stale := list.unknown(results); len(stale) > 0 && !o.accept {
			return false, fmt.Errorf("%s lists numbers that no case has: %v", o.passing, stale)
		}
	}
	again := list.retry(out, runner, results, o.accept)
	report(out, results, o.verbose)
	for _, line := range again {
		fmt.Fprintln(out, line)
	}
	if o.accept {
		return true, list.accept(out, o.passing, results)
	}
	lost, won := list.compare(results)
	if len(won) > 0 && o.selection.everything() {
		fmt.Fprintf(out, "pass now but are not in %s (make cases-accept adds them): %v\n", o.passing, won)
	}
	if len(lost) > 0 {
		fmt.Fprintf(out, "are in %s but do not pass: %v\n", o.passing, lost)
		return false, nil
	}
	fmt.Fprintf(out, "all %d numbers of %s that were run pass\n", list.among(results), o.passing)
	return true, nil
}

func serve(args []string) error {
	fs := flag.NewFlagSet("fakesrv", flag.ExitOnError)
	addr := fs.String("http", "", "listen on this address; none = standard streams")
	scenario := fs.String("scenario", "", "scenario file")
	log := fs.String("log", "", "wire log")
	if err := fs.Parse(args); err != nil {
		return err
	}
	s, err := fakesrv.Load(*scenario, *log)
	if err != nil {
		return err
	}
	if *addr == "" {
		return s.Stdio()
	}
	return s.HTTP(*addr)
}
