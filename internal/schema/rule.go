package schema

import (
	"encoding/json"
	"fmt"
	"strings"
)

// ruleKind describes a keyword that constrains or annotates a single value.
type ruleKind struct {
	name  string
	kinds kinds              // the types it says something about; 0 for all
	valid func(v any) bool   // whether a validator of draft 2020-12 takes v
	say   func(v any) string // the keyword as a sentence
}

// ruleKinds lists the keywords in the order in which they are said.
var ruleKinds = []ruleKind{
	{"format", kindsScalar, isText, sayText("Format: %s.")},
	{"pattern", kindString, isText, sayText("Must match the pattern %s")},
	{"minLength", kindString, isCount, sayCount("At least %s character%s.")},
	{"maxLength", kindString, isCount, sayCount("At most %s character%s.")},
	{"minimum", kindsNumeric, isNumber, sayValue("Minimum: %s.")},
	{"exclusiveMinimum", kindsNumeric, isNumber, sayValue("Greater than %s.")},
	{"maximum", kindsNumeric, isNumber, sayValue("Maximum: %s.")},
	{"exclusiveMaximum", kindsNumeric, isNumber, sayValue("Less than %s.")},
	{"multipleOf", kindsNumeric, isPositive, sayValue("A multiple of %s.")},
	{"minItems", kindArray, isCount, sayCount("At least %s item%s.")},
	{"maxItems", kindArray, isCount, sayCount("At most %s item%s.")},
	{"uniqueItems", kindArray, isTrue, sayAlways("Items must be unique.")},
	{"minProperties", kindObject, isCount, sayCount("At least %s field%s.")},
	{"maxProperties", kindObject, isCount, sayCount("At most %s field%s.")},
	{"contentEncoding", kindString, isText, sayText("Encoding: %s.")},
	{"contentMediaType", kindString, isText, sayText("Media type: %s.")},
	{"default", 0, isAny, sayValue("Default: %s.")},
	{"examples", 0, isList, sayList("Examples: %s.")},
	{"deprecated", 0, isTrue, sayAlways("Deprecated.")},
	{"readOnly", 0, isTrue, sayAlways("Read-only.")},
	{"writeOnly", 0, isTrue, sayAlways("Write-only.")},
}

func ruleKindOf(name string) *ruleKind {
	for i := range ruleKinds {
		if ruleKinds[i].name == name {
			return &ruleKinds[i]
		}
	}
	return nil
}

func isAny(any) bool { return true }

func isTrue(v any) bool { return v == true }

func isText(v any) bool { s, ok := v.(string); return ok && s != "" }

func isNumber(v any) bool { _, ok := v.(json.Number); return ok }

func isPositive(v any) bool {
	n, _ := v.(json.Number)
	digits, _, _ := strings.Cut(strings.ToLower(n.String()), "e")
	return !strings.HasPrefix(digits, "-") && strings.ContainsAny(digits, "123456789")
}

func isCount(v any) bool {
	n, ok := v.(json.Number)
	return ok && !strings.ContainsAny(n.String(), "-.eE")
}

func isList(v any) bool { l, ok := v.(*list); return ok && len(l.items) > 0 }

func sayAlways(sentence string) func(any) string {
	return func(any) string { return sentence }
}

func sayText(format string) func(any) string {
	return func(v any) string { return fmt.Sprintf(format, oneLine(cutText(v.(string), maxValueLen))) }
}

func sayValue(format string) func(any) string {
	return func(v any) string { return fmt.Sprintf(format, valueText(v, maxValueLen)) }
}

func sayList(format string) func(any) string {
	return func(v any) string {
		items := v.(*list).items
		return fmt.Sprintf(format, valuesText(items[:min(len(items), 3)], maxValueLen))
	}
}

func sayCount(format string) func(any) string {
	return func(v any) string {
		count, plural := v.(json.Number).String(), "s"
		if count == "1" {
			plural = ""
		}
		return fmt.Sprintf(format, count, plural)
	}
}

// valuesText lists values, separated by commas.
func valuesText(values []any, max int) string {
	var b strings.Builder
	for i, v := range values {
		if i > 0 {
			b.WriteString(", ")
		}
		if b.Len() > max {
			b.WriteString("…")
			break
		}
		b.WriteString(valueText(v, max))
	}
	return cutText(b.String(), max)
}

// readRules reads the keywords of ruleKinds. A keyword whose value no validator
// would take is said in words, because somebody meant something by it.
func (n *node) readRules(o *object) {
	for _, kind := range ruleKinds {
		v, ok := o.get(kind.name)
		if !ok || v == nil || v == false {
			continue // a default of null means that there is none
		}
		if strings.HasPrefix(kind.name, "exclusive") && v == true {
			continue // draft 4, see readBounds
		}
		if !kind.valid(v) {
			n.fact(fmt.Sprintf("%s: %s.", kind.name, valueText(v, maxValueLen)))
			continue
		}
		n.setRule(kind.name, v)
	}
	n.readOldBounds(o)
	if v, ok := o.get("example"); ok && v != nil {
		if _, has := n.rule("examples"); !has {
			n.setRule("examples", &list{items: []any{v}})
		}
	}
}

// readOldBounds brings the spellings of older drafts to today's.
func (n *node) readOldBounds(o *object) {
	for _, end := range []string{"inimum", "aximum"} {
		from, to := "m"+end, "exclusiveM"+end
		if v, ok := n.rule(from); ok && o.values[to] == true {
			n.dropRule(from)
			n.setRule(to, v)
		}
	}
	if v, ok := o.values["divisibleBy"].(json.Number); ok && isPositive(v) {
		n.setRule("multipleOf", v)
	}
}

// Bounds above which local model servers, which compile a schema into a
// grammar, give up.
const (
	maxGrammarCount   = 1_000
	maxGrammarPattern = 500
)

// portableRule says whether every provider that knows the keyword takes its
// value too.
func portableRule(name string, v any) bool {
	switch name {
	case "pattern":
		_, ok := portablePattern(v.(string))
		return ok
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		n, err := v.(json.Number).Int64()
		return err == nil && n <= maxGrammarCount
	case "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf":
		_, err := v.(json.Number).Float64()
		return err == nil && len(v.(json.Number)) <= 40 // others overflow where numbers are floats
	case "default", "examples":
		return len(valueText(v, 2*maxValueLen)) <= maxValueLen && !strings.Contains(valueText(v, 2*maxValueLen), "…")
	}
	return true
}

// portableValue is a value that portableRule allows as it is shown.
func portableValue(name string, v any) any {
	if name == "pattern" {
		v, _ = portablePattern(v.(string))
	}
	return plain(v)
}
