package mcptest

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func even(n int) bool { return n%2 == 0 }

func TestJournalWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var j Journal[int]
		j.Add(2)
		assert.Equal(t, 2, j.Wait(t, even), "what is past counts")
		result := make(chan []int)
		go func() { result <- j.WaitN(t, 2, even) }()
		synctest.Wait()
		j.Add(3)
		synctest.Wait()
		select {
		case <-result:
			t.Fatal("one event is missing")
		default:
		}
		j.Add(4)
		assert.Equal(t, []int{2, 4}, <-result)
		assert.Equal(t, []int{2, 3, 4}, j.All())
		assert.Equal(t, 1, j.Count(even, func(n int) bool { return n > 2 }))
		assert.Equal(t, []int{2, 3, 4}, j.WaitN(t, 3, Any))
	})
}

func TestJournalLosesPatience(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var j Journal[int]
		j.Add(1)
		began := time.Now()
		_, err := j.wait(1, []func(int) bool{even}, Patience)
		require.ErrorContains(t, err, "all events: [1]")
		assert.Equal(t, Patience, time.Since(began))
	})
}
