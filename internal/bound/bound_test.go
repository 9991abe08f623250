package bound

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStreamsEndAtAMessageThatIsTooLarge(t *testing.T) {
	t.Parallel()
	for title, c := range map[string]struct {
		framing Framing
		stream  string
		ends    bool
	}{
		"a message":                    {Whole, strings.Repeat("x", 10), false},
		"a message too large":          {Whole, strings.Repeat("x", 11), true},
		"events":                       {Events, "a: 1234\n\nb: 12\r\n\r\nc: 1234\n\n", false},
		"an event too large":           {Events, "a: 1\nb: 1\nc: 1\n\n", true},
		"an event of many short lines": {Events, strings.Repeat("d\n", 6), true},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			for _, from := range []io.Reader{strings.NewReader(c.stream), iotest.OneByteReader(strings.NewReader(c.stream))} {
				r := NewReader(from, c.framing, 10)
				got, err := io.ReadAll(r)
				if c.ends {
					require.ErrorIs(t, err, ErrTooLarge)
					_, err = r.Read(make([]byte, 1))
					assert.ErrorIs(t, err, ErrTooLarge, "it stays ended")
					continue
				}
				require.NoError(t, err)
				assert.Equal(t, c.stream, string(got))
			}
		})
	}
}
