package main

import (
	"context"
	"time"
)

// pace is how thoroughly a row is measured.
type pace struct {
	rounds int           // of which a median is taken
	few    int           // rounds of what takes long
	batch  time.Duration // how long a contender's turn lasts
	crowd  int           // calls of each caller in a turn of many
}

var (
	full  = pace{rounds: 11, few: 7, batch: 40 * time.Millisecond, crowd: 24}
	hasty = pace{rounds: 5, few: 5, batch: 15 * time.Millisecond, crowd: 6}
	once  = pace{rounds: 1, few: 1, crowd: 1} // shows that a row can be measured, no more
)

// lab is where the rows are measured: the servers they share, and how
// thoroughly.
type lab struct {
	ctx    context.Context
	pace   pace
	served *web
}

func newLab(ctx context.Context, p pace) *lab { return &lab{ctx: ctx, pace: p} }

// web is the HTTP server, started when first needed.
func (l *lab) web() (*web, error) {
	if l.served != nil {
		return l.served, nil
	}
	w, err := startWeb(l.ctx)
	if err != nil {
		return nil, err
	}
	l.served = w
	return w, nil
}

func (l *lab) close() {
	if l.served != nil {
		l.served.close()
	}
}
