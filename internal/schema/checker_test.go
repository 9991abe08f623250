package schema_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mcptoolset/mcptoolset/internal/schema"
)

// A checker says what a provider would refuse in parameters. The checkers are
// written from the providers' rules and know nothing of the converter; they
// read the parameters as the provider would, from JSON.
type checker func(params map[string]any) []string

var checkers = map[string]checker{
	"verbatim":      checkRoot,
	"openai":        checkOpenAI,
	"openai-strict": checkOpenAI, // and checkStrict where strict was claimed
	"anthropic":     checkAnthropic,
	"gemini":        checkGemini,
	"vertex":        checkVertex,
	"portable":      checkPortable,
}

// problems runs the checker of p over what was shown.
func problems(p schema.Profile, s schema.Shown) []string {
	raw, err := json.Marshal(s.Parameters)
	if err != nil {
		return []string{"does not marshal: " + err.Error()}
	}
	params, err := decoded(raw)
	if err != nil {
		return []string{"does not unmarshal: " + err.Error()}
	}
	check, ok := checkers[p.String()]
	if !ok {
		return []string{"profile " + p.String() + " has no checker"}
	}
	found := check(params)
	if p != schema.Verbatim {
		found = append(found, checkDraft(params)...)
	}
	if s.Strict {
		found = append(found, checkStrict(params)...)
	}
	if limit := 300 << 10; p != schema.Verbatim && len(raw) > limit {
		found = append(found, fmt.Sprintf("%d bytes", len(raw)))
	}
	for _, note := range s.Notes {
		if note == "" || strings.ContainsAny(note, "\n\r") || len(note) > 8_000 {
			found = append(found, fmt.Sprintf("note %.80q", note))
		}
	}
	return found
}

func decoded(raw []byte) (map[string]any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var m map[string]any
	return m, dec.Decode(&m)
}

// place is one schema within parameters.
type place struct {
	path  string
	s     map[string]any
	depth int // objects and arrays around it and itself
}

// places lists every schema in params; others are reported as problems.
func places(params map[string]any) (all []place, bad []string) {
	var walk func(path string, v any, depth int)
	walk = func(path string, v any, depth int) {
		s, ok := v.(map[string]any)
		if !ok {
			bad = append(bad, fmt.Sprintf("%s is no object but %T", path, v))
			return
		}
		if s["type"] == "object" || s["type"] == "array" || hasAny(s["type"], "object", "array") {
			depth++
		}
		all = append(all, place{path, s, depth})
		if props, has := s["properties"]; has {
			m, ok := props.(map[string]any)
			if !ok {
				bad = append(bad, path+"/properties is no object")
			}
			for name, p := range m {
				walk(path+"/"+name, p, depth)
			}
		}
		if items, has := s["items"]; has {
			walk(path+"/items", items, depth)
		}
		if extra, has := s["additionalProperties"]; has {
			if _, isBool := extra.(bool); !isBool {
				walk(path+"/*", extra, depth)
			}
		}
		if alts, has := s["anyOf"]; has {
			list, ok := alts.([]any)
			if !ok || len(list) == 0 {
				bad = append(bad, path+"/anyOf is no list of schemas")
			}
			for i, a := range list {
				walk(fmt.Sprintf("%s/anyOf/%d", path, i), a, depth)
			}
		}
	}
	walk("", params, 0)
	return all, bad
}

func hasAny(list any, names ...string) bool {
	types, _ := list.([]any)
	for _, t := range types {
		if s, ok := t.(string); ok && slices.Contains(names, s) {
			return true
		}
	}
	return false
}

// checkRoot holds for every provider.
func checkRoot(params map[string]any) []string {
	var bad []string
	if params["type"] != "object" {
		bad = append(bad, "root is not of type object")
	}
	if _, ok := params["properties"].(map[string]any); !ok {
		bad = append(bad, "root has no properties")
	}
	return bad
}

var jsonTypes = []string{"string", "integer", "number", "boolean", "object", "array", "null"}

// metaschema is JSON Schema of draft 2020-12.
var metaschema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	return jsonschema.NewCompiler().Compile("https://json-schema.org/draft/2020-12/schema")
})

// checkDraft asks for JSON Schema of draft 2020-12.
func checkDraft(params map[string]any) []string {
	meta, err := metaschema()
	if err == nil {
		err = meta.Validate(params)
	}
	if err != nil {
		return []string{err.Error()}
	}
	return nil
}

