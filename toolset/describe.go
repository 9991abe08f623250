package toolset

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mcptoolset/mcptoolset/internal/decode"
	"github.com/mcptoolset/mcptoolset/internal/schema"
)

const (
	// maxDescription bounds a description, in characters. Some deployments of
	// OpenAI's API take no more.
	maxDescription = 1024
	// maxLongDescription bounds it where the provider is known to take more.
	maxLongDescription = 8192
	// maxSignature bounds a signature, in characters.
	maxSignature = 1000
)

// textDescription serves agents that know a tool by its text alone: the
// server's words on one line, since a line break could forge another tool in
// a prompt, and how to write the input, but for hidden arguments.
func textDescription(t decode.Tool, hidden []string) string {
	words := bounded(oneLine(modelDescription(t)), maxDescription)
	if words != "" && !strings.ContainsAny(words[len(words)-1:], ".!?:") {
		words += "."
	}
	return strings.TrimSpace(words + " " + usage(visible(schema.Signature(t.InputSchema, maxSignature, hidden...))))
}

// visible writes what is not to be printed in a signature as JSON escapes it:
// names and values of a server could hold signs that steer a terminal, or turn
// the direction of a text. Where that gets too long they are left out.
func visible(signature string) string {
	var b strings.Builder
	for _, r := range signature {
		switch {
		case r == ' ' || unicode.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	if utf8.RuneCountInString(b.String()) > maxSignature {
		return oneLine(signature)
	}
	return b.String()
}

// usage tells how to write the input.
func usage(signature string) string {
	switch {
	case signature == "{}":
		return "Takes no arguments: write {} as the input (one JSON object)."
	case strings.HasPrefix(signature, "{} "):
		return "Input: one JSON object " + signature + "."
	case strings.Contains(signature, "?"):
		return "Input: one JSON object " + signature + "; ? marks what may be left out."
	}
	return "Input: one JSON object " + signature + ", all of it required."
}

// modelDescription is what a definition says of a tool.
func modelDescription(t decode.Tool) string {
	for _, words := range []string{t.Description, t.Title, t.Annotations.Title} {
		if words = strings.TrimSpace(strings.ToValidUTF8(words, "\uFFFD")); words != "" {
			return words
		}
	}
	return ""
}

// define is the description in a definition: the server's words and then the
// notes, which say what the parameters could not and so are never cut for the
// sake of the words.
func define(t decode.Tool, notes []string, p Profile) string {
	limit := maxDescription
	switch p {
	case ProfileVerbatim, ProfileAnthropic, ProfileGemini, ProfileVertex:
		limit = maxLongDescription
	}
	noted := bounded(strings.Join(notes, "\n"), limit)
	room := limit - utf8.RuneCountInString(noted) - 1
	if room < 1 {
		return noted
	}
	return strings.TrimSpace(bounded(modelDescription(t), room) + "\n" + noted)
}

// oneLine folds white space and drops what is not to be printed.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// bounded cuts s to at most limit characters.
func bounded(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return string([]rune(s)[:limit-1]) + "…"
}
