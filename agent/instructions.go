package agent

import (
	"strings"

	"github.com/mcptoolset/mcptoolset/internal/render"
	"github.com/mcptoolset/mcptoolset/toolset"
)

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
	text := render.Instructions(info.Name, info.Instructions)
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
