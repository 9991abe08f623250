package mcptest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Script is what a raw server does as a child process. Its zero value is a plain
// server of the older era without tools, see Default.
type Script struct {
	Stdout      string // bytes on stdout at the start, as they are
	Stderr      string // and on stderr
	StderrBytes int    // so many more bytes on stderr, in lines of 100
	Exit        *int   // exit at once, see Code

	Deaf       bool // never read stdin
	IgnoreEOF  bool // live on when stdin has ended
	IgnoreTerm bool // live on when told to end by SIGTERM
	Grandchild bool // start a process that ignores everything and inherits stdin, stdout and stderr

	Tools []json.RawMessage // what tools/list answers
	Rules []Rule            // the first that matches a message decides, else Default does
}

// Rule is what a script does with the messages it matches. The parts happen in
// the order of the fields.
type Rule struct {
	Method string // JSON-RPC method; empty matches every message
	Tool   string // of a tools/call
	Nth    int    // only the n-th of the messages that Method and Tool match and no earlier rule took, from 1; 0 = each

	Stderr string          // bytes on stderr
	Before []string        // lines on stdout before the answer; $id stands for the request's id
	Hold   string          // go on when the test calls Child.Release with this name
	Silent bool            // no answer
	Result json.RawMessage `json:",omitempty"`
	Error  json.RawMessage `json:",omitempty"` // the JSON-RPC error object
	Raw    string          // bytes on stdout instead of an answer; $id stands for the request's id
	Exit   *int            // exit with this code
	Deaf   bool            // read nothing more
}

// Code is an exit code for Script and Rule.
func Code(n int) *int { return &n }

// stubbornGrandchild in place of a file makes a process one that ignores
// everything.
const stubbornGrandchild = "stubborn grandchild"

// actor plays a script.
type actor struct {
	script Script
	report *reporter
	seen   []int // per rule: messages that came to it and its Method and Tool match

	out sync.Mutex // one line at a time on stdout
}

func runScript(script Script, r *reporter) int {
	a := &actor{script: script, report: r, seen: make([]int, len(script.Rules))}
	if script.IgnoreTerm {
		signal.Ignore(syscall.SIGTERM)
	}
	if script.Grandchild {
		a.startGrandchild()
	}
	fmt.Fprint(os.Stderr, script.Stderr)
	fmt.Fprint(os.Stderr, strings.Repeat(strings.Repeat("e", 99)+"\n", script.StderrBytes/100))
	a.write(script.Stdout)
	if script.Exit != nil {
		return *script.Exit
	}
	if script.Deaf {
		sleep()
	}
	a.read()
	r.send(report{Kind: reportEOF})
	if script.IgnoreEOF {
		sleep()
	}
	return 0
}

// sleep is for longer than any test runs.
func sleep() { time.Sleep(time.Hour) }

func (a *actor) startGrandchild() {
	self, err := os.Executable()
	if err != nil {
		return
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), childEnv+"="+stubbornGrandchild)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if cmd.Start() == nil {
		a.report.send(report{Kind: reportGrandchild, PID: cmd.Process.Pid})
	}
}

// read plays the script message by message. What holds does so aside.
func (a *actor) read() {
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			a.report.send(report{Kind: reportReceived, Raw: line})
			m := ParseMessage(line)
			rule := a.rule(m)
			if rule.Hold == "" {
				a.play(rule, m)
			} else {
				go a.play(rule, m)
			}
			if rule.Deaf {
				sleep()
			}
		}
		if err != nil {
			return
		}
	}
}

// rule is the first that matches; a message that none matches gets an empty one.
func (a *actor) rule(m Message) Rule {
	for i, rule := range a.script.Rules {
		if rule.Method != "" && rule.Method != m.Method || rule.Tool != "" && rule.Tool != m.Tool() {
			continue
		}
		a.seen[i]++
		if rule.Nth == 0 || rule.Nth == a.seen[i] {
			return rule
		}
	}
	return Rule{}
}

func (a *actor) play(rule Rule, m Message) {
	fmt.Fprint(os.Stderr, rule.Stderr)
	for _, line := range rule.Before {
		a.write(fill(line, m) + "\n")
	}
	if rule.Hold != "" {
		<-a.report.gate(rule.Hold).opened
	}
	a.answer(rule, m)
	if rule.Exit != nil {
		os.Exit(*rule.Exit)
	}
}

func (a *actor) answer(rule Rule, m Message) {
	switch {
	case rule.Silent:
	case rule.Raw != "":
		a.write(fill(rule.Raw, m))
	case rule.Result != nil:
		a.write(string(Result(m, rule.Result)) + "\n")
	case rule.Error != nil:
		a.write(string(answer(m, "error", rule.Error)) + "\n")
	case rule.Exit != nil: // it dies instead
	default:
		if body, ok := defaultAnswer(m, a.script.Tools); ok {
			a.write(string(body) + "\n")
		}
	}
}

func (a *actor) write(text string) {
	a.out.Lock()
	defer a.out.Unlock()
	_, _ = io.WriteString(os.Stdout, text)
}
