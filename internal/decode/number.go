package decode

import (
	"math"
	"strconv"

	"github.com/mcptoolset/mcptoolset/internal/decode/rawjson"
)

// count reads a number that counts something: milliseconds, bytes. A fraction
// is cut off and what no int64 holds becomes the largest. What is negative or
// no number at all counts nothing.
func count(v rawjson.Value) (n int64, ok bool) {
	if v.Kind != rawjson.Number {
		return 0, false
	}
	if n, err := strconv.ParseInt(string(v.Raw), 10, 64); err == nil {
		return n, n >= 0
	}
	f, _ := strconv.ParseFloat(string(v.Raw), 64) // infinite where out of range
	if f >= math.MaxInt64 {
		return math.MaxInt64, true
	}
	return int64(f), f >= 0
}

// isZero reports whether a number is zero, however it is written.
func isZero(v rawjson.Value) bool {
	for _, c := range v.Raw {
		switch {
		case c >= '1' && c <= '9':
			return false
		case c == 'e' || c == 'E':
			return true
		}
	}
	return true
}
