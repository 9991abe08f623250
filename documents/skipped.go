package documents

import "fmt"

// Reason is why there is no document of something.
type Reason string

const (
	// Failed: the server did not give it, or gave what cannot be read. Err of
	// a Skipped says why. All other reasons leave Err nil.
	Failed Reason = "failed"
	// Binary: it is not text. The toolset's ReadResource gives the bytes.
	Binary Reason = "binary"
	// TooLarge: it is over the limit of WithMaxSize.
	TooLarge Reason = "too large"
	// Empty: its text is white space or nothing.
	Empty Reason = "empty"
	// Surplus: it is beyond the number of WithMaxResources, and was not read.
	Surplus Reason = "surplus"
)

// Whole is the Index of a Skipped that is a resource, not one of its contents.
const Whole = -1

// Skipped is a resource, or one of a resource's contents, that became no
// document.
type Skipped struct {
	// URI and Name are those of the resource. Both are empty where the list of
	// resources failed.
	URI, Name string
	// Index counts the contents of the resource from 0; Whole stands for all
	// of it.
	Index int
	// Reason is why it was left out.
	Reason Reason
	// MIMEType is the type as the server says; "" where it does not.
	MIMEType string
	// Size is how many bytes it has, as far as that is known; else 0.
	Size int64
	// Err is the failure where Reason is Failed: a *toolset.Error where the
	// server did not give the resource, and an error that wraps
	// toolset.ErrContents where one of its contents is broken.
	Err error
}

// String is a line for a log.
func (s Skipped) String() string {
	what := "the list of resources"
	if s.URI != "" {
		what = fmt.Sprintf("resource %.200q", s.URI)
	}
	if s.Index != Whole {
		what += fmt.Sprintf(", content %d", s.Index)
	}
	switch {
	case s.Err != nil:
		return fmt.Sprintf("%s: %s: %v", what, s.Reason, s.Err)
	case s.Size > 0:
		return fmt.Sprintf("%s: %s: %d bytes", what, s.Reason, s.Size)
	}
	return fmt.Sprintf("%s: %s", what, s.Reason)
}
