package render

import "strings"

const (
	errorWord   = "Error:"
	errorPrefix = errorWord + " "
	noMessage   = "(no message)"
)

// Error returns the observation of a failure: text behind "Error: ", unless it
// starts so already. Of a text that is cut to budget characters, as [Cut] does,
// the head and the end are kept, since the cause tends to stand last. A budget
// of zero or less is [DefaultBudget].
func Error(text string, budget int) string {
	if blank(text) {
		text = noMessage
	}
	out, _ := fit(asError([]piece{{text: text}}), errorFrame(budget))
	return out
}

func errorFrame(budget int) frame {
	return frame{budget: budget, keepTail: true, lead: len(errorPrefix)}
}

// asError puts "Error: " in front of pieces that do not start so already.
func asError(pieces []piece) []piece {
	said, found := strings.CutPrefix(strings.TrimLeft(pieces[0].text, " \t\r\n"), errorWord)
	if found {
		pieces[0].text = strings.TrimPrefix(said, " ")
	}
	return append([]piece{{text: errorPrefix}}, pieces...)
}

// blank reports whether a model would see nothing in s. Providers refuse a
// message of white space as they refuse an empty one.
func blank(s string) bool { return strings.TrimSpace(s) == "" }
