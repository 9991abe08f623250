package args

import (
	"encoding/json"
	"math"
	"math/big"
)

// The keywords whose values are schemas, alone, in a list or under names.
var (
	schemaKeywords = []string{"additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not",
		"propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"}
	listKeywords = []string{"allOf", "anyOf", "items", "oneOf", "prefixItems"}
	mapKeywords  = []string{"$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"}
)

// Keywords that hold a count.
var countKeywords = []string{"maxContains", "maxItems", "maxLength", "maxProperties", "minContains", "minItems", "minLength", "minProperties"}

// Keywords that say something about a schema but demand nothing of a value,
// with what they have to be.
var remarks = map[string]func(any) bool{
	"title": isString, "description": isString, "$comment": isString, "format": isString,
	"readOnly": isBool, "writeOnly": isBool, "deprecated": isBool, "examples": isList,
}

func isString(v any) bool { _, ok := v.(string); return ok }
func isBool(v any) bool   { _, ok := v.(bool); return ok }
func isList(v any) bool   { _, ok := v.([]any); return ok }

// tidy removes from a decoded schema what would keep the validator from
// reading the rest although it demands nothing, or nothing anybody could
// check: remarks of a wrong type, keywords that are null, types nobody knows,
// conditions on names that match a pattern Go cannot match. It changes
// schema and may return another value in its place.
func (p *patterns) tidy(schema any, root bool) any {
	s, ok := schema.(map[string]any)
	if !ok {
		return schema
	}
	for keyword, v := range s {
		if valid, ok := remarks[keyword]; v == nil && keyword != "const" && keyword != "default" || ok && !valid(v) {
			delete(s, keyword)
		}
	}
	if !root {
		delete(s, "$schema")
	}
	tidyType(s)
	tidyCounts(s)
	p.tidyParts(s)
	return s
}

// tidyParts goes on with the schemas inside of s.
func (p *patterns) tidyParts(s map[string]any) {
	for _, keyword := range schemaKeywords {
		if part, ok := s[keyword]; ok {
			s[keyword] = p.tidy(part, false)
		}
	}
	for _, keyword := range listKeywords {
		list, _ := s[keyword].([]any)
		for i := range list {
			list[i] = p.tidy(list[i], false)
		}
	}
	for _, keyword := range mapKeywords {
		named, _ := s[keyword].(map[string]any)
		for name, part := range named {
			named[name] = p.tidy(part, false)
			if keyword == "patternProperties" && !p.matchable(name) {
				named[name] = true
			}
		}
	}
}

// matchable reports whether a pattern can be matched at all.
func (p *patterns) matchable(source string) bool {
	compiled, _ := p.compile(source)
	return compiled.(*pattern).re != nil
}

// tidyType removes a type nobody knows, "decimal" or "any": such a value may
// be anything.
func tidyType(s map[string]any) {
	switch t := s["type"].(type) {
	case string:
		if _, ok := typeNames[t]; !ok {
			delete(s, "type")
		}
	case []any:
		for _, one := range t {
			name, ok := one.(string)
			if _, known := typeNames[name]; ok && !known {
				delete(s, "type")
				return
			}
		}
	}
}

// tidyCounts lowers counts beyond what an int holds, which the validator would
// take for negative ones.
func tidyCounts(s map[string]any) {
	for _, keyword := range countKeywords {
		n, ok := s[keyword].(json.Number)
		if !ok {
			continue
		}
		if r, ok := new(big.Rat).SetString(n.String()); ok && r.Cmp(big.NewRat(math.MaxInt64, 1)) > 0 {
			s[keyword] = json.Number("9223372036854775807")
		}
	}
}
