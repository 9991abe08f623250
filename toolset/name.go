package toolset

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

const (
	// maxName is the longest tool name that every model provider takes.
	maxName = 64
	// hashLength is how many characters of a hash tell two names apart.
	hashLength = 8
)

// assignNames gives each of the server's tools the name a model calls it by:
// letters, digits, _ and - only, at most 64 of them, the first a letter or _,
// and unique without regard to case, because LangChainGo's Executor looks tools
// up in upper case.
//
// A name that is fine as it is stays. One that is too long, that has nothing
// left of it or that meets another gets a hash of the original, so that what a
// name means does not depend on the order or the number of the tools listed.
// originals are distinct.
func assignNames(prefix string, originals []string) map[string]string {
	groups := map[string][]string{}
	for _, original := range originals {
		key := strings.ToUpper(clean(prefix + original))
		groups[key] = append(groups[key], original)
	}
	names := make(map[string]string, len(originals))
	taken := map[string]bool{}
	var crowded []string
	for key, group := range groups {
		name := clean(prefix + group[0])
		if len(group) > 1 || len(name) > maxName || strings.Trim(clean(group[0]), "_-") == "" {
			crowded = append(crowded, group...)
			continue
		}
		names[group[0]] = name
		taken[key] = true
	}
	slices.Sort(crowded)
	for _, original := range crowded {
		names[original] = distinct(prefix, original, taken)
	}
	return names
}

// distinct is a name with a hash of the original that no other tool has.
func distinct(prefix, original string, taken map[string]bool) string {
	head := strings.TrimRight(clean(prefix+original), "_-")
	if head == "" {
		head = "tool"
	}
	head = head[:min(len(head), maxName-hashLength-1)]
	for salted := original; ; salted += "\x00" {
		sum := sha256.Sum256([]byte(salted))
		name := head + "_" + hex.EncodeToString(sum[:])[:hashLength]
		if key := strings.ToUpper(name); !taken[key] {
			taken[key] = true
			return name
		}
	}
}

// clean replaces what a name may not hold, and puts _ before what it may not
// begin with: Gemini refuses a digit or a dash there.
func clean(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, name)
	if name != "" && (name[0] == '-' || '0' <= name[0] && name[0] <= '9') {
		return "_" + name
	}
	return name
}
