package args

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	keyword "github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// explainer puts the validator's findings into words for the model.
type explainer struct {
	args    *value
	bound   map[string]value // never mentioned
	owned   bool             // tells the owner of those alone, and no values
	schemas func(url string) *jsonschema.Schema
	left    int // findings still looked at
}

// maxFindings bounds how many findings of the validator are put into words.
const maxFindings = 500

// faults returns what is wrong, in the order of the paths.
func (x *explainer) faults(e finding) troubled {
	return ordered(x.explain(e))
}

// ordered sorts faults, because the validator finds them in the order of a Go
// map, and removes those that are there twice.
func ordered(faults troubled) troubled {
	slices.SortFunc(faults, func(a, b Fault) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Problem, b.Problem))
	})
	return slices.Compact(faults)
}

// explain puts one finding and what it consists of into words.
func (x *explainer) explain(e finding) troubled {
	if x.left--; x.left < 0 || x.hidden(e) {
		return nil
	}
	switch k := e.ErrorKind.(type) {
	case *keyword.Schema, *keyword.Group, *keyword.Reference, *keyword.AllOf:
		var all troubled
		for _, cause := range e.Causes {
			all = append(all, x.explain(cause)...)
		}
		return all
	case *keyword.AnyOf:
		return x.alternatives(e)
	case *keyword.OneOf:
		if len(k.Subschemas) == 0 {
			return x.alternatives(e)
		}
		return troubled{x.at(e).fault("fits several alternatives at once, of which only one may be given%s", x.choices(e, k.Subschemas))}
	case *keyword.Required:
		return x.missing(e, k.Missing)
	case *keyword.AdditionalProperties:
		return x.unknown(e, k.Properties)
	case *keyword.FalseSchema:
		if closed, ok := strings.CutSuffix(e.SchemaURL, "/unevaluatedProperties"); ok && len(e.InstanceLocation) > 0 {
			return x.unevaluated(e, closed)
		}
	case *keyword.RefCycle, *keyword.InvalidJsonValue:
		return nil // says something about the schema, not about the value
	}
	if problem := x.problem(e); problem != "" {
		return troubled{x.at(e).fault("%s", problem)}
	}
	return nil
}

// hidden reports whether a finding concerns an argument that whoever is told
// has nothing to do with.
func (x *explainer) hidden(e finding) bool {
	return len(e.InstanceLocation) > 0 && !x.concerns(e.InstanceLocation[0])
}

// visible removes from the names of a finding those that are hidden.
func (x *explainer) visible(e finding, names []string) []string {
	if len(e.InstanceLocation) > 0 || len(x.bound) == 0 {
		return names
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !x.concerns(name) })
}

// concerns reports whether an argument is of those the faults are told of.
func (x *explainer) concerns(name string) bool {
	_, bound := x.bound[name]
	return bound == x.owned
}

// bindings returns what is wrong with the owner's arguments themselves, and
// not only together with others. Names the schema does not have are left to the
// server.
func (x *explainer) bindings(e finding) troubled {
	var all troubled
	for _, f := range leaves(e) {
		_, required := f.ErrorKind.(*keyword.Required)
		if required || len(f.InstanceLocation) > 0 && !strings.HasSuffix(f.SchemaURL, "/unevaluatedProperties") {
			all = append(all, x.explain(f)...)
		}
	}
	return ordered(all)
}

// at returns the path of a finding.
func (x *explainer) at(e finding) path {
	var p path
	v := x.args
	for _, token := range e.InstanceLocation {
		if v != nil && v.kind == array {
			i, _ := strconv.Atoi(token)
			p = p.item(i)
		} else {
			p = p.member(token)
		}
		if v != nil {
			v = v.at(token)
		}
	}
	return p
}

