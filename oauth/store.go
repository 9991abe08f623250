package oauth

import (
	"context"
	"encoding/json"
	"sync"
)

// Store keeps tokens and registrations between runs. Its keys begin with
// "token" or "client" and name the issuer, tokens also the resource; its
// values are JSON and secret. One Store is for one user: it may be shared by
// Transports for many servers. Its methods may be called concurrently.
type Store interface {
	// Load returns what Save kept under key, nil where there is nothing.
	Load(ctx context.Context, key string) ([]byte, error)
	// Save keeps data, which it must not change, in place of what there was.
	// No data means that there shall be nothing.
	Save(ctx context.Context, key string, data []byte) error
}

// Locker is a [Store] that other processes use as well. While a key is locked
// the Transport looks whether another one has renewed the token and renews it
// otherwise.
type Locker interface {
	Store
	// Lock waits for the lock of key and returns what frees it.
	Lock(ctx context.Context, key string) (unlock func(), err error)
}

// MemoryStore keeps what it is given for as long as it lives. It prints
// without its content. The zero MemoryStore is empty.
type MemoryStore struct {
	mu   sync.Mutex
	data map[string][]byte
}

// NewMemoryStore returns an empty store.
func NewMemoryStore() *MemoryStore { return &MemoryStore{} }

// Load implements [Store].
func (m *MemoryStore) Load(_ context.Context, key string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]byte(nil), m.data[key]...), nil
}

// Save implements [Store].
func (m *MemoryStore) Save(_ context.Context, key string, data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(data) == 0 {
		delete(m.data, key)
		return nil
	}
	if m.data == nil {
		m.data = map[string][]byte{}
	}
	m.data[key] = append([]byte(nil), data...)
	return nil
}

// load reads what the store has under key into v. What cannot be read counts
// as nothing: the user is asked anew.
func (t *Transport) load(ctx context.Context, key string, v any) error {
	data, err := t.config.Store.Load(ctx, key)
	if err != nil {
		return fail("store", err)
	}
	if len(data) > 0 && json.Unmarshal(data, v) != nil {
		t.config.Logger.Warn("oauth: the store has what cannot be read", "key", key)
	}
	return nil
}

func (t *Transport) save(ctx context.Context, key string, v any) error {
	data, err := json.Marshal(v)
	if err == nil {
		err = t.config.Store.Save(ctx, key, data)
	}
	if err != nil {
		return fail("store", err)
	}
	return nil
}
