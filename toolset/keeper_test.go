package toolset

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestE6_WhatIsKeptIsBoundedInNumber(t *testing.T) {
	t.Parallel()
	k := newKeeper()
	defer k.close()
	var handles []string
	for i := range maxKept {
		handles = append(handles, k.put("ann", fmt.Sprint(i)))
	}
	_, ok := k.get("ann", handles[0]) // now the one used last
	require.True(t, ok)
	_, ok = k.get("bob", handles[1]) // no use at all
	require.False(t, ok)
	last := k.put("ann", "more")
	for i, want := range map[int]bool{0: true, 1: false, 2: true} {
		_, ok := k.get("ann", handles[i])
		assert.Equal(t, want, ok, i)
	}
	text, ok := k.get("ann", last)
	assert.True(t, ok)
	assert.Equal(t, "more", text)
}

func TestE6_WhatIsKeptIsBoundedInSize(t *testing.T) {
	t.Parallel()
	k := newKeeper()
	defer k.close()
	assert.Empty(t, k.put("ann", strings.Repeat("x", maxKeptBytes+1)))
	small := k.put("ann", "small")
	half := k.put("ann", strings.Repeat("x", maxKeptBytes/2))
	full := k.put("ann", strings.Repeat("x", maxKeptBytes/2))
	_, ok := k.get("ann", small)
	assert.False(t, ok)
	_, ok = k.get("ann", half)
	assert.True(t, ok)
	whole := k.put("ann", strings.Repeat("x", maxKeptBytes))
	_, ok = k.get("ann", full)
	assert.False(t, ok)
	_, ok = k.get("ann", whole)
	assert.True(t, ok)
	assert.Equal(t, maxKeptBytes, k.bytes)
}

func TestE6_WhatIsKeptGrowsOld(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := newKeeper()
		defer k.close()
		used, unused := k.put("ann", "used"), k.put("ann", "unused")
		time.Sleep(maxKeptAge - time.Second)
		_, ok := k.get("ann", used)
		require.True(t, ok)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		assert.Equal(t, 1, k.texts.Len(), "dropped although nobody asked")
		_, ok = k.get("ann", unused)
		assert.False(t, ok)
		_, ok = k.get("ann", used)
		assert.True(t, ok)
		time.Sleep(2 * maxKeptAge)
		synctest.Wait()
		assert.Zero(t, k.texts.Len())
		assert.Zero(t, k.bytes)
		assert.Nil(t, k.timer, "nothing waits for nothing")
	})
}

func TestE6_NothingIsKeptAfterClose(t *testing.T) {
	t.Parallel()
	k := newKeeper()
	var users sync.WaitGroup
	for i := range 20 {
		users.Go(func() {
			for range 50 {
				k.get(fmt.Sprint(i), k.put(fmt.Sprint(i), "text"))
			}
		})
	}
	k.close()
	users.Wait()
	assert.Zero(t, k.texts.Len())
	assert.Empty(t, k.put("ann", "text"))
	assert.Nil(t, k.timer)
}
