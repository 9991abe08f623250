package documents

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mcptoolset/mcptoolset/filter"
)

// The limits of a Loader where no option says otherwise.
const (
	// DefaultMaxSize is how many bytes of text a resource may have.
	DefaultMaxSize = 1 << 20
	// DefaultMaxResources is how many resources are read.
	DefaultMaxResources = 1000
	// DefaultConcurrency is how many resources are read at a time.
	DefaultConcurrency = 4
)

// An Option changes what New makes. A nil Option changes nothing.
type Option func(*options)

type options struct {
	patterns     *choice // nil = every URI
	types        *choice // nil = every type
	uris         []string
	maxSize      int64
	maxResources int
	concurrency  int
	onSkip       func(context.Context, Skipped)
	strict       bool
}

func newOptions(opts []Option) options {
	o := options{maxSize: DefaultMaxSize, maxResources: DefaultMaxResources, concurrency: DefaultConcurrency}
	for _, opt := range opts {
		if opt != nil {
			opt(&o)
		}
	}
	return o
}

// WithURIPatterns keeps, of the listed resources, those whose whole URI fits at
// least one of the patterns. The syntax is that of filter.Match: "?" is any one
// character, "*" any characters, "/" included, "[a-z]" one of a set, and "\"
// takes the meaning from the character after it. It may be given several times;
// the patterns add up. Without any pattern none of the listed resources is kept,
// and the server is not asked for its list. By default all are kept.
func WithURIPatterns(patterns ...string) Option {
	patterns = slices.Clone(patterns)
	return func(o *options) { o.patterns = o.patterns.with(patterns) }
}

// WithMIMETypes keeps the texts whose type fits at least one of the patterns,
// such as "text/*" or "application/json". The syntax is that of
// WithURIPatterns; case and parameters ("; charset=utf-8") do not count. A
// resource listed with another type is not read. One listed without a type is
// read to find out; text that has no type even then counts as text/plain. It
// may be given several times; the patterns add up. Without any pattern none is
// kept. By default all are kept.
func WithMIMETypes(patterns ...string) Option {
	plain := make([]string, len(patterns))
	for i, p := range patterns {
		plain[i] = mediaType(p)
	}
	return func(o *options) { o.types = o.types.with(plain) }
}

// WithURIs reads these resources too, whether they are listed or not, and
// whatever WithURIPatterns and WithMIMETypes say: templates with their variables
// filled in are such URIs. The limits hold for them. It may be given several
// times; a URI is read once. By default there are none.
func WithURIs(uris ...string) Option {
	uris = slices.Clone(uris)
	return func(o *options) { o.uris = append(o.uris, uris...) }
}

// WithMaxSize sets how many bytes of text a resource may have, all its contents
// taken together. One that is larger is left out as a whole, and is not read
// where its list entry says so already. It has to be positive. By default it is
// DefaultMaxSize, 1 MiB.
func WithMaxSize(bytes int64) Option {
	return func(o *options) { o.maxSize = bytes }
}

// WithMaxResources sets how many resources are read; the first ones are. It has
// to be positive. By default it is DefaultMaxResources, 1,000.
func WithMaxResources(n int) Option {
	return func(o *options) { o.maxResources = n }
}

// WithConcurrency sets how many resources are read at a time. It has to be
// positive, and does not change the order of the documents. By default it is
// DefaultConcurrency, 4.
func WithConcurrency(n int) Option {
	return func(o *options) { o.concurrency = n }
}

// WithOnSkip has f told of each thing that became no document, once a reading
// is over, in the order of Result.Skipped and before the reading returns. f is
// called on the goroutine that reads, with its ctx. By default, and for nil,
// nobody is told.
func WithOnSkip(f func(ctx context.Context, s Skipped)) Option {
	return func(o *options) { o.onSkip = f }
}

// WithStrict makes any failure an error, not only failures of everything. What
// is left out for another reason than Failed is none. By default it is off.
func WithStrict() Option {
	return func(o *options) { o.strict = true }
}

// fault joins what is wrong with the options.
func (o *options) fault() error {
	faults := []error{o.patterns.fault("WithURIPatterns"), o.types.fault("WithMIMETypes")}
	positive := func(option string, n int64) {
		if n <= 0 {
			faults = append(faults, fmt.Errorf("%s: %d is not positive", option, n))
		}
	}
	positive("WithMaxSize", o.maxSize)
	positive("WithMaxResources", int64(o.maxResources))
	positive("WithConcurrency", int64(o.concurrency))
	if slices.Contains(o.uris, "") {
		faults = append(faults, errors.New("WithURIs: a URI is empty"))
	}
	return errors.Join(faults...)
}

// choice is a choice by patterns. A nil one keeps everything.
type choice struct {
	patterns []string
	match    filter.Filter
}

// with returns c and these patterns besides.
func (c *choice) with(patterns []string) *choice {
	if c != nil {
		patterns = slices.Concat(c.patterns, patterns)
	}
	return &choice{patterns: patterns, match: filter.Match(patterns...)}
}

func (c *choice) fault(option string) error {
	if c == nil {
		return nil
	}
	if err := filter.Validate(c.match); err != nil {
		return fmt.Errorf("%s: %w", option, err)
	}
	return nil
}

// keeps reports whether a value fits a pattern. The patterns were checked
// before, so that there can be no error.
func (c *choice) keeps(ctx context.Context, value string) bool {
	if c == nil {
		return true
	}
	kept, err := c.match.Keep(ctx, filter.Tool{Name: value})
	return err == nil && kept
}

// none reports that nothing can fit.
func (c *choice) none() bool { return c != nil && len(c.patterns) == 0 }

// mediaType is a MIME type without case and parameters.
func mediaType(s string) string {
	s, _, _ = strings.Cut(s, ";")
	return strings.ToLower(strings.TrimSpace(s))
}
