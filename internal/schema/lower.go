package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	noteCut        = "Parts of the schema are left out because it is too large."
	noteUnreadable = "The server's schema cannot be read, so its arguments are not known."
)

// limits bound the size of what is shown. A schema that is too large by one
// set of limits is shown by the next.
type limits struct {
	nodes int // nodes of the normal form
	text  int // characters of one description
	enum  int // characters of one enum
}

var allLimits = []limits{{maxNodes, maxTextLen, 15_000}, {1_000, 800, 3_000}, {300, 800, 800}, {24, 800, 300}}

// maxShownBytes is how long Parameters may be as JSON.
const maxShownBytes = 256 << 10

// lowering writes a node by the rules of a profile.
type lowering struct {
	rules  *rules
	limits limits
	keys   map[string]string
	loose  bool // the strict rules cannot say the schema
	size   int  // characters written, roughly
	values int  // allowed values written
	chars  int  // characters of names and allowed values written
}

// Limits of OpenAI's strict mode over a whole schema. The number of fields is
// below its limit of 5,000 anyway.
const (
	maxStrictValues = 1_000
	maxStrictChars  = 120_000
)

// root writes the schema of a whole argument object.
func (l *lowering) root(n *node) Shown {
	s := Shown{}
	s.Parameters, s.back = l.object(n, 1, "", nil)
	if n.description != "" {
		s.Parameters["description"] = cutText(n.description, l.limits.text)
	}
	for _, rule := range n.rules {
		if !l.keepRule(s.Parameters, n, rule) {
			s.Notes = append(s.Notes, sayRule(rule))
		}
	}
	s.Notes = append(s.Notes, n.facts...)
	s.Notes = append(s.Notes, l.extraFact(n))
	s.Notes = slices.DeleteFunc(s.Notes, func(f string) bool { return f == "" })
	for i, f := range s.Notes {
		s.Notes[i] = oneLine(f)
	}
	s.Keys = l.keys
	l.loose = l.loose || l.values > maxStrictValues || l.chars > maxStrictChars
	s.Strict = l.rules.strict && !l.loose
	return s
}

// node writes any node below the root: the schema, and the way back if the
// arguments will need one. level is how many objects and arrays there would
// be with this one, at the path of the value in the arguments.
func (l *lowering) node(n *node, level int, at string) (map[string]any, *route) {
	if l.full() {
		return map[string]any{}, nil // smaller limits will be tried
	}
	if l.rules.typed {
		return l.typed(n, level, at)
	}
	if len(n.alts) > 0 {
		return l.union(n, level, at)
	}
	return l.single(n, level, at, nil)
}

// full says that more is written than may be shown.
func (l *lowering) full() bool { return l.size > maxShownBytes }

// single writes a node without alternatives by rules that know type lists; for
// shared see object.
func (l *lowering) single(n *node, level int, at string, shared map[string]string) (map[string]any, *route) {
	m := map[string]any{}
	var back *route
	if n.kinds == 0 {
		l.loose = true
	}
	if n.kinds&kindsContainer != 0 && level >= l.rules.depth && height(n) > 1 {
		return l.freeForm(n)
	}
	if n.kinds.has(kindObject) {
		m, back = l.object(n, level, at, shared)
	}
	if n.kinds.has(kindArray) {
		items, itemsBack := l.items(n, level, at)
		m["items"] = items
		back = joinRoutes(back, itemsBack.ofItems())
	}
	if t := typeOf(n.kinds); t != nil {
		m["type"] = t
	}
	said, kept := l.enum(m, n)
	facts := l.dropped(m, n)
	if !kept {
		facts = append([]string{said}, facts...)
	}
	l.describe(m, n, facts)
	return m, back
}

func typeOf(k kinds) any {
	switch names := k.names(); len(names) {
	case 0:
		return nil
	case 1:
		return names[0]
	default:
		types := make([]any, len(names))
		for i, name := range names {
			types[i] = name
		}
		return types
	}
}

