package resources

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// How the tools are called, for those who called them wrongly.
const (
	listUsage = `Call it with {} for the first page, or with {"cursor": "..."}, the nextCursor of the page before.`
	loadUsage = `Call it with {"uri": "..."} or with {"name": "..."}, and for a template with {"uri": "x://{id}", "variables": {"id": "..."}}. ` +
		`An "offset" may be added to go on with a long text.`
)

// refusal is a failure the model is told of. Its text is shown, its cause is
// what the caller gets.
type refusal struct {
	text  string
	cause error
}

func (r *refusal) Error() string { return r.text }

// refuse makes a refusal that wraps cause.
func refuse(cause error, format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	return &refusal{text: text, cause: fmt.Errorf("%w: %s", cause, text)}
}

// rejected makes a refusal of what the server answered, which is said as it is.
func rejected(cause error, format string, args ...any) error {
	return &refusal{text: fmt.Sprintf(format, args...), cause: cause}
}

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
