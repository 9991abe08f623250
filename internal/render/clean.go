package render

import (
	"strings"
	"unicode/utf8"
)

// clean makes s fit for a model: valid UTF-8 without control characters but
// line feed, carriage return and tab. It replaces one character by one, and
// returns s itself where nothing has to be replaced.
func clean(s string) string {
	for i := 0; i < len(s); {
		if c := s[i]; c >= ' ' && c < 0x7f || c == '\n' {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 || visible(r) != r {
			return replace(s, i)
		}
		i += size
	}
	return s
}

// replace is clean for an s in which the first fault is at byte i.
func replace(s string, i int) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	b.WriteString(s[:i])
	for _, r := range s[i:] { // ranging yields U+FFFD for each bad byte
		b.WriteRune(visible(r))
	}
	return b.String()
}

// visible returns what stands for r: itself, or for a control character its
// picture, or U+FFFD where there is none.
func visible(r rune) rune {
	const pictures = '\u2400' // the picture of NUL; those of the others follow
	switch {
	case r == '\n' || r == '\r' || r == '\t':
		return r
	case r < ' ':
		return pictures + r
	case r == 0x7f:
		return '\u2421'
	case r >= 0x80 && r <= 0x9f:
		return utf8.RuneError
	default:
		return r
	}
}

// oneLine folds white space, line breaks included, so that a value of the
// server stays inside the line that names it. More than most characters are
// cut; a most of 0 means no limit.
func oneLine(s string, most int) string {
	if most > 0 {
		// No more of a text of megabytes is looked at than may be shown.
		if end := byteIndex(s, most); end < len(s) {
			s = s[:end] + "…"
		}
	}
	return strings.Join(strings.Fields(s), " ")
}
