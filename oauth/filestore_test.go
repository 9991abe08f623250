package oauth_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/oauth"
)

// asChild is the first argument of this test binary as a child process.
const asChild = "use-the-store"

// child is another process with the same store: it calls the server once for
// each line it reads, and tells how that went. A user is never asked.
func child(url, store string) error {
	tr, err := oauth.NewTransport(oauth.Config{ServerURL: url, Store: oauth.NewFileStore(store), AuthorizationCode: &oauth.AuthorizationCode{
		Registration: &oauth.Registration{}, RedirectURL: redirectURL,
		Prompt: oauth.Prompt(func(context.Context, string) (string, error) { return "", fmt.Errorf("a child asked the user") }),
	}})
	if err != nil {
		return err
	}
	defer tr.Close()
	for {
		var line string
		if _, err := fmt.Scanln(&line); err != nil {
			return nil // the parent is done
		}
		resp, err := tr.Client().Post(url, "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
		if err != nil {
			fmt.Println(err)
			continue
		}
		resp.Body.Close()
		fmt.Println(resp.StatusCode != http.StatusUnauthorized)
	}
}

// process is a child under way.
type process struct {
	in  io.WriteCloser
	out io.ReadCloser
}

func start(t *testing.T, url, store string) *process {
	t.Helper()
	cmd := exec.Command(os.Args[0], asChild, url, store)
	cmd.Stderr = os.Stderr
	p := &process{}
	var err error
	p.in, err = cmd.StdinPipe()
	require.NoError(t, err)
	p.out, err = cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		p.in.Close()
		assert.NoError(t, cmd.Wait())
	})
	return p
}

// call has the child call the server and returns what it tells.
func (p *process) call() string {
	fmt.Fprintln(p.in, "call")
	var told []byte
	for b := make([]byte, 1); ; {
		if n, err := p.out.Read(b); n == 0 || err != nil || b[0] == '\n' {
			return string(told)
		}
		told = append(told, b[0])
	}
}

func TestProcessesShareOneStore(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	d := newDesk(t, i)
	store := filepath.Join(t.TempDir(), "tokens.json")
	c := userConfig(t, d)
	c.Store = oauth.NewFileStore(store)
	tr := newTransport(t, c)
	require.NoError(t, tr.Authorize(t.Context()))

	children := []*process{start(t, d.url(), store), start(t, d.url(), store), start(t, d.url(), store)}
	const rounds = 5
	for range rounds { // refresh tokens are good for one use: all but one process must find the new one
		i.revoke()
		var group sync.WaitGroup
		for _, p := range children {
			group.Go(func() { assert.Equal(t, "true", p.call()) })
		}
		group.Go(func() { assert.NoError(t, tr.Authorize(t.Context())) })
		group.Wait()
	}
	assert.Equal(t, rounds, i.count("refresh_token"))
	assert.Equal(t, 1, i.count("authorize"))
	assert.Equal(t, 1, i.count("register"))
}

func TestALockThatAProcessHeldIsFreeWhenItEnds(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	d := newDesk(t, i)
	store := filepath.Join(t.TempDir(), "tokens.json")
	c := userConfig(t, d)
	c.Store = oauth.NewFileStore(store)
	require.NoError(t, newTransport(t, c).Authorize(t.Context()))

	reached, gone := make(chan struct{}), make(chan struct{})
	inner := i.Config.Handler
	var first sync.Once
	i.with(func() {
		i.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/token" {
				first.Do(func() { // the child is in the middle of a renewal
					close(reached)
					<-gone
					panic(http.ErrAbortHandler)
				})
			}
			inner.ServeHTTP(w, r)
		})
	})
	i.revoke()
	cmd := exec.Command(os.Args[0], asChild, d.url(), store)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	fmt.Fprintln(in, "call")
	<-reached
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	close(gone)
	require.NoError(t, newTransport(t, c).Authorize(t.Context()))
	assert.Equal(t, 1, i.count("authorize"))
	assert.Equal(t, 1, i.count("refresh_token"))
}

func TestAFileStoreIsAStore(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a", "b", "tokens.json")
	store := oauth.NewFileStore(path)
	got, err := store.Load(t.Context(), "k")
	require.NoError(t, err)
	assert.Empty(t, got, "what is not there is nothing")

	var group sync.WaitGroup
	for n := range 20 { // each through a store of its own, as processes do
		group.Go(func() {
			assert.NoError(t, oauth.NewFileStore(path).Save(context.Background(), fmt.Sprint("k", n), json.RawMessage(fmt.Sprint(n))))
		})
	}
	group.Wait()
	for n := range 20 {
		got, err := store.Load(t.Context(), fmt.Sprint("k", n))
		require.NoError(t, err)
		assert.Equal(t, fmt.Sprint(n), string(got))
	}
	require.NoError(t, store.Save(t.Context(), "k1", nil))
	got, err = store.Load(t.Context(), "k1")
	require.NoError(t, err)
	assert.Empty(t, got)

	files, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	for _, f := range files {
		info, err := f.Info()
		require.NoError(t, err)
		assert.NotContains(t, f.Name(), ".tokens-", "no temporary file is left")
		if runtime.GOOS != "windows" {
			assert.Zero(t, info.Mode().Perm()&0o077, "%s is for its owner alone", f.Name())
		}
	}
}

func TestAFileStoreThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{"torn": `{"token x": {"access_tok`, "of another kind": `[1]`, "too large": `"` + strings.Repeat("x", 17<<20) + `"`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "tokens.json")
			require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
			w := newTown(t)
			c := w.config()
			c.Store = oauth.NewFileStore(path)
			err := say(t, newTransport(t, c), w.desk.url(), "hello")
			var failed *oauth.Error
			require.ErrorAs(t, err, &failed)
			assert.Equal(t, "store", failed.Step)
			assert.ErrorContains(t, err, path)
			assert.Zero(t, w.issuer.count("authorize"), "what could be there is not written over")
		})
	}
	t.Run("no file", func(t *testing.T) {
		t.Parallel()
		w := newTown(t)
		c := w.config()
		c.Store = oauth.NewFileStore(t.TempDir()) // a directory
		require.Error(t, say(t, newTransport(t, c), w.desk.url(), "hello"))
		assert.Zero(t, w.issuer.count("authorize"))
	})
}

func TestAUserOfOneServerHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tokens.json")
	one, two := newTown(t), newTown(t)
	two.desk.URL, two.issuer.URL = "https://two.example", "https://login.two.example"
	two.issuer.describe()
	two.desk.describe()
	two.hosts["two.example"], two.hosts["login.two.example"] = two.hosts["desk.example"], two.hosts["login.example"]
	c := one.config()
	c.Store = oauth.NewFileStore(path)
	asked, never := make(chan struct{}), make(chan struct{})
	c.AuthorizationCode.Prompt = oauth.Prompt(func(ctx context.Context, _ string) (string, error) {
		close(asked)
		<-never
		return "", ctx.Err()
	})
	slow := newTransport(t, c)
	defer close(never)
	go func() { _, _ = slow.Client().Get(one.desk.url()) }()
	<-asked
	c = two.config()
	c.Store = oauth.NewFileStore(path)
	require.NoError(t, say(t, newTransport(t, c), two.desk.url(), "hello"))
}
