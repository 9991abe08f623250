// Command failures shows what the owner of a toolset sees when things go wrong,
// and what the model is told: it brings each failure about and prints the texts.
//
//	go run ./examples/failures
//
// The document docs/errors.md holds what it prints.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"

	"golang.org/x/sync/errgroup"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/toolset"
)

func main() {
	if len(os.Args) == 3 && os.Args[1] == asChild {
		os.Exit(child(os.Args[2]))
	}
	if err := show(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// show brings every failure about, side by side, and prints them in order.
func show(ctx context.Context, out io.Writer) error {
	texts := make([]string, len(failures))
	var all errgroup.Group
	for i, f := range failures {
		all.Go(func() (err error) {
			if texts[i], err = f.happen(ctx); err != nil {
				err = fmt.Errorf("%s: %w", f.title, err)
			}
			return err
		})
	}
	err := all.Wait()
	for i, f := range failures {
		fmt.Fprintf(out, "%s\n\n%s\n", f.title, texts[i])
	}
	return err
}

// failure is one way things go wrong.
type failure struct {
	title string
	// connect describes the server; stop ends it.
	connect func() (b *config.Builder, stop func())
	// use does what fails: model is what the model is told, err what the owner
	// gets.
	use func(ctx context.Context, ts *toolset.Toolset, stop func()) (model string, err error)
}

// happen brings the failure about and returns what is to be seen of it.
func (f failure) happen(ctx context.Context) (string, error) {
	b, stop := f.connect()
	defer stop()
	cfg, err := b.Build()
	if err != nil {
		return seen("", err), nil // the failure is the configuration
	}
	ts, err := toolset.New(cfg)
	if err != nil {
		return "", err
	}
	defer ts.Close()
	return seen(f.use(ctx, ts, stop)), nil
}

func seen(model string, err error) string {
	if err != nil {
		return fmt.Sprintf("error: %v\n", err)
	}
	return fmt.Sprintf("observation: %s\n", model)
}
