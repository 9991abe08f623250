package stdio_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/stdio"
)

// FuzzAnswers feeds a child's output, whatever it is: requests end by an answer,
// by an error, or with the output, and what they get is theirs.
func FuzzAnswers(f *testing.F) {
	for _, c := range printed {
		f.Add([]byte(strings.ReplaceAll(c.text, "$id", fmt.Sprint(firstID))))
	}
	f.Add([]byte(`{"id":1,"method":"sampling/createMessage","params":{}}` + "\n" + `{"method":"notifications/x"}`))
	f.Add([]byte("\uFEFF\uFEFF \v\f\x00{\"id\"\n:\n"))
	f.Fuzz(func(t *testing.T, output []byte) {
		in := newSink()
		out, child := io.Pipe()
		strays := 0
		c := stdio.New(out, in, stdio.Options{OnStray: func(why, head string) { strays++ }})
		require.NoError(t, c.Start(context.Background()))
		ctx, done := context.WithTimeout(t.Context(), patience)
		defer done()
		const many = 3
		ended := make(chan reply, many)
		for i := range many {
			go func() {
				response, err := c.SendRequest(ctx, ask(firstID+int64(i), "x/y", nil))
				ended <- reply{response, err}
			}()
			<-in.frames
		}
		_, err := child.Write(bytes.Clone(output))
		require.NoError(t, err)
		require.NoError(t, child.Close())
		for range many {
			select {
			case r := <-ended:
				require.True(t, (r.err == nil) != (r.JSONRPCResponse == nil))
				require.NotErrorIs(t, r.err, context.DeadlineExceeded)
				if r.err == nil {
					require.True(t, (r.Error == nil) != (r.Result == nil))
				}
			case <-time.After(2 * patience):
				t.Fatal("a request waits although the output has ended")
			}
		}
		<-c.Done()
		require.NoError(t, c.Err())
		require.EqualValues(t, strays, c.Strays())
		require.LessOrEqual(t, strays, len(output)+1)
		require.NoError(t, c.Close())
	})
}
