package main

import "fmt"

// compare lets contenders take turns and closes them.
func (l *lab) compare(cs contenders, err error) (measured, error) {
	if err != nil {
		return nil, err
	}
	defer cs.close()
	return l.takeTurns(cs)
}

// Bounds of a call, as ratios.
const (
	echoLegacyFloor = 1.2
	echoLegacyPlain = 1.03
	echoModernFloor = 1.2
	echoModernPlain = 0.92
	echoLargePlain  = 0.75
	stdioFloor      = 1.3
	stdioPlain      = 0.82
	inProcessPlain  = 1.0
	largeHTTP       = 0.55
	largeStdio      = 0.60
)

func echoHTTPLegacy(l *lab) ([]figure, error) {
	m, err := l.compare(l.overHTTP(legacy, toolEcho, echoArguments))
	if err != nil {
		return nil, err
	}
	return []figure{m.against("http-echo-legacy", floor, echoLegacyFloor), m.against("http-echo-legacy", plain, echoLegacyPlain)}, nil
}

func echoHTTPModern(l *lab) ([]figure, error) {
	m, err := l.compare(l.overHTTP(modern, toolEcho, echoArguments))
	if err != nil {
		return nil, err
	}
	return []figure{m.against("http-echo-modern", floor, echoModernFloor), m.against("http-echo-modern", plain, echoModernPlain)}, nil
}

func echoHTTPLargeSchema(l *lab) ([]figure, error) {
	m, err := l.compare(l.overHTTP(modern, toolEchoLarge, echoArguments))
	if err != nil {
		return nil, err
	}
	return []figure{m.against("http-echo-modern-1.5KB-schema", plain, echoLargePlain)}, nil
}

func echoStdioLegacy(l *lab) ([]figure, error) {
	m, err := l.compare(l.overStdio(legacy, toolEcho, echoArguments))
	if err != nil {
		return nil, err
	}
	f := m.against("stdio-echo-legacy", floor, stdioFloor)
	f.note = m.note(ours, floor, plain)
	return []figure{f}, nil
}

func echoStdioModern(l *lab) ([]figure, error) {
	m, err := l.compare(l.overStdio(modern, toolEcho, echoArguments))
	if err != nil {
		return nil, err
	}
	return []figure{m.against("stdio-echo-modern", plain, stdioPlain)}, nil
}

func echoInProcess(l *lab) ([]figure, error) {
	m, err := l.compare(l.inProcess(toolEcho, echoArguments))
	if err != nil {
		return nil, err
	}
	return []figure{m.against("in-process-echo", plain, inProcessPlain)}, nil
}

// overHTTPRow is a large result, in both eras.
func overHTTPRow(name, tool string) func(*lab) ([]figure, error) {
	return func(l *lab) ([]figure, error) {
		var figures []figure
		for _, era := range []struct{ name, version string }{{"legacy", legacy}, {"modern", modern}} {
			m, err := l.compare(l.overHTTP(era.version, tool, "{}"))
			if err != nil {
				return nil, err
			}
			f := m.against(name+"-"+era.name, plain, largeHTTP)
			f.note = m.note(ours, plain, floor)
			figures = append(figures, f)
		}
		return figures, nil
	}
}

// overStdioRow is a large result over stdio, in both eras.
func overStdioRow(name, tool string) func(*lab) ([]figure, error) {
	return func(l *lab) ([]figure, error) {
		var figures []figure
		for _, era := range []struct{ name, version string }{{"legacy", legacy}, {"modern", modern}} {
			m, err := l.compare(l.overStdio(era.version, tool, "{}"))
			if err != nil {
				return nil, err
			}
			f := m.against(name+"-"+era.name, plain, largeStdio)
			f.note = m.note(ours, plain, floor)
			figures = append(figures, f)
		}
		return figures, nil
	}
}

// Bounds of the allocations of one echo.
const (
	allocationsHTTP  = 130
	allocationsStdio = 70
)

func allocations(l *lab) ([]figure, error) {
	var figures []figure
	for _, c := range []struct {
		name  string
		bound float64
		make  func(version, tool, arguments string) (contenders, error)
	}{{"http", allocationsHTTP, l.overHTTP}, {"stdio", allocationsStdio, l.overStdio}} {
		for _, era := range []struct{ name, version string }{{"legacy", legacy}, {"modern", modern}} {
			f, err := l.allocationsOf(c.make(era.version, toolEcho, echoArguments))
			if err != nil {
				return nil, err
			}
			f.name, f.bound = fmt.Sprintf("allocations-%s-%s", c.name, era.name), c.bound
			figures = append(figures, f)
		}
	}
	return figures, nil
}

func (l *lab) allocationsOf(cs contenders, err error) (figure, error) {
	if err != nil {
		return figure{}, err
	}
	defer cs.close()
	var f figure
	for _, c := range cs {
		n, err := l.allocations(c)
		if err != nil {
			return figure{}, err
		}
		if c.name == ours {
			f.value = n
		}
		f.note += fmt.Sprintf("%s %.0f ", c.name, n)
	}
	return f, nil
}
