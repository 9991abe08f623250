package wire

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestE7_ALimitThatProgressExtends(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, extend, done := Extendable(t.Context(), "call", time.Second, 3*time.Second)
		defer done()
		began := time.Now()
		for range 10 {
			select {
			case <-time.After(900 * time.Millisecond):
				extend()
			case <-ctx.Done():
			}
		}
		<-ctx.Done()
		assert.Equal(t, 3*time.Second, time.Since(began))
		var limit *LimitError
		require.ErrorAs(t, Cause(ctx, ctx.Err()), &limit)
		assert.Equal(t, LimitError{Name: "call", Limit: time.Second}, *limit)
	})
}

func TestE7_ALimitThatNothingExtends(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, _, done := Extendable(t.Context(), "call", time.Second, time.Hour)
		defer done()
		began := time.Now()
		<-ctx.Done()
		assert.Equal(t, time.Second, time.Since(began))
	})
}

func TestE7_NoLimitToExtend(t *testing.T) {
	t.Parallel()
	ctx, extend, done := Extendable(t.Context(), "call", 0, time.Hour)
	extend()
	require.NoError(t, ctx.Err())
	done()
	extend()
	assert.ErrorIs(t, ctx.Err(), context.Canceled)
}
