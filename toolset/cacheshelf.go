package toolset

import "github.com/hashicorp/golang-lru/v2/simplelru"

// Bounds of what is kept. What was used least recently goes first.
const (
	maxLists     = 4_000 // four lists of 1,000 identities
	maxListBytes = 256 << 20
	maxRaw       = 4_000 // pages and reads
	maxRawBytes  = 64 << 20
)

// shelf keeps answers within a number and a size.
type shelf struct {
	answers *simplelru.LRU[question, *answer]
	bytes   int
	most    int // bytes
}

func newShelf(answers, bytes int) *shelf {
	s := &shelf{most: bytes}
	kept, err := simplelru.NewLRU(answers, func(_ question, a *answer) { s.bytes -= a.size })
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	s.answers = kept
	return s
}

// get returns an answer, fresh or not; nil where none is kept.
func (s *shelf) get(q question) *answer {
	a, _ := s.answers.Get(q)
	return a
}

// put keeps an answer, unless it alone is too large.
func (s *shelf) put(q question, a *answer) {
	s.remove(q)
	if a.size > s.most {
		return
	}
	for s.bytes+a.size > s.most {
		s.answers.RemoveOldest()
	}
	s.answers.Add(q, a)
	s.bytes += a.size
}

func (s *shelf) remove(q question) bool { return s.answers.Remove(q) }