// freeForm writes an object or array that is too deep to be spelled out.
func (l *lowering) freeForm(n *node) (map[string]any, *route) {
	l.loose = true
	m := map[string]any{"type": typeOf(n.kinds)}
	if n.kinds.has(kindObject) {
		m["properties"] = map[string]any{}
	}
	if n.kinds.has(kindArray) {
		m["items"] = map[string]any{}
	}
	facts := append([]string{"Form: " + longShape(n, maxShapeLen) + "."}, n.facts...)
	for _, rule := range n.rules {
		facts = append(facts, sayRule(rule))
	}
	l.describe(m, n, facts)
	return m, nil
}

// union writes a node with alternatives as anyOf.
func (l *lowering) union(n *node, level int, at string) (map[string]any, *route) {
	m := map[string]any{}
	shared := renames(fieldNames(n.alts), l.rules)
	var back *route
	var alts []any
	var spelled []*node
	for _, a := range n.alts {
		alt, altBack := l.single(a, level, at, shared)
		alts = append(alts, alt)
		back = joinRoutes(back, altBack)
		if len(alt) > 0 {
			spelled = append(spelled, a)
		}
	}
	if len(spelled) < len(n.alts) { // one came out as anything, so that all is allowed
		l.describe(m, n, append(n.facts, forInstance(spelled)...))
		return m, back
	}
	if n.kinds.has(kindNull) {
		alts = append(alts, map[string]any{"type": "null"})
	}
	m["anyOf"] = alts
	facts := l.dropped(m, n)
	if n.one && overlap(n.alts) {
		facts = append(facts, "Exactly one of the alternatives must fit.")
	}
	l.describe(m, n, facts)
	return m, back
}

// overlap says whether one value might fit several alternatives, by its type.
func overlap(alts []*node) bool {
	var seen kinds
	for _, a := range alts {
		k := a.reach()
		if k == 0 || seen&k != 0 {
			return true
		}
		seen |= k
	}
	return false
}

// fieldNames lists the fields of all objects among alternatives.
func fieldNames(alts []*node) []string {
	var names []string
	for _, a := range alts {
		for _, p := range a.props {
			names = append(names, p.name)
		}
	}
	return names
}

// object writes an object with its fields. The new names of fields are given
// where they are shared with other alternatives.
func (l *lowering) object(n *node, level int, at string, shared map[string]string) (map[string]any, *route) {
	if shared == nil {
		shared = renames(fieldNames([]*node{n}), l.rules)
	}
	props := map[string]any{}
	back := &route{}
	var optional []string
	for _, p := range n.props {
		shown := p.name
		if name, renamed := shared[p.name]; renamed {
			shown = name
			l.renamed(at+"/"+escapePointer(shown), p.name)
			back.rename(shown, p.name)
		}
		field, fieldBack := l.node(p.node, level+1, at+"/"+escapePointer(shown))
		if shown != p.name {
			l.append(field, []string{fmt.Sprintf("The server's name for it is %s.", quote(cutText(p.name, 100)))})
		}
		back.field(shown, fieldBack)
		if l.rules.strict && !n.requires(p.name) {
			optional = append(optional, shown)
			if allowNull(field) {
				back.dropNull(shown)
			}
		}
		props[shown] = field
		l.chars += len(shown)
		l.size += len(shown)
	}
	m := map[string]any{"type": "object", "properties": props}
	if required := requiredNames(n, shared, optional); len(required) > 0 || l.rules.strict {
		m["required"] = required
	}
	if back.rest = l.extras(m, n, level, at); back.rest != nil {
		for shown := range props {
			back.known(shown)
		}
	}
	return m, back.orNil()
}

// requiredNames lists the required fields in the server's order, by the names
// shown, and then those that only strict mode requires, in an order that a
// second conversion finds again.
func requiredNames(n *node, shared map[string]string, optional []string) []any {
	names := make([]any, 0, len(n.required)+len(optional))
	for _, name := range n.required {
		if shown, renamed := shared[name]; renamed {
			name = shown
		}
		names = append(names, name)
	}
	slices.Sort(optional)
	for _, name := range optional {
		names = append(names, name)
	}
	return names
}

