package documents

import (
	"context"
	"errors"
	"fmt"

	"github.com/tmc/langchaingo/schema"
	"github.com/tmc/langchaingo/textsplitter"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// Loader makes LangChainGo documents of a server's resources. It implements
// LangChainGo's documentloaders.Loader. It keeps nothing of what it read, so
// each use asks the server anew, and may be used concurrently.
type Loader struct {
	set *toolset.Toolset
	o   options
}

// New makes a loader over the resources of ts. It does no I/O. Its error joins
// all faults of the options: a pattern that breaks the syntax, a limit that is
// not positive, an empty URI. A nil ts is a fault too.
//
// The toolset need not have the resource tools switched on, and stays the
// caller's to close.
func New(ts *toolset.Toolset, opts ...Option) (*Loader, error) {
	o := newOptions(opts)
	err := o.fault()
	if ts == nil {
		err = errors.Join(errors.New("there is no toolset to read from"), err)
	}
	if err != nil {
		return nil, fmt.Errorf("documents: %w", err)
	}
	return &Loader{set: ts, o: o}, nil
}

// Result is what a reading gave.
type Result struct {
	// Documents are the texts, in the order of the server's list; then those
	// of WithURIs that are not listed.
	Documents []schema.Document
	// Skipped is what was left out, in the same order; a list that failed
	// stands first.
	Skipped []Skipped
}

// Load reads the resources and returns their documents. Something left out is
// no error, see the package's text.
//
// The error is ctx's where it ended, and otherwise joins the failures where
// there is nothing but failures: the list failed, or no resource that was
// asked for could be read. With [WithStrict] it does so where there is any. With
// an error there are no documents. errors.As finds the *toolset.Error of a failure.
// A server without resources gives neither documents nor an error.
func (l *Loader) Load(ctx context.Context) ([]schema.Document, error) {
	result, err := l.Read(ctx)
	if err != nil {
		return nil, err
	}
	return result.Documents, nil
}

// LoadAndSplit is Load, and then splits the documents. The parts of a document
// have its metadata, each a copy. An error of the splitter is returned as it is.
func (l *Loader) LoadAndSplit(ctx context.Context, splitter textsplitter.TextSplitter) ([]schema.Document, error) {
	if splitter == nil {
		return nil, errors.New("documents: there is no splitter: use Load")
	}
	docs, err := l.Load(ctx)
	if err != nil {
		return nil, err
	}
	return textsplitter.SplitDocuments(splitter, docs)
}

// Read is Load, and tells what was left out. With an error the result is what
// is known all the same: what was left out, and the documents that there are.
func (l *Loader) Read(ctx context.Context) (Result, error) {
	items, err := l.items(ctx)
	var result Result
	if err != nil {
		result.Skipped = append(result.Skipped, Skipped{Index: Whole, Reason: Failed, Err: err})
	}
	read := 0
	for _, o := range l.readAll(ctx, items) {
		result.Documents = append(result.Documents, o.documents...)
		result.Skipped = append(result.Skipped, o.skipped...)
		if o.read {
			read++
		}
	}
	if l.o.onSkip != nil {
		for _, s := range result.Skipped {
			l.o.onSkip(ctx, s)
		}
	}
	return result, l.judge(ctx, result.Skipped, read)
}

// judge decides whether the reading as a whole has failed; read is how many
// resources the server gave.
func (l *Loader) judge(ctx context.Context, skipped []Skipped, read int) error {
	var failures []error
	for _, s := range skipped {
		if s.Reason == Failed {
			failures = append(failures, s.Err)
		}
	}
	switch {
	case len(failures) == 0:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("documents: %w", ctx.Err())
	case read > 0 && !l.o.strict:
		return nil
	}
	return fmt.Errorf("documents: %w", join(failures))
}

// maxJoined bounds how many failures an error tells; the others are counted.
const maxJoined = 10

func join(failures []error) error {
	if n := len(failures) - maxJoined; n > 0 {
		failures = append(failures[:maxJoined:maxJoined], fmt.Errorf("and %d more failures", n))
	}
	return errors.Join(failures...)
}
