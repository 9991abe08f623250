package resources

import "fmt"

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
