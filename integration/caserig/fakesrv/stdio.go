package fakesrv

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"
)

// lingering bounds every wait that a scenario makes endless, so that nothing
// of a run outlives it for long.
const lingering = 40 * time.Second

// Stdio serves on the standard streams until standard input ends.
func (s *Server) Stdio() error {
	if err := s.startUp(); err != nil {
		return err
	}
	out := &lineWriter{}
	sn := newSession("stdio", "")
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	for {
		line, err := in.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			s.takeLine(line, sn, out)
		}
		if err != nil {
			break
		}
	}
	if s.sc.Stdio.IgnoreEOF {
		time.Sleep(lingering)
	}
	return nil
}

// startUp does what the child does before it reads anything.
func (s *Server) startUp() error {
	st := s.sc.Stdio
	if st.IgnoreTerm {
		signal.Ignore(syscall.SIGTERM)
	}
	start := Rec{Ev: EvStart, Kind: "stdio", PID: os.Getpid()}
	if st.LogEnv {
		start.Env = os.Environ()
	}
	s.log.add(start)
	if st.Grandchild {
		c := exec.Command("sleep", fmt.Sprint(lingering.Seconds()))
		if err := c.Start(); err != nil {
			return err
		}
		s.log.add(Rec{Ev: EvGrandchild, PID: c.Process.Pid})
	}
	for _, l := range st.Noise {
		fmt.Println(l)
	}
	if st.Stderr != "" {
		fmt.Fprintln(os.Stderr, st.Stderr)
	}
	for n := st.StderrBytes; n > 0; n -= 100 {
		fmt.Fprintln(os.Stderr, strings.Repeat("e", 99))
	}
	if st.Exit != nil {
		os.Exit(*st.Exit)
	}
	return nil
}

// takeLine handles one message. Calls run beside each other, all else in order.
func (s *Server) takeLine(line []byte, sn *session, out *lineWriter) {
	st := s.sc.Stdio
	m := parse(line)
	s.log.add(Rec{Ev: EvIn, Kind: "stdio", Method: m.Method, ID: string(m.ID), Tool: m.Params.Name, Raw: string(line), Session: sn.id, PID: os.Getpid()})
	if st.DieUnknown && m.Method != "" && !s.known(m.Method) {
		os.Exit(1)
	}
	if m.Method == "tools/call" {
		s.countCall(sn)
		go s.reply(m, sn, out)
	} else {
		s.reply(m, sn, out)
	}
	if st.NoReadAfter == m.Method && m.Method != "" {
		time.Sleep(time.Duration(st.NoReadMS) * time.Millisecond)
	}
}

func (s *Server) reply(m message, sn *session, out *lineWriter) {
	r := s.rule(m)
	if s.ignored(m, r) {
		return
	}
	if r != nil {
		for _, n := range r.Before {
			out.write(n)
		}
	}
	if !m.wantsAnswer() {
		return
	}
	answer := s.answer(m, r, sn)
	if r == nil {
		out.write(answer)
		return
	}
	time.Sleep(time.Duration(r.DelayMS) * time.Millisecond)
	switch {
	case r.Silent:
	case r.Drop:
		os.Exit(1)
	case r.DropAfter > 0:
		out.exitAfter(answer[:min(r.DropAfter, len(answer))])
	default:
		out.write(answer)
	}
}

// lineWriter writes whole lines to standard output.
type lineWriter struct{ mu sync.Mutex }

func (w *lineWriter) write(line []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	os.Stdout.Write(append(bytes.Clone(line), '\n')) // a client that left is no fault
}

// exitAfter ends the process behind a piece of a line.
func (w *lineWriter) exitAfter(piece []byte) {
	w.mu.Lock()
	os.Stdout.Write(piece) // the process ends anyway
	os.Exit(1)
}
