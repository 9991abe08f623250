package render

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcptoolset/mcptoolset/internal/decode"
)

// maxField bounds what is shown of a value that should be short: a type, a
// name, a title.
const maxField = 200

// labelLine is a line that describes something: "[kind] name: value; …".
type labelLine struct {
	b     strings.Builder
	parts int
}

func label(kind string) *labelLine {
	l := new(labelLine)
	l.b.WriteString("[" + kind + "]")
	return l
}

// say adds words.
func (l *labelLine) say(words string) {
	if l.parts++; l.parts > 1 {
		l.b.WriteByte(';')
	}
	l.b.WriteString(" " + words)
}

// add adds a value under its name, unless there is none.
func (l *labelLine) add(name, value string) {
	if value != "" {
		l.say(name + ": " + value)
	}
}

// field adds a value that should be short.
func (l *labelLine) field(name, value string) { l.add(name, oneLine(value, maxField)) }

// uri adds a URI: whole, for it is what a resource is read with, unless it is a
// data URL and so holds the resource itself.
func (l *labelLine) uri(uri string) {
	if head, ok := dataURLHead(uri); ok {
		l.add("uri", fmt.Sprintf("%s… (%d characters)", head, utf8.RuneCountInString(uri)))
		return
	}
	if strings.ContainsAny(uri, "\r\n") {
		uri = oneLine(uri, 0)
	}
	l.add("uri", uri)
}

// binary adds the size of base64 once decoded.
func (l *labelLine) binary(data string) {
	n, err := decode.BinarySize(data)
	if err != nil {
		l.say(fmt.Sprintf("broken base64, length %d", utf8.RuneCountInString(data)))
		return
	}
	l.add("size", bytesOf(int64(n)))
}

// fault adds why something could not be read. Nothing sent stands behind a note
// on what was left out.
func (l *labelLine) fault(fault string, raw []byte) {
	switch {
	case fault == "":
	case len(raw) == 0:
		l.say(fault)
	default:
		l.say("could not be read: " + fault)
	}
}

func (l *labelLine) String() string { return l.b.String() }

// bytesOf says a number of bytes.
func bytesOf(n int64) string {
	if n == 1 {
		return "1 byte"
	}
	return strconv.FormatInt(n, 10) + " bytes"
}

// dataURLHead returns what stands before the data of a data URL.
func dataURLHead(uri string) (head string, ok bool) {
	const scheme = "data:"
	if len(uri) < len(scheme) || !strings.EqualFold(uri[:len(scheme)], scheme) {
		return "", false
	}
	head, _, found := strings.Cut(uri, ",")
	if !found {
		head = scheme
	}
	return oneLine(head, maxField) + ",", true
}
