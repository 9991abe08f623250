package resources

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// arguments are those of one call. What they do not have is absent, null, or a
// text of nothing but white space, with which some models fill in what they
// leave out.
type arguments struct {
	members map[string]json.RawMessage
	usage   string
}

func readArguments(raw json.RawMessage, usage string) (arguments, error) {
	a := arguments{usage: usage}
	if len(bytes.TrimSpace(raw)) == 0 {
		return a, nil
	}
	if json.Unmarshal(raw, &a.members) != nil {
		return a, refuse(ErrArguments, "The arguments are not a JSON object. %s", usage)
	}
	return a, nil
}

// text reads a text. A number stands for its digits.
func (a arguments) text(key string) (string, error) {
	raw := a.members[key]
	switch kindOf(raw) {
	case null:
		return "", nil
	case aNumber:
		return string(raw), nil
	case aString:
		s := decoded[string](raw)
		if strings.TrimSpace(s) == "" {
			return "", nil
		}
		return s, nil
	default:
		return "", refuse(ErrArguments, "%s is %s, not a string. %s", key, kindOf(raw), a.usage)
	}
}

// whole reads a whole number from 0 up, 0 where there is none. A text stands
// for the number it spells.
func (a arguments) whole(key string) (int, error) {
	raw := a.members[key]
	digits := string(raw)
	switch kindOf(raw) {
	case null:
		return 0, nil
	case aString:
		if digits = strings.TrimSpace(decoded[string](raw)); digits == "" {
			return 0, nil
		}
	}
	n, ok := wholeNumber(digits)
	if !ok {
		return 0, refuse(ErrArguments, "%s is %s, but must be a whole number from 0 up. %s", key, clip(digits, maxEcho), a.usage)
	}
	return n, nil
}

// wholeNumber reads 5 as well as 5.0 and 5e0.
func wholeNumber(digits string) (int, bool) {
	if n, err := strconv.Atoi(digits); err == nil {
		return n, n >= 0
	}
	const exact = 1 << 53
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil || !(f >= 0 && f <= exact) || f != float64(int64(f)) {
		return 0, false
	}
	return int(f), int64(int(f)) == int64(f)
}

// note names the arguments that are not known and so had no effect.
func (a arguments) note(known ...string) string {
	var unknown []string
	for key := range a.members {
		if !slices.Contains(known, key) {
			unknown = append(unknown, quoted(key))
		}
	}
	if len(unknown) == 0 {
		return ""
	}
	slices.Sort(unknown)
	const most = 5
	if more := len(unknown) - most; more > 0 {
		unknown = append(unknown[:most], fmt.Sprintf("%d more", more))
	}
	return "not known and ignored: " + strings.Join(unknown, ", ")
}
