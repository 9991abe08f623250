package rig

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"caserig/fakesrv"
)

// Runner runs rows.
type Runner struct {
	Driver  string        // the driver program
	Server  []string      // command that serves as the fake server; flags are added to it
	Timeout time.Duration // limit for one row
}

// C is a running case. It is used by one goroutine.
type C struct {
	On string // connection kind

	runner Runner
	dir    string
	end    time.Time
	scn    Scenario
	server *webServer
	driver *driver
	tools  []Tool // the last listing
}

// stop ends a case from anywhere below its Run.
type stop struct {
	status Status
	why    string
}

// Run runs one row.
func (r Runner) Run(row Row) (res Result) {
	start := time.Now()
	res = Result{Row: row, Status: Pass}
	c := &C{On: row.Conn, runner: r, end: start.Add(r.Timeout), scn: row.Scn}
	defer func() {
		switch p := recover().(type) {
		case nil:
		case stop:
			res.Status, res.Why = p.status, p.why
		default:
			res.Status, res.Why = Fail, fmt.Sprint("the case panicked: ", p)
		}
		res.Took = time.Since(start)
		c.cleanUp()
	}()
	c.setUp()
	row.Run(c)
	return res
}

func (c *C) setUp() {
	dir, err := os.MkdirTemp("", "caserig-")
	c.must(err)
	c.dir = dir
	c.writeScenario()
	if c.On != "stdio" {
		c.StartServer("127.0.0.1:0")
	}
	c.driver, err = startDriver(c.runner.Driver)
	c.must(err)
}

func (c *C) cleanUp() {
	if c.driver != nil {
		c.driver.stop()
	}
	c.StopServer()
	for _, r := range c.Wire() { // what a driver left behind
		if r.Ev == fakesrv.EvStart && r.Kind == "stdio" || r.Ev == fakesrv.EvGrandchild {
			kill(r.PID)
		}
	}
	_ = os.RemoveAll(c.dir)
}

func (c *C) writeScenario() {
	b, err := json.Marshal(c.scn)
	c.must(err)
	c.must(os.WriteFile(c.scenarioFile(), b, 0o644))
}

func (c *C) scenarioFile() string { return filepath.Join(c.dir, "scenario.json") }

func (c *C) logFile() string { return filepath.Join(c.dir, "wire.jsonl") }

// File is the path of a file in the case's own folder.
func (c *C) File(name string) string { return filepath.Join(c.dir, name) }

// WriteFile writes a file in the case's own folder.
func (c *C) WriteFile(name, text string) { c.must(os.WriteFile(c.File(name), []byte(text), 0o600)) }

// must fails the case for a fault of the rig itself.
func (c *C) must(err error) {
	if err != nil {
		c.Failf("rig: %v", err)
	}
}

// Failf ends the case as failed.
func (c *C) Failf(f string, a ...any) { panic(stop{Fail, fmt.Sprintf(f, a...)}) }

// Unsupported ends the case as one the driver cannot express.
func (c *C) Unsupported(why string) { panic(stop{Unsupported, why}) }

// Check fails the case unless ok.
func (c *C) Check(ok bool, f string, a ...any) {
	if !ok {
		c.Failf(f, a...)
	}
}
