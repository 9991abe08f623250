package main

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"
)

// contender is one of those that are compared.
type contender struct {
	name  string
	call  func(ctx context.Context) error
	close func()
}

// contenders are compared within one run.
type contenders []contender

func (cs contenders) close() {
	for _, c := range cs {
		if c.close != nil {
			c.close()
		}
	}
}

// measured are the seconds per call of each contender, round by round.
type measured map[string][]float64

// ratio is the median of the rounds' ratios of a to b.
func (m measured) ratio(a, b string) float64 {
	ratios := make([]float64, len(m[a]))
	for i := range ratios {
		ratios[i] = m[a][i] / m[b][i]
	}
	return median(ratios)
}

// note tells the medians of all, in the order of names.
func (m measured) note(names ...string) string {
	text := ""
	for i, name := range names {
		if i > 0 {
			text += ", "
		}
		text += name + " " + show(median(m[name]))
	}
	return text
}

// against makes the figure that compares ours with another.
func (m measured) against(row, other string, bound float64) figure {
	return figure{name: row + "/" + other, value: m.ratio(ours, other), bound: bound, note: m.note(ours, other)}
}

// The names of contenders.
const (
	ours  = "ours"
	plain = "mcp-go"
	floor = "floor"
)

// takeTurns lets the contenders call in turn. The order changes with the
// round, so that none always comes after the same other.
func (l *lab) takeTurns(cs contenders) (measured, error) {
	sizes := make([]int, len(cs))
	for i, c := range cs {
		n, err := l.warm(c)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		sizes[i] = n
	}
	return l.inTurn(l.pace.rounds, cs, func(i int) (float64, error) {
		began := time.Now()
		for range sizes[i] {
			if err := cs[i].call(l.ctx); err != nil {
				return 0, err
			}
		}
		return time.Since(began).Seconds() / float64(sizes[i]), nil
	})
}

// warm calls until connections are there and code is warm, and returns how many
// calls make a turn.
func (l *lab) warm(c contender) (int, error) {
	calls, began := 0, time.Now()
	for calls == 0 || calls < 1000 && time.Since(began) < l.pace.batch {
		if err := c.call(l.ctx); err != nil {
			return 0, err
		}
		calls++
	}
	return max(1, int(float64(calls)*l.pace.batch.Seconds()/time.Since(began).Seconds())), nil
}

// inTurn measures each contender once a round by turn, which is given its index.
func (l *lab) inTurn(rounds int, cs contenders, turn func(i int) (float64, error)) (measured, error) {
	m := measured{}
	for round := range rounds {
		for k := range cs {
			i := (k + round) % len(cs)
			runtime.GC() // nobody pays for the garbage of the one before
			seconds, err := turn(i)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", cs[i].name, err)
			}
			m[cs[i].name] = append(m[cs[i].name], seconds)
		}
	}
	return m, nil
}

// crowd is how many callers there are at a time.
const crowd = 256

// takeTurnsInCrowd is takeTurns with many callers at a time. What it measures is
// seconds per call of all together.
func (l *lab) takeTurnsInCrowd(cs contenders) (measured, error) {
	rounds := max(l.pace.few, l.pace.rounds/2)
	if l.pace.batch == 0 {
		rounds = 1
	}
	return l.inTurn(rounds, cs, func(i int) (float64, error) {
		began := time.Now()
		err := all(crowd, func(int) error {
			for range l.pace.crowd {
				if err := cs[i].call(l.ctx); err != nil {
					return err
				}
			}
			return nil
		})
		return time.Since(began).Seconds() / float64(crowd*l.pace.crowd), err
	})
}

// all runs n goroutines and returns the first error.
func all(n int, do func(i int) error) error {
	var group sync.WaitGroup
	failed := make(chan error, n)
	for i := range n {
		group.Go(func() {
			if err := do(i); err != nil {
				failed <- err
			}
		})
	}
	group.Wait()
	select {
	case err := <-failed:
		return err
	default:
		return nil
	}
}

// allocations is how many objects a call allocates in this process.
func (l *lab) allocations(c contender) (float64, error) {
	if _, err := l.warm(c); err != nil {
		return 0, err
	}
	const calls = 300
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range calls {
		if err := c.call(l.ctx); err != nil {
			return 0, err
		}
	}
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) / calls, nil
}
