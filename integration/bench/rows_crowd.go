package main

import "fmt"

// Bounds of 256 callers, as ratios of how many calls are made in a time.
const (
	crowdFloor = 0.8
	crowdPlain = 1.5
	crowdChild = 0.95
	// crowdDials is how many connections a caller may cost.
	crowdDials = 1.1
)

// faster makes the figure of how many more calls ours makes than another.
func (m measured) faster(row, other string, bound float64, names ...string) figure {
	f := figure{name: row + "/" + other, value: m.ratio(other, ours), bound: bound, atLeast: true}
	for _, name := range names {
		f.note += fmt.Sprintf("%s %.1f k/s ", name, 1/median(m[name])/1000)
	}
	return f
}

func crowdHTTPLegacy(l *lab) ([]figure, error) {
	m, dials, err := l.crowdHTTP(legacy)
	if err != nil {
		return nil, err
	}
	dials.name = "crowd-http-legacy-dials"
	return []figure{m.faster("crowd-http-legacy", floor, crowdFloor, ours, floor, plain), dials}, nil
}

func crowdHTTPModern(l *lab) ([]figure, error) {
	m, dials, err := l.crowdHTTP(modern)
	if err != nil {
		return nil, err
	}
	dials.name = "crowd-http-modern-dials"
	return []figure{m.faster("crowd-http-modern", plain, crowdPlain, ours, plain, floor), dials}, nil
}

// crowdHTTP compares the three with many callers, and counts the connections of
// ours.
func (l *lab) crowdHTTP(version string) (measured, figure, error) {
	cs, err := l.overHTTP(version, toolEcho, echoArguments)
	if err != nil {
		return nil, figure{}, err
	}
	defer cs.close()
	w, err := l.web()
	if err != nil {
		return nil, figure{}, err
	}
	before, err := w.counts()
	if err != nil {
		return nil, figure{}, err
	}
	err = all(crowd, func(int) error {
		for range l.pace.crowd {
			if err := cs[0].call(l.ctx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, figure{}, err
	}
	after, err := w.counts()
	if err != nil {
		return nil, figure{}, err
	}
	dials := float64(after.Connections - before.Connections)
	m, err := l.takeTurnsInCrowd(cs)
	return m, figure{
		value: dials / crowd, bound: crowdDials,
		note: fmt.Sprintf("%.0f connections for %d calls of %d callers", dials, crowd*l.pace.crowd, crowd),
	}, err
}

func crowdStdio(l *lab) ([]figure, error) {
	cs, err := l.overStdio(legacy, toolEcho, echoArguments)
	if err != nil {
		return nil, err
	}
	defer cs.close()
	m, err := l.takeTurnsInCrowd(cs[:2]) // the floor knows one line at a time
	if err != nil {
		return nil, err
	}
	return []figure{m.faster("crowd-stdio", plain, crowdChild, ours, plain)}, nil
}
