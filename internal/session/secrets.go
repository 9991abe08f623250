package session

import (
	"net/http"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/mcptoolset/mcptoolset/internal/httpx"
)

// secrets are those of the headers that were used of late, whoever's they are.
// Where one session serves many, the server may speak of one while another uses
// it, and of a token that has been renewed meanwhile.
type secrets struct {
	mu   sync.Mutex
	seen *simplelru.LRU[string, []string] // by the fingerprint of the headers
}

func newSecrets() *secrets {
	seen, err := simplelru.NewLRU[string, []string](maxSessions, nil)
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	return &secrets{seen: seen}
}

// note remembers the secrets of headers.
func (s *secrets) note(headers http.Header) {
	if len(headers) == 0 {
		return
	}
	key := fingerprint(headers, nil)
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.seen.Get(key); !known {
		s.seen.Add(key, httpx.HeaderSecrets(headers))
	}
}

// all are the secrets that are remembered.
func (s *secrets) all() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for _, values := range s.seen.Values() {
		all = append(all, values...)
	}
	return all
}