// checkValid asks for nothing but the given keywords, no union at the root,
// properties on objects only and required fields that exist.
func checkValid(params map[string]any, keywords ...string) []string {
	bad := checkRoot(params)
	for _, key := range []string{"anyOf", "oneOf", "allOf", "not", "enum"} {
		if _, has := params[key]; has {
			bad = append(bad, key+" at the root")
		}
	}
	all, more := places(params)
	bad = append(bad, more...)
	for _, p := range all {
		for key := range p.s {
			if !slices.Contains(keywords, key) {
				bad = append(bad, fmt.Sprintf("%s has keyword %s", p.path, key))
			}
		}
		bad = append(bad, checkNode(p)...)
	}
	return bad
}

func checkNode(p place) []string {
	var bad []string
	types := []string{}
	switch t := p.s["type"].(type) {
	case string:
		types = append(types, t)
	case []any:
		for _, name := range t {
			types = append(types, fmt.Sprint(name))
		}
	}
	for _, t := range types {
		if !slices.Contains(jsonTypes, t) {
			bad = append(bad, fmt.Sprintf("%s has type %s", p.path, t))
		}
	}
	_, hasProps := p.s["properties"]
	_, hasRequired := p.s["required"]
	_, hasItems := p.s["items"]
	object, array := slices.Contains(types, "object"), slices.Contains(types, "array")
	if object != hasProps || hasRequired && !object {
		bad = append(bad, fmt.Sprintf("%s: type %v, properties %t, required %t", p.path, types, hasProps, hasRequired))
	}
	if array != hasItems {
		bad = append(bad, fmt.Sprintf("%s: type %v, items %t", p.path, types, hasItems))
	}
	if enum, has := p.s["enum"]; has {
		if list, ok := enum.([]any); !ok || len(list) == 0 {
			bad = append(bad, p.path+" has an empty enum")
		}
	}
	if required, has := p.s["required"]; has {
		props, _ := p.s["properties"].(map[string]any)
		for _, name := range required.([]any) {
			if _, ok := props[name.(string)]; !ok {
				bad = append(bad, fmt.Sprintf("%s requires %s, which it does not have", p.path, name))
			}
		}
	}
	if text, has := p.s["description"]; has {
		if s, ok := text.(string); !ok || len([]rune(s)) > 4_200 || s == "" {
			bad = append(bad, p.path+" has a bad description")
		}
	}
	return bad
}

// lookaround is what OpenAI refuses in a pattern, and oddEscape what llama.cpp
// makes no grammar of.
var (
	lookaround = regexp.MustCompile(`\(\?[=!<]|\\[1-9]`)
	oddEscape  = regexp.MustCompile(`\\[^nrt^$.\[\]()|{}*+?\\]`)
)

