package render

import (
	"fmt"
	"strings"
	"unicode"
)

// MaxInstructions bounds the words of one server, in characters.
const MaxInstructions = 8192

// Instructions quotes what a server says on the use of its tools, for the
// system message: a line that names the server, then each line of its words
// behind a mark, so that none can pass for the owner's. At most
// [MaxInstructions] characters of the words are kept, the marker of a cut
// included. The text is "" where the server says nothing.
func Instructions(server, words string) string {
	words = printable(words)
	if words == "" {
		return ""
	}
	words, _ = Cut(words, MaxInstructions, false)
	var text strings.Builder
	fmt.Fprintf(&text, "The server %.100q says on the use of its tools, in its own words:", server)
	for line := range strings.Lines(words) {
		text.WriteString("\n" + strings.TrimRight("> "+line, " \n"))
	}
	return text.String()
}

// printable has one kind of line break and no other character that cannot be
// seen, which could hide words from a reader or end a quoted line.
func printable(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	text = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", r):
			return '\n'
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, text)
	return strings.TrimSpace(text)
}
