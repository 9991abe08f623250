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
		ctx, clock := Timed(t.Context(), "call", time.Second, 3*time.Second, 0)
		defer clock.Done()
		began := time.Now()
		for range 10 {
			select {
			case <-time.After(900 * time.Millisecond):
				clock.Extend()
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
		ctx, clock := Timed(t.Context(), "call", time.Second, time.Hour, time.Hour)
		defer clock.Done()
		began := time.Now()
		<-ctx.Done()
		assert.Equal(t, time.Second, time.Since(began))
	})
}

func TestE7_NoLimitToExtend(t *testing.T) {
	t.Parallel()
	ctx, clock := Timed(t.Context(), "call", 0, time.Hour, time.Hour)
	clock.Extend()
	_, goOn := clock.Stop()
	goOn()
	require.NoError(t, ctx.Err())
	clock.Done()
	clock.Extend()
	assert.ErrorIs(t, ctx.Err(), context.Canceled)
}

func TestJ3_ALimitStandsStillWhileAPersonAnswers(t *testing.T) {
	t.Parallel()
	// Each test is what happens at which second, and when the limit of 10 s,
	// which may stand still for 60 s, ends.
	for title, test := range map[string]struct {
		happens func(c *Clock)
		ends    time.Duration
	}{
		"nobody stops it": {func(*Clock) {}, 10 * time.Second},
		"once": {func(c *Clock) {
			time.Sleep(4 * time.Second)
			left, goOn := c.Stop()
			assert.Equal(t, time.Minute, left)
			time.Sleep(20 * time.Second)
			goOn()
		}, 30 * time.Second},
		"twice, what is used is used": {func(c *Clock) {
			_, goOn := c.Stop()
			time.Sleep(50 * time.Second)
			goOn()
			time.Sleep(time.Second)
			left, goOn := c.Stop()
			assert.Equal(t, 10*time.Second, left)
			time.Sleep(10 * time.Second)
			goOn()
			left, goOn = c.Stop()
			assert.Zero(t, left)
			goOn()
		}, 70 * time.Second},
		"by two at a time": {func(c *Clock) {
			_, first := c.Stop()
			time.Sleep(5 * time.Second)
			left, second := c.Stop()
			assert.Equal(t, 55*time.Second, left, "it is the call that waits, once")
			first()
			time.Sleep(5 * time.Second)
			second()
		}, 20 * time.Second},
		"with progress meanwhile": {func(c *Clock) {
			time.Sleep(4 * time.Second)
			_, goOn := c.Stop()
			time.Sleep(30 * time.Second)
			c.Extend()
			goOn()
		}, 44 * time.Second},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, clock := Timed(t.Context(), "call", 10*time.Second, 15*time.Second, time.Minute)
				defer clock.Done()
				require.Same(t, clock, ClockOf(ctx))
				began := time.Now()
				test.happens(clock)
				<-ctx.Done()
				assert.Equal(t, test.ends, time.Since(began))
			})
		})
	}
}

func TestJ3_AStoppedLimitEndsWithItsCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		caller, leave := context.WithCancel(t.Context())
		ctx, clock := Timed(caller, "call", time.Second, time.Second, time.Hour)
		_, goOn := clock.Stop()
		leave()
		require.ErrorIs(t, ctx.Err(), context.Canceled)
		goOn()
		clock.Done()
		assert.Nil(t, ClockOf(t.Context()))
	})
}
