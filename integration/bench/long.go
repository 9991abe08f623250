package main

import (
	"fmt"
	"runtime"
	"time"
)

// longRun makes many calls over each kind of connection and tells ten times what
// is held.
func longRun(l *lab, calls int) error {
	child, err := oursStdio(childStdio, modern)
	if err != nil {
		return err
	}
	w, err := l.web()
	if err != nil {
		return err
	}
	cs, err := rivals(
		func() (contender, error) { return oursCalls(l.ctx, child, toolEcho, echoArguments) },
		func() (contender, error) {
			return oursCalls(l.ctx, oursHTTP(w.url(0), modern), toolEcho, echoArguments)
		},
		func() (contender, error) {
			return oursCalls(l.ctx, oursHTTP(w.url(0), legacy), toolEcho, echoArguments)
		},
		func() (contender, error) {
			return oursCalls(l.ctx, oursInProcess(newServer(0)), toolEcho, echoArguments)
		},
	)
	if err != nil {
		return err
	}
	defer cs.close()
	began := time.Now()
	for i := range calls {
		if i%max(1, calls/10) == 0 {
			tellHeld(i, began)
		}
		if err := cs[i%len(cs)].call(l.ctx); err != nil {
			return err
		}
	}
	tellHeld(calls, began)
	return nil
}

func tellHeld(calls int, began time.Time) {
	took := time.Since(began).Seconds() // before the collection that inUse makes
	fmt.Printf("%9d calls  %5.0f s  %7.2f MB held  %d goroutines\n", calls, took, inUse()/(1<<20), runtime.NumGoroutine())
}
