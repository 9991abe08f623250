package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
)

const (
	maxShownKey = 64
	hashLen     = 8 // hexadecimal digits that tell equal names apart
)

// renames gives the names that rules ask for in place of those of one object,
// for the names that are not allowed as they are. A new name depends only on
// the old one and, where it would not be unique, on which others there are; it
// never depends on their order.
func renames(names []string, r *rules) map[string]string {
	taken := map[string]int{} // by how many old names a shown name is wanted
	wanted := map[string]string{}
	for _, name := range names {
		if r.keyAllowed(name) {
			taken[name]++
			continue
		}
		if _, again := wanted[name]; again {
			continue
		}
		short := plainKey(name)
		wanted[name] = short
		taken[short]++
	}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		short := wanted[name]
		if taken[short] > 1 || len(short) > maxShownKey || strings.Trim(short, "_") == "" {
			wanted[name] = hashedKey(short, name, taken)
			taken[wanted[name]]++
		}
	}
	return wanted
}

// plainKey replaces whatever is not a letter, a digit or _ by _, and makes the
// first character a letter or _.
func plainKey(name string) string {
	var b strings.Builder
	for _, c := range name {
		if b.Len() > maxShownKey {
			break
		}
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_':
			b.WriteRune(c)
		case c >= '0' && c <= '9':
			if b.Len() == 0 {
				b.WriteByte('_')
			}
			b.WriteRune(c)
		default:
			b.WriteByte('_')
		}
	}
	return b.String()
}

// hashedKey makes short unique by a hash of the whole old name, longer where
// somebody made two names whose short hashes are equal.
func hashedKey(short, name string, taken map[string]int) string {
	sum := sha256.Sum256([]byte(name))
	digits := hex.EncodeToString(sum[:])
	for n := hashLen; n < len(digits); n++ {
		head := short[:min(len(short), maxShownKey-1-n)]
		if key := strings.TrimRight(head, "_") + "_" + digits[:n]; taken[key] == 0 {
			return key
		}
	}
	return "_" + digits[:maxShownKey-1]
}
