package documents

import (
	"context"
	"fmt"
	"strings"

	"github.com/tmc/langchaingo/schema"
	"golang.org/x/sync/errgroup"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// The keys of a document's metadata. Values are strings, but for KeyIndex.
const (
	// KeyURI is the URI of the text: the content's own, else the resource's.
	KeyURI = "uri"
	// KeyResource is the URI that was read, where KeyURI is another.
	KeyResource = "resource"
	// KeyServer is the name that the toolset's configuration gives the server.
	KeyServer = "server"
	// KeyName, KeyTitle and KeyMIMEType are what the server says of the
	// resource or the content; each is missing where it says nothing.
	KeyName     = "name"
	KeyTitle    = "title"
	KeyMIMEType = "mimeType"
	// KeyIndex is an int: where a resource has several contents, which of them
	// the text is, from 0. Else it is missing.
	KeyIndex = "index"
)

// outcome is what became of an item.
type outcome struct {
	documents []schema.Document
	skipped   []Skipped
	read      bool // the server gave it
}

// readAll reads the items, several at a time; the outcomes are in their order.
func (l *Loader) readAll(ctx context.Context, items []item) []outcome {
	outcomes := make([]outcome, len(items))
	var group errgroup.Group
	group.SetLimit(l.o.concurrency)
	for i, it := range items {
		if it.skip != "" {
			outcomes[i] = it.without(Skipped{Reason: it.skip, Size: sizeOf(it.resource)})
			continue
		}
		if err := ctx.Err(); err != nil { // there is no need to ask
			outcomes[i] = it.without(Skipped{Reason: Failed, Err: err})
			continue
		}
		group.Go(func() error {
			outcomes[i] = l.read(ctx, it)
			return nil // one that fails does not end the others
		})
	}
	_ = group.Wait()
	return outcomes
}

func sizeOf(r toolset.Resource) int64 {
	if r.Size == nil {
		return 0
	}
	return *r.Size
}

// without is the outcome of an item that gives no document at all.
func (it item) without(s Skipped) outcome {
	s.URI, s.Name, s.Index = it.resource.URI, it.resource.Name, Whole
	if s.MIMEType == "" {
		s.MIMEType = it.resource.MIMEType
	}
	asked := it.skip == ""
	return outcome{skipped: []Skipped{s}, read: asked && s.Reason != Failed}
}

// read makes documents of one resource.
func (l *Loader) read(ctx context.Context, it item) outcome {
	contents, err := l.set.ReadResource(ctx, it.resource.URI)
	switch {
	case err != nil && len(contents) == 0: // else only some of it is broken
		return it.without(Skipped{Reason: Failed, Err: err})
	case len(contents) == 0:
		return it.without(Skipped{Reason: Empty})
	}
	var o outcome
	size := int64(0)
	for i, c := range contents {
		p := part{ResourceContents: c, of: it, index: i, several: len(contents) > 1}
		if s := p.skipped(); s != nil {
			o.skipped = append(o.skipped, *s)
			o.read = o.read || s.Reason != Failed
			continue
		}
		o.read = true
		if it.asked || l.o.types.keeps(ctx, p.textType()) {
			size += int64(len(c.Text))
			o.documents = append(o.documents, p.document(l.set.ServerName()))
		}
	}
	if size > l.o.maxSize {
		return it.without(Skipped{Reason: TooLarge, Size: size})
	}
	return o
}

// part is one of a resource's contents.
type part struct {
	toolset.ResourceContents
	of      item
	index   int
	several bool
}

// mimeType is what the server says of the content, or of the resource that is
// nothing else.
func (p part) mimeType() string {
	if p.MIMEType == "" && !p.several {
		return p.of.resource.MIMEType
	}
	return p.MIMEType
}

// textType is what a choice of types looks at.
func (p part) textType() string {
	if t := mediaType(p.mimeType()); t != "" {
		return t
	}
	return "text/plain"
}

// skipped tells why the content is no document, nil where it is one. A text that
// is not quite as it should be is a text.
func (p part) skipped() *Skipped {
	s := Skipped{URI: p.of.resource.URI, Name: p.of.resource.Name, Index: p.index, MIMEType: p.mimeType()}
	switch {
	case p.IsText && strings.TrimSpace(p.Text) == "":
		s.Reason = Empty
	case p.IsText:
		return nil
	case p.Blob != nil:
		s.Reason, s.Size = Binary, int64(len(p.Blob))
	default:
		s.Reason, s.Err = Failed, fmt.Errorf("resource %q, content %d: %w: %s", s.URI, p.index, toolset.ErrContents, p.Fault)
	}
	return &s
}

func (p part) document(server string) schema.Document {
	uri := p.URI
	if uri == "" {
		uri = p.of.resource.URI
	}
	metadata := map[string]any{KeyURI: uri, KeyServer: server}
	if uri != p.of.resource.URI {
		metadata[KeyResource] = p.of.resource.URI
	}
	for key, value := range map[string]string{
		KeyName: p.of.resource.Name, KeyTitle: p.of.resource.Title, KeyMIMEType: p.mimeType(),
	} {
		if value != "" {
			metadata[key] = value
		}
	}
	if p.several {
		metadata[KeyIndex] = p.index
	}
	return schema.Document{PageContent: p.Text, Metadata: metadata}
}
