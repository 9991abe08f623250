package agent

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/mcptoolset/mcptoolset/internal/render"
	"github.com/mcptoolset/mcptoolset/toolset"
)

// maxInstructions bounds the words of one server, in characters.
const maxInstructions = 8192

// WithInstructions adds what a server says on the use of its tools
// (Instructions of a toolset.ServerInfo) to the system message. It may be given
// several times, once for each server; a server that says nothing adds nothing.
// By default none is added.
//
// The words are a stranger's. No template is expanded in them, each of their
// lines is marked as a quotation, so that none can pass for the owner's, what is
// not to be printed is left out, and at most 8,192 characters are sent. A model
// may believe them nevertheless: give only those of servers you trust to
// instruct it.
func WithInstructions(info toolset.ServerInfo) Option {
	text := instructions(info)
	return func(o *options) {
		if text != "" {
			o.instructions = append(o.instructions, text)
		}
	}
}

// system is the system message, "" where there is none.
func (o *options) system() string {
	parts := o.instructions
	if !isBlank(o.systemMessage) {
		parts = append([]string{o.systemMessage}, parts...)
	}
	return strings.Join(parts, "\n\n")
}

// instructions quotes a server.
func instructions(info toolset.ServerInfo) string {
	words := printable(info.Instructions)
	if words == "" {
		return ""
	}
	words, _ = render.Cut(words, maxInstructions, false)
	var text strings.Builder
	fmt.Fprintf(&text, "The server %.100q says on the use of its tools, in its own words:", info.Name)
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
