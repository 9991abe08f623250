package args

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// describe says in a few words what a schema allows, "" if that takes more.
func describe(s *jsonschema.Schema, hops int) string {
	switch {
	case s == nil || hops > 4:
		return ""
	case s.Const != nil:
		return show(*s.Const)
	case s.Enum != nil:
		return oneOf(s.Enum.Values)
	case s.Types != nil && !s.Types.IsEmpty():
		return strings.Join(s.Types.ToStrings(), " or ")
	case s.Ref != nil:
		return describe(s.Ref, hops+1)
	}
	var words []string
	for _, part := range slices.Concat(s.AnyOf, s.OneOf) {
		if one := describe(part, hops+1); one != "" && !slices.Contains(words, one) && len(words) < 6 {
			words = append(words, one)
		}
	}
	return strings.Join(words, " or ")
}

// oneOf lists allowed values.
func oneOf(values []any) string {
	const most = 20
	if len(values) == 1 {
		return show(values[0])
	}
	var b strings.Builder
	b.WriteString("one of ")
	for i, v := range values {
		s := show(v)
		if i == most || b.Len()+len(s) > 280 {
			fmt.Fprintf(&b, ", … (%d in all)", len(values))
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(s)
	}
	return b.String()
}

// show writes a value of a schema, shortened.
func show(v any) string {
	if s, ok := v.(string); ok {
		return strconv.Quote(clip(s, 60))
	}
	b, err := json.Marshal(v)
	if err != nil {
		return "a value"
	}
	return clip(string(b), 60)
}

// decimal writes a number of a schema.
func decimal(r *big.Rat) string {
	digits, _ := r.FloatPrec() // exact: it was written as a decimal
	return clip(r.FloatString(digits), 40)
}

func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// list joins names.
func list(names []string) string { return strings.Join(clipped(names, 12), ", ") }

func clipped(names []string, most int) []string {
	var out []string
	for i, name := range names {
		if i == most {
			return append(out, fmt.Sprintf("… (%d in all)", len(names)))
		}
		out = append(out, clip(name, 60))
	}
	return out
}
