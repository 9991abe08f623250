package args

import (
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// location is where the schema lives for the validator. Nothing is fetched
// from there.
const location = "https://tool.invalid/schema"

// checker checks arguments against a compiled schema. It is read only and may
// be used by several goroutines at once.
type checker struct {
	schema *jsonschema.Schema
	weight int    // of the schema, per value; 0 if it has to be weighed per call
	quick  *quick // for what is plainly valid; nil where the schema is not for it
	index  func() map[string]*jsonschema.Schema
}

// find returns the part of the schema that a finding of the validator names.
func (c *checker) find(url string) *jsonschema.Schema { return c.index()[url] }

// explainer returns one for what the check of v finds.
func (c *checker) explainer(v *value) explainer {
	return explainer{args: v, schemas: c.find, left: maxFindings}
}

// checkerOf compiles a schema, or tells why it cannot be checked. It is where
// every schema of a server is compiled, of arguments and of results.
func checkerOf(raw string) (*checker, string) {
	c, err := compile(raw)
	if err != nil {
		return nil, clip(strings.ReplaceAll(err.Error(), location, ""), maxFault)
	}
	return c, ""
}

// compile prepares a schema. The error says why it cannot be checked.
func compile(raw string) (c *checker, err error) {
	defer func() {
		if p := recover(); p != nil { // the validator's, on a schema it did not foresee
			c, err = nil, fmt.Errorf("the validator failed: %v", p)
		}
	}()
	root, err := admit(raw)
	if err != nil {
		return nil, err
	}
	var first error
	p := patterns{left: maxInstructions}
	for _, draft := range drafts(root) {
		schema, err := compileAs(root, draft, &p)
		if err == nil {
			c, err := newChecker(schema)
			if c != nil {
				c.quick = newQuick(root)
			}
			return c, err
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// drafts returns the drafts to try: the one the schema names, or the current
// one, and then those whose keywords schemas use without saying so.
func drafts(root *value) []*jsonschema.Draft {
	named := ""
	if dialect := root.get("$schema"); dialect != nil {
		named = dialect.str()
	}
	order := []*jsonschema.Draft{jsonschema.Draft2020, jsonschema.Draft7, jsonschema.Draft4}
	for mark, draft := range map[string]*jsonschema.Draft{
		"draft-04": jsonschema.Draft4, "draft-06": jsonschema.Draft6, "draft-07": jsonschema.Draft7, "2019-09": jsonschema.Draft2019,
	} {
		if strings.Contains(named, mark) {
			return append([]*jsonschema.Draft{draft}, order...)
		}
	}
	return order
}

// compileAs compiles a schema under the rules of a draft. References are
// resolved within the schema and the drafts' own schemas, and never fetched.
// Formats are remarks.
func compileAs(root *value, draft *jsonschema.Draft, p *patterns) (*jsonschema.Schema, error) {
	doc := p.tidy(root.plain(), true)
	switch s := doc.(type) {
	case map[string]any:
		s["$schema"] = draft.String()
	case bool:
	default:
		doc = true // no schema at all
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(offline{})
	c.UseRegexpEngine(p.compile)
	c.DefaultDraft(draft)
	for _, name := range formats {
		c.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(any) error { return nil }})
	}
	if err := c.AddResource(location, doc); err != nil {
		return nil, err
	}
	return c.Compile(location)
}

// formats are those the validator would check.
var formats = []string{"json-pointer", "relative-json-pointer", "uuid", "duration", "period", "ipv4", "ipv6", "hostname", "email", "date", "time",
	"date-time", "uri", "iri", "uri-reference", "iri-reference", "uri-template", "semver"}

// offline refuses to load schemas from elsewhere.
type offline struct{}

func (offline) Load(url string) (any, error) {
	return nil, errors.New("schemas are not fetched")
}

// check returns what is wrong with an object, as the validator says it. It
// returns nil as well where the check would take too long, see weigh: the
// server is then left to judge.
func (c *checker) check(v *value) (fault *jsonschema.ValidationError) {
	if !c.affords(v) || c.quick.accepts(v) {
		return nil
	}
	defer func() {
		if recover() != nil { // the validator's; without a verdict there is no fault
			fault = nil
		}
	}()
	if err := c.schema.Validate(v.plain()); err != nil {
		errors.As(err, &fault)
	}
	return fault
}
