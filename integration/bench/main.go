package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"time"
)

func main() {
	serveIfChild()
	var (
		quick   = flag.Bool("quick", false, "few and short rounds")
		only    = flag.String("only", "", "measure only rows whose names match this `expression`")
		profile = flag.String("profile", "", "measure nothing: write CPU and allocation profiles of calls to this `directory`")
		long    = flag.Int("long", 0, "measure nothing: make this `number` of calls and tell how much memory they hold")
		plotted = flag.Bool("plot", false, "measure nothing: read what runs printed and write it as an SVG picture")
	)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *plotted {
		if err := plotFrom(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(ctx, *quick, *only, *profile, *long); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, quick bool, only, profile string, long int) error {
	l := newLab(ctx, full)
	if quick {
		l.pace = hasty
	}
	defer l.close()
	switch {
	case profile != "":
		return writeProfiles(l, profile)
	case long > 0:
		return longRun(l, long)
	}
	return measure(l, only)
}

// measure runs the rows and prints the figures of each when it is done.
func measure(l *lab, only string) error {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	began := time.Now()
	for _, r := range rows {
		if !wanted.MatchString(r.name) {
			continue
		}
		fmt.Fprintf(os.Stderr, "%4.0f s  %s\n", time.Since(began).Seconds(), r.name)
		figures, err := r.run(l)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		for _, f := range figures {
			fmt.Println(f)
		}
	}
	return nil
}
