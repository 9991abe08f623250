package stdio_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/proc"
	"github.com/mcptoolset/mcptoolset/internal/stdio"
)

// benchEnv makes a process a child that answers each request with a text of so
// many bytes, as fast as it can.
const benchEnv = "STDIO_BENCH_CHILD"

func benchChild() {
	var size int
	if _, err := fmt.Sscan(os.Getenv(benchEnv), &size); err != nil {
		return
	}
	rest := `,"result":{"content":[{"type":"text","text":"` + strings.Repeat("x", size) + `"}]}}` + "\n"
	out := bufio.NewWriter(os.Stdout)
	for lines := bufio.NewReader(os.Stdin); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			os.Exit(0)
		}
		id := line[bytes.Index(line, []byte(`"id":`))+5:]
		id = id[:bytes.IndexByte(id, ',')]
		_, _ = out.WriteString(`{"jsonrpc":"2.0","id":` + string(id) + rest)
		_ = out.Flush()
	}
}

// BenchmarkCall compares a call over this transport with one over mcp-go's, on
// children of the same kind.
func BenchmarkCall(b *testing.B) {
	for _, size := range []int{16, 64 << 10} {
		for name, connect := range map[string]func(*proc.Process) transport.Interface{
			"stdio": func(p *proc.Process) transport.Interface {
				return stdio.New(p.Stdout(), pipe{child: p}, stdio.Options{})
			},
			"mcp-go": func(p *proc.Process) transport.Interface { return transport.NewIO(p.Stdout(), p.Stdin(), nil) },
		} {
			b.Run(fmt.Sprintf("%d/%s", size, name), func(b *testing.B) { benchmark(b, size, connect) })
		}
	}
}

func benchmark(b *testing.B, size int, connect func(*proc.Process) transport.Interface) {
	self, err := os.Executable()
	require.NoError(b, err)
	p, err := proc.Start(proc.Spec{Command: self, Env: map[string]string{benchEnv: fmt.Sprint(size)}})
	require.NoError(b, err)
	c := connect(p)
	require.NoError(b, c.Start(context.Background()))
	b.Cleanup(func() {
		_ = c.Close()
		_ = p.Close()
	})
	var id atomic.Int64
	id.Store(firstID)
	params := json.RawMessage(`{"name":"echo","arguments":{"text":"hello"}}`)
	call := func() {
		response, err := c.SendRequest(b.Context(), ask(id.Add(1), "tools/call", params))
		if err != nil || len(response.Result) < size {
			b.Fatal(err)
		}
	}
	call() // the start of the child is not what is measured
	b.ReportAllocs()
	for b.Loop() {
		call()
	}
}
