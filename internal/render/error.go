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
func Error(text string, budget int) string { return Failure(text, Options{Budget: budget}) }

// Failure is [Error] with all options.
func Failure(text string, o Options) string {
	if blank(text) {
		text = noMessage
	}
	out, _ := fit(asError([]piece{{text: text}}), o.errorFrame())
	return out
}

func (o Options) errorFrame() frame {
	f := o.frame()
	f.keepTail, f.lead = true, len(errorPrefix)
	return f
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
