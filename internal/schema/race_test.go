//go:build race

package schema_test

// raced says that the race detector makes everything many times slower.
const raced = true
