package rig

import (
	"bufio"
	"os"
	"os/exec"
	"slices"
	"strings"

	"caserig/fakesrv"
)

// webServer is the fake server as a child process that serves HTTP.
type webServer struct {
	cmd *exec.Cmd
	url string
}

// serverArgs is the fake server's command line for this case.
func (c *C) serverArgs(more ...string) []string {
	return slices.Concat(c.runner.Server[1:], more, []string{"-scenario", c.scenarioFile(), "-log", c.logFile()})
}

// URL is the fake HTTP server's base URL, also when it is stopped.
func (c *C) URL() string { return c.server.url }

// StartServer starts the HTTP server and waits for its address.
func (c *C) StartServer(addr string) {
	cmd := exec.Command(c.runner.Server[0], c.serverArgs("-http", addr)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	c.must(err)
	c.must(cmd.Start())
	c.server = &webServer{cmd: cmd}
	line, err := bufio.NewReader(out).ReadString('\n')
	c.must(err)
	c.server.url = strings.TrimSpace(line)
}

// StopServer ends the HTTP server, if there is one.
func (c *C) StopServer() {
	if c.server == nil || c.server.cmd == nil {
		return
	}
	_ = c.server.cmd.Process.Kill()
	_ = c.server.cmd.Wait()
	c.server.cmd = nil
}

// RestartServer starts the HTTP server anew on the same address: all sessions
// are gone.
func (c *C) RestartServer() {
	addr := strings.TrimPrefix(c.server.url, "http://")
	c.StopServer()
	c.StartServer(addr)
}

// SetScenario replaces the scenario from the server's next start on.
func (c *C) SetScenario(s Scenario) {
	c.scn = s
	c.writeScenario()
}

// Phase moves the scenario on.
func (c *C) Phase(n int) { c.must(fakesrv.SetPhase(c.logFile(), n)) }

// Hang gives the URL of a listener that never answers.
func (c *C) Hang() (url string, stop func()) {
	url, stop, err := fakesrv.Hang()
	c.must(err)
	return url, stop
}
