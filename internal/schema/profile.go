package schema

import (
	"regexp"
	"slices"
	"strings"
)

// Profile is what one family of model providers accepts as parameters. The
// zero Profile is Portable. Profiles are comparable, and safe for concurrent
// use.
//
// Each profile is a set of rules in a file of its own; adding one touches no
// other file.
type Profile struct{ own *rules }

// rules say what a provider accepts. The zero rules accept nothing but plain
// types, descriptions, properties and items.
type rules struct {
	// name is what String gives.
	name string

	// packages are the LangChainGo packages, below llms/, whose models take
	// this profile.
	packages []string

	// tools is how many tools one request may carry; 0 is no known limit.
	tools int

	// verbatim shows the schema as it was sent; no other rule counts.
	verbatim bool

	// strict asks for every property to be required and every object closed. A
	// schema that cannot be said so is shown by the rules of otherwise.
	strict    bool
	otherwise Profile

	// depth is how many levels of objects and arrays may be nested, the root
	// included.
	depth int

	// key is the form of property names; nil allows all of at most 200
	// characters. Others are renamed, to letters, digits and _.
	key *regexp.Regexp

	// unions allows anyOf below the root and lists of types.
	unions bool

	// typed asks for one type on every property. A value of several types, of
	// any type, or an object of any form is then described as JSON text.
	typed bool

	// nullable marks with the keyword of that name that null is allowed.
	nullable bool

	// extras allows additionalProperties.
	extras bool

	// textEnums allows enum for non-empty strings only.
	textEnums bool

	// keywords lists what is kept of the keywords of ruleKinds, formats the
	// values of format among them; nil formats allow all.
	keywords []string
	formats  []string

	// echo says in words too what is kept: LangChainGo's Google providers send
	// neither enum nor nullable.
	echo bool
}

var registry []Profile

// register makes a profile of rules.
func register(r rules) Profile {
	p := Profile{&r}
	registry = append(registry, p)
	return p
}

// Profiles gives every profile, ordered by name.
func Profiles() []Profile {
	all := slices.Clone(registry)
	slices.SortFunc(all, func(a, b Profile) int { return strings.Compare(a.String(), b.String()) })
	return all
}

// ProfileByName finds a profile by the name String gives.
func ProfileByName(name string) (Profile, bool) {
	for _, p := range registry {
		if p.own.name == name {
			return p, true
		}
	}
	return Profile{}, false
}

// ProfileForPackage finds the profile for the models of a LangChainGo package,
// such as github.com/tmc/langchaingo/llms/googleai or a package below it. It is
// Portable, false for a package that no profile names.
func ProfileForPackage(path string) (Profile, bool) {
	_, below, ok := strings.Cut(path, "/llms/")
	found, length := Portable, 0
	for _, p := range registry {
		for _, name := range p.own.packages {
			if ok && len(name) > length && (below == name || strings.HasPrefix(below, name+"/")) {
				found, length = p, len(name)
			}
		}
	}
	return found, length > 0
}

// String gives the profile's name, such as "portable".
func (p Profile) String() string { return p.rules().name }

// MaxTools is how many tools one request may carry, 0 where no limit is known.
func (p Profile) MaxTools() int { return p.rules().tools }

func (p Profile) rules() *rules {
	if p.own == nil {
		return Portable.own
	}
	return p.own
}

var anyKey = regexp.MustCompile(`^[\s\S]{1,200}$`)

// keyAllowed says whether a property may be named so.
func (r *rules) keyAllowed(name string) bool {
	if r.key == nil {
		return anyKey.MatchString(name)
	}
	return r.key.MatchString(name)
}

// keeps says whether a keyword with this value is accepted.
func (r *rules) keeps(name string, v any) bool {
	if !slices.Contains(r.keywords, name) || !portableRule(name, v) {
		return false
	}
	return name != "format" || r.formats == nil || slices.Contains(r.formats, v.(string))
}
