package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// figure is one result.
type figure struct {
	name    string
	value   float64
	unit    string // empty for a ratio
	bound   float64
	atLeast bool   // the bound is the least, not the most
	note    string // what was measured
}

// met reports whether the figure is within its bound.
func (f figure) met() bool {
	if f.atLeast {
		return f.value >= f.bound
	}
	return f.value <= f.bound
}

// String is the figure's line of the result.
func (f figure) String() string {
	sign, verdict := "<=", "ok"
	if f.atLeast {
		sign = ">="
	}
	if !f.met() {
		verdict = "over"
	}
	return strings.TrimRight(fmt.Sprintf("RATIO %-38s %8.4g%s %s%g%s %-4s  # %s", f.name, f.value, f.unit, sign, f.bound, f.unit, verdict, f.note), " #")
}

// median is the middle of values; of an even number, the mean of the two.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// show is a duration in seconds as people read it.
func show(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d < 10*time.Microsecond:
		return d.Round(10 * time.Nanosecond).String()
	case d < 10*time.Millisecond:
		return d.Round(time.Microsecond).String()
	}
	return d.Round(10 * time.Microsecond).String()
}
