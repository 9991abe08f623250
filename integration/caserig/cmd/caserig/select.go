package main

import (
	"slices"
	"strings"
	"sync"

	"caserig/rig"
)

// commaList is a flag with several values.
type commaList []string

func (l *commaList) String() string { return strings.Join(*l, ",") }

func (l *commaList) Set(s string) error {
	*l = strings.Split(s, ",")
	return nil
}

// selection says which rows to run; the zero value means all.
type selection struct {
	only commaList // numbers, names of cases, or kinds
	on   commaList // connection kinds
}

func (s selection) everything() bool { return len(s.only) == 0 && len(s.on) == 0 }

func (s selection) rows() []rig.Row {
	return slices.DeleteFunc(rig.Rows(), func(r rig.Row) bool {
		named := len(s.only) == 0 || slices.Contains(s.only, r.ID) || slices.Contains(s.only, r.Name()) || slices.Contains(s.only, r.Kind)
		return !named || len(s.on) > 0 && !slices.Contains(s.on, r.Conn)
	})
}

// runAll runs rows side by side and gives their results in the same order.
func runAll(runner rig.Runner, rows []rig.Row, jobs int) []rig.Result {
	results := make([]rig.Result, len(rows))
	next := make(chan int)
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			for i := range next {
				results[i] = runner.Run(rows[i])
			}
		})
	}
	for i := range rows {
		next <- i
	}
	close(next)
	workers.Wait()
	return results
}
