package toolset

import (
	"fmt"
	"time"
)

// Warning is something the owner should know that did not stop anything.
type Warning struct {
	// Tool is the server's name of the tool concerned; empty where it
	// concerns none or the tool has no name.
	Tool string
	// Reason is a sentence.
	Reason string
}

// String is the warning as one line. A very long name is cut.
func (w Warning) String() string {
	if w.Tool == "" {
		return w.Reason
	}
	return fmt.Sprintf("tool %q: %s", bounded(w.Tool, maxNameShown), w.Reason)
}

// Report tells what the last listing found, and what calls have found.
type Report struct {
	// Listed is how many tools the server listed, Offered how many of them
	// were returned after filtering.
	Listed, Offered int
	// Warnings names every tool that was left out against the owner's
	// expectation, and why, bound arguments that do not fit, results that did
	// not fit the schema they promise, and whatever else was odd.
	Warnings []Warning
	// At is when the server was asked; zero before the first listing.
	At time.Time
}
