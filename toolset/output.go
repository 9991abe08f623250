package toolset

import (
	"fmt"

	"github.com/mcptoolset/mcptoolset/internal/args"
	"github.com/mcptoolset/mcptoolset/internal/decode"
)

// mismatches tells what in a result does not fit the tool's output schema, and
// has the owner know of it, without what the result holds.
func (t *Tool) mismatches(result decode.Result) []args.Fault {
	if result.IsError || len(t.from.OutputSchema) == 0 || t.set.o.uncheckedOut {
		return nil
	}
	if why := t.output().Unchecked(); why != "" {
		t.set.remark(Warning{t.from.Name, "its results are not checked, because its output schema cannot be used: " + why})
		return nil
	}
	faults := t.output().Faults(result.Structured)
	if len(faults) > 0 {
		t.set.remark(Warning{t.from.Name, "a structured result of it did not fit its output schema"})
	}
	return faults
}

// maxNote bounds a note, in characters.
const maxNote = 300

// noteOn tells a model of mismatches in one line; empty where there are none.
func noteOn(faults []args.Fault) string {
	if len(faults) == 0 {
		return ""
	}
	if faults[0].Path == "" && len(faults) == 1 && faults[0].Problem == args.Missing {
		return "Note: the structured result that the tool's output schema promises is missing."
	}
	rest := ""
	if n := len(faults) - 1; n > 0 {
		rest = fmt.Sprintf(" (and %d more)", n)
	}
	const words = "Note: the structured result does not fit the tool's output schema: "
	return words + bounded(oneLine(faults[0].String()), maxNote-len(words)-len(rest)) + rest
}