// got shows the value a finding is about. The arguments as a whole are not
// shown: the model knows what it wrote, and some of it may not be the model's.
func (x *explainer) got(e finding) string {
	t, wrongType := e.ErrorKind.(*keyword.Type)
	switch {
	case wrongType && (x.owned || len(e.InstanceLocation) == 0):
		return ", got " + t.Got
	case x.owned || len(e.InstanceLocation) == 0:
		return ""
	}
	v := x.args
	for _, token := range e.InstanceLocation {
		if v = v.at(token); v == nil {
			return ""
		}
	}
	if wrongType {
		if v.kind.String() != t.Got {
			return ", got " + t.Got // the validator counts items after a tuple anew
		}
		if v.kind != null {
			return ", got " + t.Got + " " + excerpt(v)
		}
	}
	return ", got " + excerpt(v)
}

// missing names required properties that are not there.
func (x *explainer) missing(e finding, names []string) troubled {
	var all troubled
	schema := x.schemas(e.SchemaURL)
	for _, name := range x.visible(e, names) {
		var expected string
		if schema != nil {
			expected = describe(schema.Properties[name], 0)
		}
		if expected == "" {
			expected = "a value"
		}
		all = append(all, x.at(e).member(name).fault("missing, expected %s", expected))
	}
	return all
}

// unknown names properties the schema does not have, with the nearest it has.
func (x *explainer) unknown(e finding, names []string) troubled {
	var all troubled
	var known []string
	if schema := x.schemas(e.SchemaURL); schema != nil {
		known = sortedKeys(schema.Properties)
	}
	known = x.visible(e, known)
	names = slices.Sorted(slices.Values(x.visible(e, names)))
	for i, name := range names[:min(len(names), maxFindings)] {
		hint := ""
		if i >= maxFaults {
			// not shown
		} else if near := nearest(name, known); near != "" {
			hint = fmt.Sprintf(", did you mean %q?", near)
		} else if len(known) > 0 {
			hint = "; known are " + list(known)
		}
		all = append(all, x.at(e).member(name).fault("unknown name%s", hint))
	}
	return all
}

// unevaluated names a property that no part of a schema knows.
func (x *explainer) unevaluated(e finding, closed string) troubled {
	last := len(e.InstanceLocation) - 1
	outer := *e
	outer.SchemaURL, outer.InstanceLocation = closed, e.InstanceLocation[:last]
	return x.unknown(&outer, e.InstanceLocation[last:])
}

// problem says what a single keyword found wrong.
func (x *explainer) problem(e finding) string {
	got := x.got(e)
	switch k := e.ErrorKind.(type) {
	case *keyword.Type:
		return "expected " + strings.Join(k.Want, " or ") + got
	case *keyword.Enum:
		return "expected " + oneOf(k.Want) + got
	case *keyword.Const:
		return "expected " + show(k.Want) + got
	case *keyword.Pattern:
		return fmt.Sprintf("expected a text that matches %s%s", clip(k.Want, 150), got)
	case *keyword.MinLength:
		return fmt.Sprintf("expected at least %s%s", plural(k.Want, "character"), got)
	case *keyword.MaxLength:
		return fmt.Sprintf("expected at most %s, got %d", plural(k.Want, "character"), k.Got)
	case *keyword.Minimum:
		return "expected at least " + decimal(k.Want) + got
	case *keyword.Maximum:
		return "expected at most " + decimal(k.Want) + got
	case *keyword.ExclusiveMinimum:
		return "expected more than " + decimal(k.Want) + got
	case *keyword.ExclusiveMaximum:
		return "expected less than " + decimal(k.Want) + got
	case *keyword.MultipleOf:
		return "expected a multiple of " + decimal(k.Want) + got
	}
	return x.structure(e)
}

