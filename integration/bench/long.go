package main

import (
	"fmt"
	"runtime"
	"time"
)

// longRun makes many calls over stdio and tells ten times what is held.
func longRun(l *lab, calls int) error {
	b, err := oursStdio(childStdio, modern)
	if err != nil {
		return err
	}
	c, err := oursCalls(l.ctx, b, toolEcho, echoArguments)
	if err != nil {
		return err
	}
	defer c.close()
	began := time.Now()
	for i := range calls {
		if i%max(1, calls/10) == 0 {
			fmt.Printf("%9d calls  %5.1f s  %7.2f MB held  %d goroutines\n", i, time.Since(began).Seconds(), inUse()/(1<<20), runtime.NumGoroutine())
		}
		if err := c.call(l.ctx); err != nil {
			return err
		}
	}
	fmt.Printf("%9d calls  %5.1f s  %7.2f MB held  %d goroutines\n", calls, time.Since(began).Seconds(), inUse()/(1<<20), runtime.NumGoroutine())
	return nil
}
