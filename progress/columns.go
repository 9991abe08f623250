package progress

import "unicode"

// wide are the characters that may take two columns of a terminal (Unicode
// Standard Annex 11, and emoji). Some take one: a line that is taken for too
// long is cut early, one that is taken for too short would break the terminal.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1}, // Hangul
		{Lo: 0x2300, Hi: 0x23ff, Stride: 1}, // watches, hourglasses
		{Lo: 0x25a0, Hi: 0x27bf, Stride: 1}, // signs and ticks
		{Lo: 0x2b00, Hi: 0x2bff, Stride: 1},
		{Lo: 0x2e80, Hi: 0xa4cf, Stride: 1}, // Chinese, Japanese, Yi
		{Lo: 0xa960, Hi: 0xa97f, Stride: 1},
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1}, // Hangul
		{Lo: 0xf900, Hi: 0xfaff, Stride: 1},
		{Lo: 0xfe30, Hi: 0xfe6f, Stride: 1},
		{Lo: 0xff00, Hi: 0xff60, Stride: 1}, // fullwidth forms
		{Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x16fe0, Hi: 0x18dff, Stride: 1}, // Tangut
		{Lo: 0x1aff0, Hi: 0x1b2ff, Stride: 1}, // Kana
		{Lo: 0x1f000, Hi: 0x1faff, Stride: 1}, // emoji
		{Lo: 0x20000, Hi: 0x3fffd, Stride: 1}, // Chinese
	},
}

// columns is how many columns of a terminal a character takes at most.
func columns(r rune) int {
	if unicode.Is(wide, r) {
		return 2
	}
	return 1
}

// width is how many columns a text takes at most.
func width(s string) (n int) {
	for _, r := range s {
		n += columns(r)
	}
	return n
}

// cut shortens a text to a number of columns.
func cut(s string, most int) string {
	if width(s) <= most {
		return s
	}
	n := 0
	for at, r := range s {
		if n += columns(r); n > most-1 { // one is for the mark
			return s[:at] + "…"
		}
	}
	return s
}
