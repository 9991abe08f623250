package rig

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// grace is how long a driver has to exit once its standard input is closed.
const grace = 300 * time.Millisecond

// driverEnv is in the driver's environment: a secret that no child may
// inherit, and a variable that servers files refer to.
var driverEnv = []string{"RIG_PARENT_SECRET=parent-secret-77", "USER_X=z"}

// driver is the library under test in a process of its own.
type driver struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	stderr  *head
	nextID  int
	answers chan Answer // closed when the process has exited
	early   map[string]Answer
}

func startDriver(path string) (*driver, error) {
	d := &driver{cmd: exec.Command(path), stderr: &head{}, answers: make(chan Answer, 1000), early: map[string]Answer{}}
	d.cmd.Stderr = d.stderr
	d.cmd.Env = append(os.Environ(), driverEnv...)
	d.cmd.WaitDelay = grace // a server left behind may hold standard error
	in, err := d.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	d.in = in
	if err := d.cmd.Start(); err != nil {
		return nil, err
	}
	go d.read(out)
	return d, nil
}

func (d *driver) read(out io.Reader) {
	defer close(d.answers)
	r := bufio.NewReaderSize(out, 1<<20)
	for {
		line, err := r.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var a Answer
			if e := json.Unmarshal(line, &a); e != nil {
				a.Err = "rig: driver answer: " + e.Error()
			}
			d.answers <- a
		}
		if err != nil {
			break
		}
	}
	_ = d.cmd.Wait() // how it exited does not matter, that it did does
}

// stop ends the process.
func (d *driver) stop() {
	_ = d.in.Close()
	kill := time.AfterFunc(grace, func() { _ = d.cmd.Process.Kill() })
	defer kill.Stop()
	for range d.answers {
	}
}

// lastWords is the line in which a Go program says why it died.
func (d *driver) lastWords() string {
	said := ""
	for l := range strings.Lines(d.stderr.String()) {
		if strings.HasPrefix(l, "panic:") || strings.HasPrefix(l, "fatal error:") {
			said = l
		}
	}
	return strings.TrimSpace(said)
}

// Start sends an op and returns its id; Wait gives the answer.
func (c *C) Start(op M) string {
	d := c.driver
	d.nextID++
	id := strconv.Itoa(d.nextID)
	op["id"] = id
	line, err := json.Marshal(op)
	c.must(err)
	if _, err := d.in.Write(append(line, '\n')); err != nil {
		for range d.answers {
		}
		c.Failf("the driver process died: %s", d.lastWords())
	}
	return id
}

// Go sends an op that runs beside others.
func (c *C) Go(op M) string {
	op["async"] = true
	return c.Start(op)
}

// Wait waits for the answer to an op. An op that the driver cannot express
// ends the case.
func (c *C) Wait(id string) Answer {
	a := c.waitRaw(id)
	if a.Unsupported != "" {
		c.Unsupported(a.Unsupported)
	}
	return a
}

func (c *C) waitRaw(id string) Answer {
	d := c.driver
	limit := time.NewTimer(time.Until(c.end))
	defer limit.Stop()
	for {
		if a, ok := d.early[id]; ok {
			delete(d.early, id)
			c.Check(a.Panic == "", "panic in the library: %s", Short(a.Panic))
			return a
		}
		select {
		case a, ok := <-d.answers:
			c.Check(ok, "the driver process died: %s", d.lastWords())
			d.early[a.ID] = a
		case <-limit.C:
			c.Failf("no answer within the case's %s", c.runner.Timeout)
		}
	}
}

// Do sends an op and waits for its answer.
func (c *C) Do(op M) Answer { return c.Wait(c.Start(op)) }

// Ask is Do for an op that the driver may not know: ok is false then.
func (c *C) Ask(op M) (a Answer, ok bool) {
	a = c.waitRaw(c.Start(op))
	return a, a.Unsupported == ""
}

// Stderr is what the driver wrote to standard error so far.
func (c *C) Stderr() string { return c.driver.stderr.String() }

// Answer is what the driver says about an op.
type Answer struct {
	ID           string   `json:"id"`
	OK           bool     `json:"ok"`
	Unsupported  string   `json:"unsupported"` // what the driver cannot express
	Text         string   `json:"text"`        // observation, or the agent's last words
	Err          string   `json:"err"`         // Go error
	Is           []string `json:"is"`          // names of the causes that errors.Is finds in it
	MS           int64    `json:"ms"`
	Tools        []Tool   `json:"tools"`
	Report       []string `json:"report"` // warnings of the last listing
	Panic        string   `json:"panic"`
	Observations []string `json:"observations"` // what the agent's model was shown
	Goroutines   int      `json:"goroutines"`
	Base         int      `json:"base"` // goroutines before anything was opened
	Children     []string `json:"children"`
	Texts        []string `json:"texts"` // of calls that were made at once
	Errs         []string `json:"errs"`
}

// Tool is a tool as the driver exposes it.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"` // what a model would get
}

// head keeps the first bytes of an output.
type head struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (t *head) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.b.Len() < 4<<20 {
		t.b.Write(p)
	}
	return len(p), nil
}

func (t *head) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.String()
}
