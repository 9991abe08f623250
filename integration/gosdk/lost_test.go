package gosdk

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A restarted server knows none of the sessions there were.
func TestGoSDK_ASessionLostByARestartIsReplaced(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s site) {
		if s.web == nil {
			t.Skip("a child process that ends is no restart")
		}
		ts := open(t, s.config)
		assert.Equal(t, "1", call(t, ts, "count", ""))
		assert.Equal(t, "2", call(t, ts, "count", ""))
		for range 2 {
			s.web.restart()
			if s.sse {
				eventually(t, "the stream is opened again", func() bool { return call(t, ts, "count", "") == "2" })
				continue
			}
			assert.Equal(t, "1", call(t, ts, "count", ""), "it did not run twice")
			assert.Equal(t, "2", call(t, ts, "count", ""))
		}
	})
}
