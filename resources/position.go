package resources

import (
	"fmt"
	"strconv"
	"strings"
)

// position is a place in a list: a page and how many of its items have been
// shown. A model gets it as a cursor. That of the start of a page is the
// server's own cursor. Where the server's list changes in between, items may be
// missed or come twice, as with cursors of servers.
type position struct {
	cursor string // the server's, "" for the first page
	passed int
}

const (
	passedMark = "passed="
	pageMark   = ";page="
)

// String writes the position as a cursor. A cursor of the server that looks
// like one of ours is written as ours, so that each reads back as what it was.
func (p position) String() string {
	if p.passed == 0 && parsePosition(p.cursor) == p {
		return p.cursor
	}
	return fmt.Sprintf("%s%d%s%s", passedMark, p.passed, pageMark, p.cursor)
}

// parsePosition reads a cursor. What is not written as ours is the server's.
func parsePosition(s string) position {
	rest, ours := strings.CutPrefix(s, passedMark)
	digits, cursor, found := strings.Cut(rest, pageMark)
	n, err := strconv.Atoi(digits)
	if !ours || !found || err != nil || n < 0 {
		return position{cursor: s}
	}
	return position{cursor: cursor, passed: n}
}
