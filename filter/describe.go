package filter

import (
	"fmt"
	"strconv"
	"strings"
)

// What a filter or a name may take up in an error or a log line.
const (
	maxQuoted = 80
	maxListed = 10
)

// describe names a filter in errors. Only a String method of its own is
// trusted to do so: printing the fields of an unknown type could show anything.
func describe(f Filter) string {
	if f == nil {
		return "nil"
	}
	if s, ok := f.(fmt.Stringer); ok {
		return fmt.Sprintf("%s", s) // fmt survives a String that panics
	}
	return fmt.Sprintf("%T", f)
}

// call prints a filter the way it was made: Allow("a", "b").
func call(name string, args []string) string {
	return name + "(" + list(args) + ")"
}

// list quotes the first few of names and counts the rest.
func list(names []string) string {
	quoted := make([]string, 0, maxListed+1)
	for i, n := range names {
		if i == maxListed {
			quoted = append(quoted, fmt.Sprintf("and %d more", len(names)-maxListed))
			break
		}
		quoted = append(quoted, quote(n))
	}
	return strings.Join(quoted, ", ")
}

// quote shows a name on one line and bounded: servers choose their names.
func quote(name string) string {
	if r := []rune(name[:min(len(name), 4*maxQuoted+4)]); len(r) > maxQuoted {
		return strconv.Quote(string(r[:maxQuoted])) + "…"
	}
	return strconv.Quote(name)
}
