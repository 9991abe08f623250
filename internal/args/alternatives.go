package args

import (
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	keyword "github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// finding is what the validator says about one value.
type finding = *jsonschema.ValidationError

// alternatives explains why none of several schemas fits. The validator says
// of each what is wrong, which is of little use for those the value was not
// meant for; so the ones it was probably meant for are looked for first.
func (x *explainer) alternatives(e finding) troubled {
	var near [][]finding  // findings of those of the right kind
	var expected []string // what the others expect instead
	for _, cause := range e.Causes {
		findings := leaves(cause)
		if words := otherKind(e, findings); words != "" {
			if !slices.Contains(expected, words) {
				expected = append(expected, words)
			}
			continue
		}
		near = append(near, findings)
	}
	near, marks := sameMark(e, near)
	near = sameNames(e, near)
	switch {
	case len(marks) > 0:
		return x.wrongMark(marks)
	case len(near) == 0 && len(expected) == 0:
		return nil
	case len(near) == 0:
		return troubled{x.at(e).fault("expected %s%s", clip(strings.Join(expected, " or "), 300), x.got(e))}
	case len(near) == 1:
		var all troubled
		for _, f := range near[0] {
			all = append(all, x.explain(f)...)
		}
		return all
	}
	if needs, ok := x.needs(e, near); ok {
		return troubled{x.at(e).fault("give one of these: %s", needs)}
	}
	return troubled{x.at(e).fault("fits none of the alternatives: %s", x.each(near))}
}

// leaves flattens a finding down to those that stand for themselves.
func leaves(e finding) []finding {
	switch e.ErrorKind.(type) {
	case *keyword.Schema, *keyword.Group, *keyword.Reference, *keyword.AllOf:
		var all []finding
		for _, cause := range e.Causes {
			all = append(all, leaves(cause)...)
		}
		return all
	}
	return []finding{e}
}

// otherKind returns what an alternative expects in place of the value as a
// whole, "" if the value is of the right kind for it.
func otherKind(e finding, findings []finding) string {
	for _, f := range findings {
		if len(f.InstanceLocation) != len(e.InstanceLocation) {
			continue
		}
		switch k := f.ErrorKind.(type) {
		case *keyword.Type:
			return strings.Join(k.Want, " or ")
		case *keyword.Enum:
			return oneOf(k.Want)
		case *keyword.Const:
			return show(k.Want)
		}
	}
	return ""
}

// sameMark leaves out alternatives whose mark, a property with one fixed value
// (type: "a"), the value contradicts. If it contradicts those of all
// alternatives at one property, the marks are returned.
func sameMark(e finding, near [][]finding) (kept [][]finding, marks []finding) {
	for _, findings := range near {
		i := slices.IndexFunc(findings, func(f finding) bool {
			_, fixed := mark(f)
			return fixed && len(f.InstanceLocation) == len(e.InstanceLocation)+1
		})
		if i < 0 {
			kept = append(kept, findings)
		} else {
			marks = append(marks, findings[i])
		}
	}
	switch {
	case len(kept) > 0:
		return kept, nil
	case len(marks) > 1 && samePlace(marks):
		return near, marks
	}
	return near, nil
}

// sameNames leaves out alternatives that want other properties than the value
// has, if there are some that have nothing to say against its properties.
func sameNames(e finding, near [][]finding) [][]finding {
	kept := slices.DeleteFunc(slices.Clone(near), func(findings []finding) bool {
		return slices.ContainsFunc(findings, func(f finding) bool {
			return len(f.InstanceLocation) == len(e.InstanceLocation)
		})
	})
	if len(kept) == 0 {
		return near
	}
	return kept
}

// mark returns the one value a finding expects.
func mark(f finding) (any, bool) {
	switch k := f.ErrorKind.(type) {
	case *keyword.Const:
		return k.Want, true
	case *keyword.Enum:
		if len(k.Want) == 1 {
			return k.Want[0], true
		}
	}
	return nil, false
}

func samePlace(findings []finding) bool {
	return !slices.ContainsFunc(findings, func(f finding) bool {
		return !slices.Equal(f.InstanceLocation, findings[0].InstanceLocation)
	})
}

// wrongMark explains a value that carries the mark of no alternative.
func (x *explainer) wrongMark(marks []finding) troubled {
	var values []any
	for _, f := range marks {
		v, _ := mark(f)
		if s := show(v); !slices.ContainsFunc(values, func(old any) bool { return show(old) == s }) {
			values = append(values, v)
		}
	}
	if x.hidden(marks[0]) {
		return nil
	}
	return troubled{x.at(marks[0]).fault("expected %s%s", oneOf(values), x.got(marks[0]))}
}

// needs lists what each alternative demands, if all that is wrong are missing
// properties: "id, or name and place".
func (x *explainer) needs(e finding, near [][]finding) (string, bool) {
	var all []string
	for _, findings := range near {
		var names []string
		for _, f := range findings {
			k, ok := f.ErrorKind.(*keyword.Required)
			if !ok || len(f.InstanceLocation) != len(e.InstanceLocation) {
				return "", false
			}
			names = append(names, x.visible(f, k.Missing)...)
		}
		if words := strings.Join(clipped(names, 6), " and "); words != "" && !slices.Contains(all, words) {
			all = append(all, words)
		}
	}
	return strings.Join(clipped(all, 8), ", or "), true
}

// each numbers the alternatives with their first faults.
func (x *explainer) each(near [][]finding) string {
	const most, faults = 4, 2
	var all []string
	for i, findings := range near {
		if i == most {
			all = append(all, fmt.Sprintf("… (%d in all)", len(near)))
			break
		}
		var found troubled
		for _, f := range findings {
			found = append(found, x.explain(f)...)
		}
		found = ordered(found)
		var words []string
		for _, fault := range found[:min(len(found), faults)] {
			words = append(words, clip(fault.String(), 80))
		}
		all = append(all, fmt.Sprintf("(%d) %s", i+1, strings.Join(words, "; ")))
	}
	return strings.Join(all, " ")
}