func (l *lowering) renamed(shown, name string) {
	if l.keys == nil {
		l.keys = map[string]string{}
	}
	l.keys[shown] = name
}

func escapePointer(key string) string {
	return strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
}

// extras writes what is known of fields beyond the named ones, and returns the
// way back for their values.
func (l *lowering) extras(m map[string]any, n *node, level int, at string) *route {
	switch {
	case l.rules.strict:
		l.loose = l.loose || n.open || n.extra != nil || n.sealed || len(n.props) == 0 && !n.closed && level > 1
		m["additionalProperties"] = false
	case !l.rules.extras:
	case n.closed:
		m["additionalProperties"] = false
	case n.extra != nil:
		extra, back := l.node(n.extra, level+1, at+"/*")
		m["additionalProperties"] = extra
		return back
	case n.open:
		m["additionalProperties"] = true
	}
	return nil
}

// extraFact says in words what extras could not.
func (l *lowering) extraFact(n *node) string {
	switch {
	case l.rules.extras || l.rules.strict:
		return ""
	case n.extra != nil:
		return fmt.Sprintf("Further fields may be given, each: %s.", shape(n.extra, maxValueLen))
	case n.open:
		return "Further fields may be given."
	}
	return ""
}

// items writes the items of an array. Where nothing is known of them any item
// is allowed; they are never called strings.
func (l *lowering) items(n *node, level int, at string) (map[string]any, *route) {
	item := n.item()
	if item == nil {
		l.loose = true
		return map[string]any{}, nil
	}
	if l.rules.typed && item.typeName() == "" {
		return map[string]any{}, nil // said in words, see itemsFact
	}
	return l.node(item, level+1, at+"/*")
}

// item is what each item of an array may be, whatever its position. Nil is
// anything.
func (n *node) item() *node {
	if len(n.tuple) == 0 {
		return n.items
	}
	alts := slices.Clone(n.tuple)
	if n.items != nil {
		alts = append(alts, n.items)
	}
	either := &node{finished: true}
	flat, _ := flatten(alts)
	either.gather(flat)
	if either.kinds == 0 && len(either.alts) == 0 {
		return nil
	}
	return either
}

// typeName is the single type of a value, null aside; "" where there are
// several or none is known.
func (n *node) typeName() string { return (n.reach() &^ kindNull).name() }

// mayBeNull says whether null is allowed where a type is declared.
func (n *node) mayBeNull() bool { return n.reach().has(kindNull) || n.kinds.has(kindNull) }

// height is how many levels of objects and arrays n has.
func height(n *node) int {
	h := 0
	below := slices.Clone(n.tuple)
	for _, p := range n.props {
		below = append(below, p.node)
	}
	for _, c := range append(below, n.items, n.extra) {
		if c != nil {
			h = max(h, height(c))
		}
	}
	for _, a := range n.alts {
		h = max(h, height(a)-1)
	}
	if n.reach()&kindsContainer != 0 {
		h++
	}
	return h
}

// enum writes the allowed values, as far as the rules know them, and returns
// the sentence that says them.
func (l *lowering) enum(m map[string]any, n *node) (said string, kept bool) {
	if n.enum == nil {
		return "", false
	}
	values := n.enum
	if l.rules.typed {
		values = slices.DeleteFunc(slices.Clone(values), func(v any) bool { return v == nil })
	}
	if len(values) == 0 {
		return "", false
	}
	said = fmt.Sprintf("Allowed values: %s.", valuesText(values, maxValueLen))
	size := 0
	for _, v := range values {
		text, isText := v.(string)
		if number, ok := v.(json.Number); ok {
			text = number.String()
		}
		size += len(text) + 1
		if l.rules.textEnums && (!isText || text == "") || kindOfValue(v)&kindsContainer != 0 || size > l.limits.enum {
			return said, false
		}
	}
	list := make([]any, len(values))
	copy(list, values)
	m["enum"] = list
	l.values += len(list)
	l.chars += size
	l.size += size
	return said, true
}