func checkOpenAI(params map[string]any) []string {
	bad := checkValid(params, "type", "description", "properties", "required", "additionalProperties", "items", "anyOf", "enum",
		"format", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
		"minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "default", "examples")
	all, _ := places(params)
	for _, p := range all {
		if p.depth > 10 {
			bad = append(bad, fmt.Sprintf("%s is at depth %d", p.path, p.depth))
		}
		pattern, _ := p.s["pattern"].(string)
		anchored := strings.HasPrefix(pattern, "^") && strings.HasSuffix(pattern, "$")
		if _, err := regexp.Compile(pattern); err != nil || pattern != "" && !anchored || lookaround.MatchString(pattern) || oddEscape.MatchString(pattern) {
			bad = append(bad, fmt.Sprintf("%s has pattern %s", p.path, pattern))
		}
		for _, key := range []string{"minLength", "maxLength", "minItems", "maxItems"} {
			if n, ok := p.s[key].(json.Number); ok && len(n) > 4 {
				bad = append(bad, fmt.Sprintf("%s has %s %s", p.path, key, n))
			}
		}
	}
	return bad
}

// strictFormats and the keywords below are those OpenAI documents for strict.
var strictFormats = []string{"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}

func checkStrict(params map[string]any) []string {
	bad := checkValid(params, "type", "description", "properties", "required", "additionalProperties", "items", "anyOf", "enum",
		"format", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems")
	all, _ := places(params)
	fields, values, size := 0, 0, 0
	for _, p := range all {
		_, typed := p.s["type"]
		_, union := p.s["anyOf"]
		if typed == union {
			bad = append(bad, fmt.Sprintf("%s: type %t, anyOf %t", p.path, typed, union))
		}
		if f, has := p.s["format"]; has && !slices.Contains(strictFormats, f.(string)) {
			bad = append(bad, fmt.Sprintf("%s has format %s", p.path, f))
		}
		if props, ok := p.s["properties"].(map[string]any); ok {
			required, _ := p.s["required"].([]any)
			if p.s["additionalProperties"] != false || required == nil || len(required) != len(props) {
				bad = append(bad, p.path+" is not closed or leaves fields optional")
			}
			fields += len(props)
			for name := range props {
				size += len(name)
			}
		}
		enum, _ := p.s["enum"].([]any)
		values += len(enum)
		sum := 0
		for _, v := range enum {
			s, _ := v.(string)
			sum += len(s)
		}
		size += sum
		if len(enum) > 250 && sum > 15_000 {
			bad = append(bad, p.path+" has too long an enum")
		}
	}
	if fields > 5_000 || values > 1_000 || size > 120_000 {
		bad = append(bad, fmt.Sprintf("%d fields, %d values, %d characters", fields, values, size))
	}
	return bad
}

var anthropicKey = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)

func checkKeys(params map[string]any, form *regexp.Regexp) []string {
	var bad []string
	all, _ := places(params)
	for _, p := range all {
		props, _ := p.s["properties"].(map[string]any)
		for name := range props {
			if !form.MatchString(name) {
				bad = append(bad, fmt.Sprintf("%s has a field named %q", p.path, name))
			}
		}
	}
	return bad
}

func checkAnthropic(params map[string]any) []string {
	bad := checkValid(params, "type", "description", "properties", "required", "additionalProperties", "items", "anyOf", "enum",
		"format", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
		"minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "default", "examples")
	return append(bad, checkKeys(params, anthropicKey)...)
}

var geminiKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

func checkGemini(params map[string]any) []string {
	bad := checkValid(params, "type", "description", "properties", "required", "items", "enum", "nullable", "format")
	bad = append(bad, checkKeys(params, geminiKey)...)
	all, _ := places(params)
	for _, p := range all {
		name, single := p.s["type"].(string)
		anyItem := strings.HasSuffix(p.path, "/items") && len(p.s) == 0
		if !anyItem && (!single || name == "null") {
			bad = append(bad, fmt.Sprintf("%s has type %v", p.path, p.s["type"]))
		}
		if props, ok := p.s["properties"].(map[string]any); ok && len(props) == 0 && p.path != "" {
			bad = append(bad, p.path+" is an object without properties")
		}
		if p.depth > 4 {
			bad = append(bad, fmt.Sprintf("%s is at depth %d", p.path, p.depth))
		}
		enum, _ := p.s["enum"].([]any)
		for _, v := range enum {
			if s, ok := v.(string); !ok || s == "" || name != "string" {
				bad = append(bad, fmt.Sprintf("%s of type %v has the value %v", p.path, name, v))
			}
		}
	}
	return bad
}

// checkVertex knows that LangChainGo's vertex package sends the root's
// properties without items and properties of their own.
func checkVertex(params map[string]any) []string {
	bad := append(checkPortable(params), langchainVertex(params)...)
	for name, p := range params["properties"].(map[string]any) {
		if t := p.(map[string]any)["type"]; t == "object" || t == "array" {
			bad = append(bad, fmt.Sprintf("%s is of type %s", name, t))
		}
	}
	return bad
}

// checkPortable asks for what every provider takes.
func checkPortable(params map[string]any) []string {
	var bad []string
	for _, check := range []checker{checkGemini, checkOpenAI, checkAnthropic, langchainGoogleAI, langchainVertex} {
		bad = append(bad, check(params)...)
	}
	all, _ := places(params)
	for _, p := range all {
		if _, has := p.s["nullable"]; has {
			bad = append(bad, p.path+" is nullable, which JSON Schema does not know")
		}
	}
	return bad
}

// langchainGoogleAI refuses what the converter of LangChainGo's googleai
// package refuses, at every level.
func langchainGoogleAI(params map[string]any) []string {
	var bad []string
	all, more := places(params)
	for _, p := range all {
		for _, key := range []string{"type", "description"} {
			if v, has := p.s[key]; has {
				if _, ok := v.(string); !ok {
					bad = append(bad, fmt.Sprintf("%s: %s is no string", p.path, key))
				}
			}
		}
	}
	return append(bad, more...)
}

// langchainVertex refuses what the converter of the vertex package refuses.
func langchainVertex(params map[string]any) []string {
	var bad []string
	props, ok := params["properties"].(map[string]any)
	if !ok {
		return []string{"no map of properties"}
	}
	for name, p := range props {
		m, ok := p.(map[string]any)
		if !ok || m["type"] == nil {
			bad = append(bad, name+" is no typed property")
		}
	}
	return bad
}
