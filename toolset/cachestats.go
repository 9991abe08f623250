package toolset

// CacheStats tells how lists and reads were answered since the toolset was
// made.
type CacheStats struct {
	// Hits were answered by what was kept, Misses had the server asked, or
	// waited for who was asking already.
	Hits, Misses uint64
	// Invalidations are answers that were dropped before their time: by a
	// notice of the server, with their session, or by Refresh.
	Invalidations uint64
	// Stale were answered by what was no longer fresh ([WithStaleOnError]).
	Stale uint64
	// Entries are the answers kept now, for all identities together.
	Entries int
}

// CacheStats returns the counters of the toolset's cache. It does no I/O.
func (ts *Toolset) CacheStats() CacheStats {
	c := ts.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	stats := c.stats
	stats.Entries = c.lists.answers.Len() + c.raw.answers.Len()
	return stats
}
