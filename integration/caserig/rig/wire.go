package rig

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"time"

	"caserig/fakesrv"
)

// Wire reads the server's log.
func (c *C) Wire() []Rec {
	b, err := os.ReadFile(c.logFile())
	if err != nil {
		return nil // no server has started yet
	}
	var out []Rec
	for line := range bytes.Lines(b) {
		var r Rec
		if json.Unmarshal(line, &r) == nil { // the last line may still be written
			out = append(out, r)
		}
	}
	return out
}

// Events gives the log's entries of one sort.
func (c *C) Events(ev string) []Rec {
	var out []Rec
	for _, r := range c.Wire() {
		if r.Ev == ev {
			out = append(out, r)
		}
	}
	return out
}

// In gives the received messages of a method.
func (c *C) In(method string) []Rec {
	var out []Rec
	for _, r := range c.Events(fakesrv.EvIn) {
		if r.Method == method {
			out = append(out, r)
		}
	}
	return out
}

// Effects is how often a tool ran at the server.
func (c *C) Effects() int { return len(c.Events(fakesrv.EvEffect)) }

// PIDs gives the stdio servers that were started.
func (c *C) PIDs() []int {
	var out []int
	for _, r := range c.Events(fakesrv.EvStart) {
		if r.Kind == "stdio" {
			out = append(out, r.PID)
		}
	}
	return out
}

// Header gives a header of a request, its name without regard to case.
func Header(r Rec, name string) string {
	for k, v := range r.Headers {
		if strings.EqualFold(k, name) {
			return v
		}
	}
	return ""
}

// Args gives the raw bytes of a tools/call's arguments, "" when missing.
func Args(r Rec) string {
	var m struct {
		Params struct {
			Arguments json.RawMessage `json:"arguments"`
		} `json:"params"`
	}
	if json.Unmarshal([]byte(r.Raw), &m) != nil {
		return ""
	}
	return string(m.Params.Arguments)
}

// SentArgs gives the arguments of the n-th tools/call, counted from 0.
func (c *C) SentArgs(n int) string {
	calls := c.In("tools/call")
	c.Check(n < len(calls), "only %d tools/call reached the server", len(calls))
	return Args(calls[n])
}

// WantArgs compares the arguments of the n-th tools/call: the same JSON with
// exact numbers, in any order of keys.
func (c *C) WantArgs(n int, want string) {
	got := c.SentArgs(n)
	c.Check(SameJSON(got, want), "arguments on the wire: %s, want %s", Short(got), Short(want))
}

// Until polls until f holds or d is over, and says whether f held. What it
// waits for happens in other processes, so there is nothing to be woken by.
func (c *C) Until(d time.Duration, f func() bool) bool {
	for end := time.Now().Add(d); !f(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}
