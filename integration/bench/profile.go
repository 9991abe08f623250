package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"time"
)

// profiled is how long a call is made again and again for a profile.
const profiled = 3 * time.Second

// writeProfiles writes a CPU and an allocation profile of calls over each kind of
// connection.
func writeProfiles(l *lab, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, p := range []struct {
		name            string
		make            func(version, tool, arguments string) (contenders, error)
		tool, arguments string
	}{
		{"http-echo", l.overHTTP, toolEcho, echoArguments},
		{"http-echo-1.5KB-schema", l.overHTTP, toolEchoLarge, echoArguments},
		{"stdio-echo", l.overStdio, toolEcho, echoArguments},
		{"in-process-echo", func(_, tool, arguments string) (contenders, error) { return l.inProcess(tool, arguments) }, toolEcho, echoArguments},
		{"http-text-64KB", l.overHTTP, toolText64, "{}"},
		{"stdio-text-64KB", l.overStdio, toolText64, "{}"},
	} {
		cs, err := p.make(modern, p.tool, p.arguments)
		if err != nil {
			return err
		}
		for _, c := range cs[:2] {
			path := filepath.Join(dir, p.name+"-"+c.name)
			if err := errors.Join(l.profile(c, path), l.profileAllocations(c, path)); err != nil {
				cs.close()
				return err
			}
		}
		cs.close()
	}
	fmt.Println("profiles are in", dir)
	return nil
}

func (l *lab) profile(c contender, path string) error {
	if _, err := l.warm(c); err != nil {
		return err
	}
	cpu, err := os.Create(path + ".cpu.prof")
	if err != nil {
		return err
	}
	defer cpu.Close()
	if err := pprof.StartCPUProfile(cpu); err != nil {
		return err
	}
	for began := time.Now(); time.Since(began) < profiled && err == nil; {
		err = c.call(l.ctx)
	}
	pprof.StopCPUProfile()
	return err
}

// profileAllocations writes every object of some calls, and what was sampled of
// all that the process did before.
func (l *lab) profileAllocations(c contender, path string) error {
	if _, err := l.warm(c); err != nil {
		return err
	}
	runtime.MemProfileRate = 1
	defer func(rate int) { runtime.MemProfileRate = rate }(512 << 10)
	const calls = 2000
	for range calls {
		if err := c.call(l.ctx); err != nil {
			return err
		}
	}
	runtime.GC() // the profile is of the last cycle's end
	allocs, err := os.Create(path + ".allocs.prof")
	if err != nil {
		return err
	}
	defer allocs.Close()
	return pprof.Lookup("allocs").WriteTo(allocs, 0)
}
