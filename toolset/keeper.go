package toolset

import (
	"crypto/rand"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Bounds of what is kept to be read on in.
const (
	maxKept      = 64
	maxKeptBytes = 16 << 20
	maxKeptAge   = 15 * time.Minute // since the last use
	handleLength = 16               // of 32 characters: 80 bits
)

// keeper keeps texts under handles, each for one identity.
type keeper struct {
	mu     sync.Mutex
	texts  *simplelru.LRU[string, *keptText]
	bytes  int
	timer  *time.Timer // for the next text to grow old
	closed bool
}

type keptText struct {
	text, identity string
	used           time.Time
}

func newKeeper() *keeper {
	k := &keeper{}
	texts, err := simplelru.NewLRU(maxKept, func(_ string, t *keptText) { k.bytes -= len(t.text) })
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	k.texts = texts
	return k
}

// put keeps a text and returns its handle, "" if it cannot be kept.
func (k *keeper) put(identity, text string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed || len(text) > maxKeptBytes {
		return ""
	}
	k.sweep()
	for k.bytes+len(text) > maxKeptBytes {
		k.texts.RemoveOldest()
	}
	handle := strings.ToLower(rand.Text()[:handleLength])
	k.texts.Add(handle, &keptText{strings.Clone(text), identity, time.Now()})
	k.bytes += len(text)
	k.await()
	return handle
}

// get returns an identity's text.
func (k *keeper) get(identity, handle string) (string, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.sweep()
	t, ok := k.texts.Peek(handle)
	if !ok || t.identity != identity {
		return "", false
	}
	k.texts.Get(handle)
	t.used = time.Now()
	return t.text, true
}

// sweep drops what has grown old. What was used least recently is the oldest.
func (k *keeper) sweep() {
	for {
		_, t, ok := k.texts.GetOldest()
		if !ok || time.Since(t.used) < maxKeptAge {
			return
		}
		k.texts.RemoveOldest()
	}
}

// await has old texts dropped although nobody asks.
func (k *keeper) await() {
	_, t, ok := k.texts.GetOldest()
	if k.timer != nil || !ok || k.closed {
		return
	}
	k.timer = time.AfterFunc(time.Until(t.used.Add(maxKeptAge)), func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.timer = nil
		k.sweep()
		k.await()
	})
}

// close drops everything. Nothing is kept after that.
func (k *keeper) close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.closed = true
	k.texts.Purge()
	if k.timer != nil {
		k.timer.Stop()
		k.timer = nil
	}
}