// keepRule writes a keyword of n that the rules accept. One that is about values
// of a certain type is written only where there is a type.
func (l *lowering) keepRule(m map[string]any, n *node, r rule) bool {
	if !l.rules.keeps(r.name, r.value) || n.kinds == 0 && ruleKindOf(r.name).kinds != 0 {
		return false
	}
	m[r.name] = portableValue(r.name, r.value)
	return true
}

// dropped writes the keywords of n that the rules accept and says the rest.
func (l *lowering) dropped(m map[string]any, n *node) []string {
	var facts []string
	for _, rule := range n.rules {
		if !l.keepRule(m, n, rule) {
			facts = append(facts, sayRule(rule))
		}
	}
	if len(n.tuple) > 0 && n.kinds.has(kindArray) {
		facts = append(facts, fmt.Sprintf("By position: %s.", shape(&node{kinds: kindArray, tuple: n.tuple, items: n.items}, maxValueLen)))
	}
	return append(append(facts, n.facts...), l.extraFact(n))
}

func sayRule(r rule) string { return ruleKindOf(r.name).say(r.value) }

// describe gives m a description: the server's words, and the facts.
func (l *lowering) describe(m map[string]any, n *node, facts []string) {
	text := n.description
	if text == "" {
		text = n.title
	}
	if text != "" {
		m["description"] = cutText(text, l.limits.text)
	}
	l.append(m, facts)
}

// append adds facts to the description of m.
func (l *lowering) append(m map[string]any, facts []string) {
	text, _ := m["description"].(string)
	if text = l.withFacts(text, facts); text != "" {
		m["description"] = text
		l.size += len(text)
	}
}

// withFacts adds those facts to a text that it does not hold already. Where both
// are too long together the server's words are cut, not the facts.
func (l *lowering) withFacts(text string, facts []string) string {
	var missing []string
	for _, f := range facts {
		if f = oneLine(f); f != "" && !strings.Contains(text, f) && !slices.Contains(missing, f) {
			missing = append(missing, f)
		}
	}
	if len(missing) == 0 {
		return text
	}
	said := cutText(strings.Join(missing, " "), l.limits.text/2)
	if text == "" {
		return said
	}
	room := l.limits.text - utf8.RuneCountInString(said) - 2
	return sentence(cutText(text, room)) + " " + said
}

// allowNull adds null to a written schema; false if it was allowed before.
func allowNull(m map[string]any) bool {
	if alts, ok := m["anyOf"].([]any); ok {
		for _, a := range alts {
			if a.(map[string]any)["type"] == "null" {
				return false
			}
		}
		m["anyOf"] = append(alts, map[string]any{"type": "null"})
		return true
	}
	switch t := m["type"].(type) {
	case string:
		if t == "null" {
			return false
		}
		m["type"] = []any{t, "null"}
	case []any:
		if slices.Contains(t, any("null")) {
			return false
		}
		m["type"] = append(t, "null")
	default:
		return false
	}
	if values, ok := m["enum"].([]any); ok {
		m["enum"] = append(values, nil)
	}
	return true
}

// cost is how many nodes it takes to read a written schema again, see reader. A
// second conversion must have room for all that the first has written.
func cost(m map[string]any) int {
	values, _ := m["enum"].([]any)
	sum := 1 + len(values)/enumPerNode
	props, _ := m["properties"].(map[string]any)
	for _, p := range props {
		sum += cost(p.(map[string]any))
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if below, ok := m[key].(map[string]any); ok {
			sum += cost(below)
		}
	}
	alts, _ := m["anyOf"].([]any)
	for _, a := range alts {
		sum += cost(a.(map[string]any))
	}
	return sum
}

// marshalled is how long a value is as JSON.
func marshalled(v any) int {
	b, _ := json.Marshal(v) // holds only what encoding/json itself produces
	return len(b)
}
