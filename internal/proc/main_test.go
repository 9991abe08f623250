package proc

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// childEnv says in the environment of a process that it is no test run but a
// child of one, and how it behaves.
const childEnv = "PROC_TEST_CHILD"

func TestMain(m *testing.M) {
	if name, ok := os.LookupEnv(childEnv); ok {
		os.Exit(behaviours[name](os.Args[1:]))
	}
	goleak.VerifyTestMain(m)
}

// behaviours of children; the result is the exit code.
var behaviours map[string]func(args []string) int

func init() {
	behaviours = map[string]func(args []string) int{
		"echo":       echo,     // copies stdin to stdout until its end
		"deaf":       deaf,     // never reads stdin and ignores its end
		"stubborn":   stubborn, // ignores SIGTERM as well
		"exit":       exit,     // CODE STDERR STDOUT: says both and exits
		"flood":      flood,    // BYTES on stderr, then echo
		"say":        say,      // BYTES on stdout, exits
		"noise":      noise,    // a banner without a line ending, then echo
		"environ":    environment,
		"dir":        directory,
		"parent":     parent,     // BEHAVIOUR: starts a child, says its process id, waits for it
		"wrapper":    wrapper,    // BEHAVIOUR: starts a child, says its process id and exits
		"holder":     holder,     // BEHAVIOUR: the same, and the child holds stdout
		"stderrecho": stderrEcho, // copies stdin to stderr until its end
		"closestdin": closeStdin, // closes its stdin and lives on
	}
}

func echo([]string) int {
	if _, err := io.Copy(os.Stdout, os.Stdin); err != nil {
		return 1
	}
	return 0
}

func stderrEcho([]string) int {
	if _, err := io.Copy(os.Stderr, os.Stdin); err != nil {
		return 1
	}
	return 0
}

func deaf([]string) int {
	fmt.Println("ready")
	fmt.Fprintln(os.Stderr, "ready")
	time.Sleep(time.Hour)
	return 0
}

func stubborn([]string) int {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	return deaf(nil)
}

func exit(args []string) int {
	fmt.Fprint(os.Stderr, args[1])
	fmt.Print(args[2])
	code, _ := strconv.Atoi(args[0])
	return code
}

func flood(args []string) int {
	n, _ := strconv.Atoi(args[0])
	line := strings.Repeat("e", 99) + "\n"
	fmt.Fprint(os.Stderr, strings.Repeat(line, n/len(line)))
	return echo(nil)
}

func say(args []string) int {
	n, _ := strconv.Atoi(args[0])
	fmt.Print(strings.Repeat("s", n))
	return 0
}

func noise([]string) int {
	fmt.Print("\ufeffwelcome> ")
	return echo(nil)
}

func environment([]string) int {
	for _, entry := range os.Environ() {
		fmt.Println(entry)
	}
	return 0
}

func directory([]string) int {
	dir, err := os.Getwd()
	if err != nil {
		return 1
	}
	fmt.Println(dir)
	return 0
}

// parent starts a child that says it is ready on the stdout of its own.
func parent(args []string) int {
	cmd, ok := grandchild(args[0], nil)
	if ok {
		_ = cmd.Wait()
	}
	return 0
}

// wrapper starts a child that holds stdin and stderr, and exits before it.
func wrapper(args []string) int {
	_, _ = grandchild(args[0], nil)
	return 0
}

// holder is a wrapper whose child holds stdout as well.
func holder(args []string) int {
	_, _ = grandchild(args[0], os.Stdout)
	return 0
}

// grandchild starts a child and says its process id once that is ready, which is
// when its signal handling is in place.
func grandchild(behaviour string, stdout *os.File) (*exec.Cmd, bool) {
	ready, signal, err := os.Pipe()
	if err != nil {
		return nil, false
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+behaviour)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, signal, os.Stderr
	if stdout != nil {
		cmd.Stdout = stdout
		cmd.Stderr = signal
	}
	if err := cmd.Start(); err != nil {
		return nil, false
	}
	if line, err := bufio.NewReader(ready).ReadString('\n'); err != nil || line != "ready\n" {
		return nil, false
	}
	fmt.Println(cmd.Process.Pid)
	return cmd, true
}

func closeStdin([]string) int {
	_ = os.Stdin.Close()
	return deaf(nil)
}

// quick are limits for children that have to be ended.
func quick() limits {
	l := defaultLimits
	l.eofGrace, l.termGrace, l.killGrace = 20*time.Millisecond, 20*time.Millisecond, time.Hour
	return l
}

// patient are limits that no test lives to see the end of: a test that passes
// with them did not wait for them.
func patient() limits {
	l := defaultLimits
	l.eofGrace, l.termGrace, l.killGrace = time.Hour, time.Hour, time.Hour
	return l
}

func childSpec(t *testing.T, behaviour string, args ...string) Spec {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	s := Spec{Command: self, Args: args, Env: map[string]string{
		childEnv: behaviour,
		"GORACE": "atexit_sleep_ms=0", // by default the race detector delays each exit by a second
	}}
	if testing.CoverMode() != "" {
		s.Env["GOCOVERDIR"] = t.TempDir() // else a child would complain on stderr
	}
	return s
}

// startChild starts the test binary as a child and closes it after the test.
func startChild(t *testing.T, l limits, behaviour string, args ...string) *Process {
	t.Helper()
	return startSpec(t, l, childSpec(t, behaviour, args...))
}

func startSpec(t *testing.T, l limits, s Spec) *Process {
	t.Helper()
	p, err := start(s, l)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	return p
}

// readLine reads one line of a child's stdout, byte by byte, so that nothing of
// the next is taken.
func readLine(t *testing.T, r io.Reader) string {
	t.Helper()
	var line []byte
	for b := make([]byte, 1); ; {
		_, err := io.ReadFull(r, b)
		require.NoError(t, err, "after %q", line)
		if b[0] == '\n' {
			return string(line)
		}
		line = append(line, b[0])
	}
}

func readPID(t *testing.T, r io.Reader) int {
	t.Helper()
	pid, err := strconv.Atoi(readLine(t, r))
	require.NoError(t, err)
	return pid
}