// structure says what a keyword found wrong with an object or an array.
func (x *explainer) structure(e finding) string {
	switch k := e.ErrorKind.(type) {
	case *keyword.MinItems:
		return fmt.Sprintf("expected at least %s, got %d", plural(k.Want, "item"), k.Got)
	case *keyword.MaxItems:
		return fmt.Sprintf("expected at most %s, got %d", plural(k.Want, "item"), k.Got)
	case *keyword.AdditionalItems:
		return plural(k.Count, "item") + " too many"
	case *keyword.UniqueItems:
		return fmt.Sprintf("expected different items, got the same at %d and %d", k.Duplicates[0], k.Duplicates[1])
	case *keyword.Contains:
		return "expected an item of a certain kind" + x.causes(e)
	case *keyword.MinContains:
		return fmt.Sprintf("expected at least %s of a certain kind, got %d%s", plural(k.Want, "item"), len(k.Got), x.causes(e))
	case *keyword.MaxContains:
		return fmt.Sprintf("expected at most %s of a certain kind, got %d", plural(k.Want, "item"), len(k.Got))
	case *keyword.MinProperties:
		return fmt.Sprintf("expected at least %s, got %d", plural(k.Want, "name"), k.Got)
	case *keyword.MaxProperties:
		return fmt.Sprintf("expected at most %s, got %d", plural(k.Want, "name"), k.Got)
	case *keyword.PropertyNames:
		if len(x.visible(e, []string{k.Property})) == 0 {
			return ""
		}
		return fmt.Sprintf("the name %q is not allowed%s", clip(k.Property, 60), x.causes(e))
	case *keyword.DependentRequired:
		return x.dependent(e, k.Prop, k.Missing)
	case *keyword.Dependency:
		return x.dependent(e, k.Prop, k.Missing)
	case *keyword.FalseSchema:
		return "is not allowed here"
	case *keyword.Not:
		return x.excluded(e)
	}
	return "does not fit the schema" // a keyword no draft has
}

// dependent names what a property demands besides itself.
func (x *explainer) dependent(e finding, name string, missing []string) string {
	if missing = x.visible(e, missing); len(missing) == 0 {
		return ""
	}
	if len(x.visible(e, []string{name})) == 0 {
		return list(missing) + " must be given"
	}
	return fmt.Sprintf("with %s, %s must be given as well", clip(name, 60), list(missing))
}

// causes adds the first cause of a finding.
func (x *explainer) causes(e finding) string {
	var found troubled
	for _, cause := range e.Causes {
		found = append(found, x.explain(cause)...)
	}
	if len(found) == 0 {
		return ""
	}
	return ": " + ordered(found)[0].Problem
}

// excluded says what a "not" excludes, where that is simple.
func (x *explainer) excluded(e finding) string {
	schema := x.schemas(e.SchemaURL)
	if schema == nil || schema.Not == nil {
		return "is not allowed"
	}
	if all := schema.Not.Required; len(all) > 0 {
		switch names := x.visible(e, all); {
		case len(names) == 0:
			return ""
		case len(all) == 1 || len(names) == 1:
			return list(names) + " must not be given"
		default:
			return list(names) + " must not be given together"
		}
	}
	if excluded := describe(schema.Not, 0); excluded != "" {
		return "expected anything but " + excluded + x.got(e)
	}
	return "is not allowed"
}

// choices lists what the named alternatives of a oneOf ask for.
func (x *explainer) choices(e finding, fitting []int) string {
	schema := x.schemas(e.SchemaURL)
	if schema == nil {
		return ""
	}
	var asked []string
	for _, i := range fitting {
		if i < len(schema.OneOf) {
			if s := x.demand(e, schema.OneOf[i]); s != "" {
				asked = append(asked, s)
			}
		}
	}
	if len(asked) == 0 {
		return ""
	}
	return ": " + strings.Join(asked, ", or ")
}

// demand says in a few words what an alternative is.
func (x *explainer) demand(e finding, s *jsonschema.Schema) string {
	for s.Ref != nil && len(s.Required) == 0 && s.Properties == nil {
		s = s.Ref
	}
	if len(s.Required) > 0 {
		return strings.Join(clipped(x.visible(e, s.Required), 6), " and ")
	}
	return describe(s, 0)
}
