package resources

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxEcho bounds what is repeated of a value that somebody else chose.
const maxEcho = 200

// quoted repeats a value within a sentence.
func quoted(s string) string { return strconv.Quote(clip(s, maxEcho)) }

// clip shortens s to at most most characters and a mark that says so.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i] + "…"
		}
	}
	return s
}

// runes is the length by which observations are measured.
func runes(s string) int { return utf8.RuneCountInString(s) }

// sentences joins what is not empty.
func sentences(parts ...string) string {
	var said []string
	for _, p := range parts {
		if p != "" {
			said = append(said, p)
		}
	}
	return strings.Join(said, " ")
}

// names lists names that somebody else chose.
func names(all []string) string {
	const most = 10
	var said []string
	for _, name := range all[:min(len(all), most)] {
		said = append(said, quoted(name))
	}
	if more := len(all) - most; more > 0 {
		said = append(said, fmt.Sprintf("%d more", more))
	}
	return strings.Join(said, ", ")
}
