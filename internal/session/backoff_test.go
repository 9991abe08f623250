package session

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
)

func TestF7_PausesGrowWithinABound(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var r restraint
		require.NoError(t, pause(t.Context(), r.until), "the first attempt is made at once")
		longest := time.Duration(0)
		for range 30 {
			r.failed(errors.New("nobody there"), time.Minute)
			began := time.Now()
			require.NoError(t, pause(t.Context(), r.until))
			took := time.Since(began)
			assert.Positive(t, took)
			assert.LessOrEqual(t, took, longestPause*3/2)
			longest = max(longest, took)
		}
		assert.Greater(t, longest, 10*firstPause)
	})
}

func TestF7_APauseLeavesTimeToConnect(t *testing.T) {
	t.Parallel()
	limit := 200 * time.Millisecond
	var r restraint
	for range 30 {
		r.failed(errors.New("nobody there"), limit)
		assert.Less(t, time.Until(r.until), limit/2)
	}
}

func TestF7_ARefusalIsNoOutage(t *testing.T) {
	t.Parallel()
	for status, waits := range map[int]bool{401: false, 403: false, 404: false, 429: true, 500: true, 503: true} {
		var r restraint
		r.failed(&httpx.StatusError{Status: status}, time.Minute)
		assert.Equal(t, waits, r.until.After(time.Now()), status)
	}
}

func TestF7_APauseEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, pause(ctx, time.Now().Add(time.Hour)), context.Canceled)
}
