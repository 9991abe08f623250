package resources

import (
	"context"
	"fmt"
	"strings"
)

// maxCandidates bounds the items that are shown when a name does not stand for
// one.
const maxCandidates = 20

// search looks for a name in a list. A name goes before a title: titles are
// looked at only where no name fits.
type search struct {
	catalogue
	name          string
	seen          int // items
	named, titled matches
	near, others  []item // without a match, at most maxCandidates of each
	cut           string // why not everything was seen
}

// matches are items with different ids.
type matches struct {
	ids   map[string]bool
	items []item // at most maxCandidates
}

func (m *matches) add(id string, i item) {
	if m.ids == nil {
		m.ids = map[string]bool{}
	}
	if !m.ids[id] && len(m.items) < maxCandidates {
		m.items = append(m.items, i)
	}
	m.ids[id] = true
}

// search goes through a list for a name. The search returned with an error is
// one that saw nothing.
func (l loader) search(ctx context.Context, s Server, in catalogue, name string) (*search, error) {
	var found *search
	cut, err := in.scan(ctx, s, l.options, func() func(item) bool {
		found = &search{catalogue: in, name: name}
		return func(i item) bool {
			found.add(i)
			return true
		}
	})
	found.cut = cut
	return found, err
}

func (f *search) add(i item) {
	f.seen++
	id := f.idOf(i)
	switch {
	case id != "" && i.Name == f.name:
		f.named.add(id, i)
	case id != "" && i.Title == f.name:
		f.titled.add(id, i)
	case near(f.name, i.Name) || near(f.name, i.Title) || near(f.name, id):
		f.near = appendUpTo(f.near, i)
	default:
		f.others = appendUpTo(f.others, i)
	}
}

func appendUpTo(items []item, i item) []item {
	if len(items) < maxCandidates {
		items = append(items, i)
	}
	return items
}

// near reports whether one of two names is part of the other, whatever their
// case.
func near(a, b string) bool {
	if b == "" || len(a) > maxName || len(b) > maxURI {
		return false
	}
	a, b = strings.ToLower(a), strings.ToLower(b)
	return strings.Contains(a, b) || strings.Contains(b, a)
}

// only returns the id of the one item of the name, "" where there is none, and
// a refusal where there are several.
func (f *search) only() (id string, err error) {
	fitting, by := f.named, "name"
	if len(fitting.ids) == 0 {
		fitting, by = f.titled, "title"
	}
	switch len(fitting.ids) {
	case 0:
		return "", nil
	case 1:
		return f.idOf(fitting.items[0]), nil
	}
	return "", refuse(ErrName, "%d %ss have the %s %s. Load one of them by its %s, given as uri:%s",
		len(fitting.ids), f.noun, by, quoted(f.name), f.id, candidates(fitting.items, len(fitting.ids), f.tool))
}

// caveat says that there may be others of the name.
func (f *search) caveat() string {
	if f.cut == "" {
		return ""
	}
	return "found by its name on an incomplete list: " + f.cut
}

// unknown is the refusal of a name that nothing has.
func unknown(name string, among ...*search) error {
	var b strings.Builder
	for i, f := range among {
		if i > 0 {
			b.WriteByte('\n')
		}
		switch {
		case f.seen == 0 && f.cut == "":
			fmt.Fprintf(&b, "The server lists no %ss.", f.noun)
		case f.seen == 0:
			fmt.Fprintf(&b, "Whether there are %ss is not known: %s.", f.noun, f.cut)
		default:
			fmt.Fprintf(&b, "The server's %ss are:%s", f.noun, candidates(append(f.near, f.others...), f.seen, f.tool))
			if f.cut != "" {
				fmt.Fprintf(&b, "\nThe list is not complete: %s.", f.cut)
			}
		}
	}
	noun := among[0].noun
	if len(among) > 1 {
		noun += " or " + among[1].noun
	}
	return refuse(ErrName, "There is no %s with the name %s.%s %s", noun, quoted(name), hint(name), b.String())
}

// hint is for a URI that was given as a name.
func hint(name string) string {
	if strings.Contains(name, "://") {
		return ` It looks like a uri, which is given as {"uri": "..."}.`
	}
	return ""
}

// candidates lists items, one a line.
func candidates(items []item, total int, tool string) string {
	items = items[:min(len(items), maxCandidates)]
	var b strings.Builder
	for _, i := range items {
		i.Description, i.MIMEType, i.Size = "", "", nil
		b.WriteString("\n" + i.shown(maxURI).json())
	}
	if more := total - len(items); more > 0 {
		fmt.Fprintf(&b, "\nand %d more, see %s", more, tool)
	}
	return b.String()
}
