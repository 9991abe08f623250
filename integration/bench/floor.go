package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// child is this program as a server.
func child(ctx context.Context, kind string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), childEnv+"="+kind)
	cmd.Stderr = os.Stderr
	return cmd, nil
}

// hello is the older era's handshake.
const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + legacy + `","capabilities":{},"clientInfo":{"name":"floor","version":"1"}}}`

// callMessage is a call as a line, with what the era wants in it.
func callMessage(version, tool, arguments string) string {
	meta := ""
	if version == modern {
		meta = fmt.Sprintf(`"_meta":{%q:%q,%q:{},%q:{"name":"floor","version":"1"}},`,
			mcp.MetaKeyProtocolVersion, version, mcp.MetaKeyClientCapabilities, mcp.MetaKeyClientInfo)
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{%s"name":%q,"arguments":%s}}`, meta, tool, arguments)
}

// floorHTTP posts the same call again and again and reads what comes.
func floorHTTP(ctx context.Context, url, version, tool, arguments string) (contender, error) {
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.MaxIdleConns, base.MaxIdleConnsPerHost = crowd, crowd
	client := &http.Client{Transport: base}
	header := http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {version},
	}
	if version == modern {
		header["Mcp-Method"], header["Mcp-Name"] = []string{"tools/call"}, []string{tool}
	} else {
		resp, _, err := post(ctx, client, url, header, []byte(hello))
		if err != nil {
			return contender{}, err
		}
		header["Mcp-Session-Id"] = resp.Header["Mcp-Session-Id"]
	}
	message := []byte(callMessage(version, tool, arguments))
	call := func(ctx context.Context) error {
		_, n, err := post(ctx, client, url, header, message)
		if err == nil && n == 0 {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	return contender{name: floor, call: call, close: client.CloseIdleConnections}, nil
}

// post sends a message and counts the bytes of the answer.
func post(ctx context.Context, client *http.Client, url string, header http.Header, message []byte) (*http.Response, int64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(message))
	if err != nil {
		return nil, 0, err
	}
	req.Header = header.Clone()
	resp, err := client.Do(req)
	if err != nil {
		return nil, 0, err
	}
	defer resp.Body.Close()
	n, err := io.Copy(io.Discard, resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d", resp.StatusCode)
	}
	return resp, n, err
}

// lines is a child that is spoken to line by line.
type lines struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// startLines starts a server and shakes hands with it.
func startLines(ctx context.Context) (*lines, error) {
	cmd, err := child(ctx, childStdio)
	if err != nil {
		return nil, err
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	l := &lines{cmd, in, bufio.NewReaderSize(out, 64<<10)}
	if err := l.exchange([]byte(hello + "\n")); err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

// exchange writes a line and reads one, of whatever length.
func (l *lines) exchange(line []byte) error {
	if _, err := l.in.Write(line); err != nil {
		return err
	}
	for {
		_, err := l.out.ReadSlice('\n')
		if err != bufio.ErrBufferFull {
			return err
		}
	}
}

func (l *lines) close() {
	_ = l.in.Close()
	_ = l.cmd.Wait()
}

// floorStdio writes the same line again and again and reads one for it.
func floorStdio(ctx context.Context, tool, arguments string) (contender, error) {
	l, err := startLines(ctx)
	if err != nil {
		return contender{}, err
	}
	line := []byte(callMessage(legacy, tool, arguments) + "\n")
	return contender{name: floor, call: func(context.Context) error { return l.exchange(line) }, close: l.close}, nil
}

// wireBytes is how many bytes the list of tools has on the wire.
func wireBytes(ctx context.Context, url string) (int64, error) {
	header := http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {modern}, "Mcp-Method": {"tools/list"},
	}
	message := strings.Replace(callMessage(modern, "", "{}"), `"tools/call"`, `"tools/list"`, 1)
	_, n, err := post(ctx, http.DefaultClient, url, header, []byte(message))
	return n, err
}
