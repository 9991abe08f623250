package oauth

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// FileStore keeps tokens and registrations in one file that only its owner may
// read (mode 0600). The file is replaced as a whole, so that a crash leaves
// the old one or the new one, and is locked, so that processes can share it:
// one renews a token and the others find it. On Windows the file has the
// rights of its directory: put it where only the user may read.
//
// The file is not encrypted. For a keychain implement [Store].
type FileStore struct {
	path string
	mu   sync.Mutex
}

// NewFileStore returns a store in the file at path. Neither has to exist, but
// its directory is made on the first Save only, for its owner alone.
func NewFileStore(path string) *FileStore { return &FileStore{path: path} }

// String names the file.
func (f *FileStore) String() string { return "oauth.FileStore in " + f.path }

// Load implements [Store].
func (f *FileStore) Load(_ context.Context, key string) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	all, err := f.read()
	return all[key], err
}

// Save implements [Store].
func (f *FileStore) Save(ctx context.Context, key string, data []byte) error {
	unlock, err := f.lock(ctx, ".lock")
	if err != nil {
		return err
	}
	defer unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	all, err := f.read()
	if err != nil {
		return err
	}
	if len(data) == 0 {
		delete(all, key)
	} else {
		all[key] = data
	}
	return f.write(all)
}

// Lock implements [Locker]. Each key has a lock file beside the store, so that
// who waits for a user of one server does not hold up those of another. A lock
// is free again when the process that holds it ends.
func (f *FileStore) Lock(ctx context.Context, key string) (func(), error) {
	sum := sha256.Sum256([]byte(key))
	return f.lock(ctx, fmt.Sprintf(".%x.lock", sum[:8]))
}

// maxFile bounds what is read, in bytes.
const maxFile = 16 << 20

func (f *FileStore) read() (map[string]json.RawMessage, error) {
	all := map[string]json.RawMessage{}
	info, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return all, nil
	case err != nil:
		return nil, err
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%s is too large", f.path)
	}
	data, err := os.ReadFile(f.path)
	if err != nil {
		return nil, err
	}
	if len(data) > 0 && json.Unmarshal(data, &all) != nil {
		return nil, fmt.Errorf("%s is not a store of tokens: remove it to begin anew", f.path)
	}
	return all, nil
}

func (f *FileStore) write(all map[string]json.RawMessage) (err error) {
	data, err := json.Marshal(all)
	if err != nil {
		return errors.New("what is to be kept is not JSON")
	}
	temporary, err := os.CreateTemp(filepath.Dir(f.path), ".tokens-*") // mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(temporary.Name())
		}
	}()
	_, err = temporary.Write(data)
	if err == nil {
		err = temporary.Sync()
	}
	if closed := temporary.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(temporary.Name(), f.path)
}

// pollLock is how often a lock that another process holds is tried.
const pollLock = 50 * time.Millisecond

// lock takes a lock file beside the store. The kernel frees it when its process
// ends.
func (f *FileStore) lock(ctx context.Context, suffix string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(f.path+suffix, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		taken, err := tryLock(file)
		if err == nil && taken {
			return func() { file.Close() }, nil
		}
		if err != nil {
			file.Close()
			return nil, err
		}
		select {
		case <-time.After(pollLock):
		case <-ctx.Done():
			file.Close()
			return nil, ctx.Err()
		}
	}
}
