package toolset

import (
	"strings"
	"unicode"

	"github.com/mcptoolset/mcptoolset/internal/decode"
	"github.com/mcptoolset/mcptoolset/internal/schema"
)

const (
	// maxDescription bounds a description, in characters. Some deployments of
	// OpenAI's API take no more.
	maxDescription = 1024
	// maxSignature bounds a signature, in characters.
	maxSignature = 1000
)

// textDescription serves agents that know a tool by its text alone: the
// server's words on one line, since a line break could forge another tool in
// a prompt, and how to write the input.
func textDescription(t decode.Tool) string {
	words := bounded(oneLine(modelDescription(t)), maxDescription)
	if words != "" && !strings.ContainsAny(words[len(words)-1:], ".!?:") {
		words += "."
	}
	return strings.TrimSpace(words + " " + usage(schema.Signature(t.InputSchema, maxSignature)))
}

// usage tells how to write the input.
func usage(signature string) string {
	switch {
	case signature == "{}":
		return "Takes no arguments: write {} as the input (one JSON object)."
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
	count := 0
	for i := range s {
		if count++; count == limit {
			if len(s[i:]) > 0 && len([]rune(s[i:])) > 1 {
				return s[:i] + "…"
			}
			break
		}
	}
	return s
}
