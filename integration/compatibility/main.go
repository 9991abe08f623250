// Command compatibility runs the tests with servers, SDKs and bridges that
// others wrote, and prints a table of how it went.
//
//	compatibility [-root DIR] [-page PAGE]
//
// What is in the table stands in rows.go. The versions are those of the lock
// files; kinds of connection and versions of the protocol are what the tests
// noted (package spoken). With -page the table is written into that page,
// between its marks.
//
// The exit status is 1 when a test failed or a row has no test that passed, in
// which case the table is printed but not written; 2 when the tests could not
// be run.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/mcptoolset/mcptoolset/integration/compatibility/page"
)

// mark is the name of the table's place in the page.
const mark = "tested"

func main() {
	root := flag.String("root", ".", "the checkout of the project")
	into := flag.String("page", "", "write the table into this Markdown page, between its marks")
	flag.Parse()
	ok, err := run(context.Background(), *root, *into, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "compatibility:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func run(ctx context.Context, root, into string, out io.Writer) (ok bool, err error) {
	results, err := play(ctx, root, rows)
	if err != nil {
		return false, err
	}
	text, err := table(root, rows, results)
	if err != nil {
		return false, err
	}
	fmt.Fprint(out, text)
	wrong := faults(rows, results)
	for _, fault := range wrong {
		fmt.Fprintln(out, fault)
	}
	if into == "" || wrong != nil {
		return wrong == nil, nil
	}
	return true, page.Write(into, mark, text)
}
