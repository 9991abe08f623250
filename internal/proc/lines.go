package proc

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

const (
	maxLine  = 8 << 10 // bytes of a line handed to the callback
	maxLines = 256     // lines that may wait for the callback
)

// lines cuts a stream into lines and hands them to a callback of the owner,
// which may be slow, panic or never return. A nil *lines does nothing.
type lines struct {
	part    []byte // the line that is being received, at most maxLine bytes
	long    bool   // part was cut, the rest of the line is skipped
	missed  int    // lines left out since the last one queued
	queue   chan string
	drained chan struct{} // closed when the callback has had all of them
}

func newLines(callback func(string)) *lines {
	l := &lines{queue: make(chan string, maxLines), drained: make(chan struct{})}
	go func() {
		defer close(l.drained)
		for line := range l.queue {
			guarded(callback, line)
		}
	}()
	return l
}

// guarded calls the owner's callback; its panic must not end the program.
func guarded(callback func(string), line string) {
	defer func() { _ = recover() }()
	callback(line)
}

func (l *lines) feed(p []byte) {
	if l == nil {
		return
	}
	for {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			l.add(p)
			return
		}
		l.add(p[:i])
		l.emit()
		p = p[i+1:]
	}
}

func (l *lines) add(p []byte) {
	if room := maxLine - len(l.part); len(p) > room {
		p, l.long = p[:room], true
	}
	l.part = append(l.part, p...)
}

// emit queues the line received, unless too many wait.
func (l *lines) emit() {
	text := strings.ToValidUTF8(strings.TrimSuffix(string(l.part), "\r"), "\uFFFD")
	if l.long {
		text += "…"
	}
	l.part, l.long = l.part[:0], false
	if l.missed > 0 && l.offer(fmt.Sprintf("[%d lines left out]", l.missed)) {
		l.missed = 0
	}
	if l.missed > 0 || !l.offer(text) {
		l.missed++
	}
}

func (l *lines) offer(line string) bool {
	select {
	case l.queue <- line:
		return true
	default:
		return false
	}
}

// end hands on a last line without an ending.
func (l *lines) end() {
	if l == nil {
		return
	}
	if len(l.part) > 0 {
		l.emit()
	}
	if l.missed > 0 {
		l.offer(fmt.Sprintf("[%d lines left out]", l.missed))
	}
	close(l.queue)
}

// wait gives the callback a last moment to take what is queued.
func (l *lines) wait(limit time.Duration) {
	if l == nil {
		return
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-l.drained:
	case <-timer.C:
	}
}
