package documents

import (
	"context"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// item is a resource that a document is wanted of.
type item struct {
	resource toolset.Resource
	asked    bool   // by its URI, so that no choice keeps it out
	skip     Reason // why it is not even read; "" where it is
}

// items are those of the list that the owner chose, then the other URIs asked
// for. With an error they are those that are known all the same.
func (l *Loader) items(ctx context.Context) ([]item, error) {
	var listed []toolset.Resource
	var err error
	if !l.o.patterns.none() {
		listed, err = l.set.Resources(ctx)
	}
	asked := make(map[string]bool, len(l.o.uris))
	for _, uri := range l.o.uris {
		asked[uri] = true
	}
	var items []item
	known := make(map[string]bool, len(listed))
	for _, r := range listed {
		if !known[r.URI] && (asked[r.URI] || l.chosen(ctx, r)) {
			known[r.URI] = true
			items = append(items, item{resource: r, asked: asked[r.URI]})
		}
	}
	for _, uri := range l.o.uris {
		if !known[uri] {
			known[uri] = true
			items = append(items, item{resource: toolset.Resource{URI: uri}, asked: true})
		}
	}
	l.restrain(items)
	return items, err
}

// chosen reports whether a listed resource may be one the owner wants.
func (l *Loader) chosen(ctx context.Context, r toolset.Resource) bool {
	if !l.o.patterns.keeps(ctx, r.URI) {
		return false
	}
	return r.MIMEType == "" || l.o.types.keeps(ctx, mediaType(r.MIMEType))
}

// restrain marks the items that the limits keep from being read.
func (l *Loader) restrain(items []item) {
	read := 0
	for i := range items {
		it := &items[i]
		switch size := it.resource.Size; {
		case size != nil && *size > l.o.maxSize:
			it.skip = TooLarge
		case read == l.o.maxResources:
			it.skip = Surplus
		default:
			read++
		}
	}
}
