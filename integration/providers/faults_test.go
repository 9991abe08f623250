package providers

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What models do wrong, and the APIs give on. A fault is told to the model, the
// next request is one that its API takes, and the conversation goes on.

// A fault is one call that is wrong, or several.
type fault struct {
	calls []call
	// told is in what the model is told of the first; by the agent, and by
	// Respond.
	byAgent, byRespond string
	// text says that the arguments are a text that is no object, which only
	// APIs with arguments as text can give on.
	text bool
	// ids says that it is about ids.
	ids bool
	// good is how many of the calls reach the server.
	good int
}

const (
	noTool  = "is not a valid tool"
	noSuch  = "Error: there is no tool"
	goodOne = `{"name":"first"}`
)

var faults = map[string]fault{
	"a tool there is not":          {calls: []call{{"call00001", "nope", `{"a":1}`}}, byAgent: noTool, byRespond: noSuch},
	"a name that APIs refuse":      {calls: []call{{"call00001", "multi_tool_use.parallel", `{}`}}, byAgent: noTool, byRespond: noSuch},
	"a name with letters of its":   {calls: []call{{"call00001", planName, `{}`}}, byAgent: noTool, byRespond: noSuch},
	"no name":                      {calls: []call{{"call00001", "", `{}`}}, byAgent: noTool, byRespond: "Error: "},
	"arguments that do not fit":    {calls: []call{{"call00001", "odd", `{"input":1}`}}, byAgent: "__arg1", byRespond: "__arg1"},
	"arguments cut off":            {calls: []call{{"call00001", "odd", `{"__arg1":"x","inp`}}, byAgent: "Error: ", byRespond: "Error: ", text: true},
	"arguments that are a list":    {calls: []call{{"call00001", "search", `[1,2]`}}, byAgent: "Error: ", byRespond: "Error: ", text: true},
	"arguments without end":        {calls: []call{{"call00001", "search", `{{{{`}}, byAgent: "Error: ", byRespond: "Error: ", text: true},
	"no id":                        {calls: []call{{"", "either", goodOne}, {"", "either", goodOne}}, byAgent: "either got", byRespond: "either got", ids: true, good: 2},
	"one id twice":                 {calls: []call{{"call00001", "either", goodOne}, {"call00001", "either", goodOne}}, byAgent: "either got", byRespond: "either got", ids: true, good: 2},
	"an id of an earlier turn":     {calls: []call{{"call00002", "either", goodOne}}, byAgent: "either got", byRespond: "either got", ids: true, good: 1},
	"the same case in other words": {calls: []call{{"call00001", "EITHER", goodOne}}, byAgent: "either got", byRespond: "either got", good: 1},
}

// faulty puts a provider through the faults in all ways.
func (p provider) faulty(t *testing.T) {
	for name, f := range faults {
		if f.text && !p.words || f.ids && !p.ids {
			continue // its API cannot give that on
		}
		for way, drive := range ways {
			for _, streaming := range []bool{false, true} {
				if way == "loop" && p.late && streaming {
					continue
				}
				t.Run(fmt.Sprintf("%s, %s, streaming %t", name, way, streaming), func(t *testing.T) {
					t.Parallel()
					r := p.begin(t, []leg{{errands: []errand{either}}})
					r.script = append([]turn{{calls: f.made(p)}}, r.script...)
					r.script[1].calls[0].id = f.laterID(p)
					answer, err := drive(r, t, streaming)
					require.Empty(t, r.refused())
					require.NoError(t, err)
					assert.Contains(t, answer, "It says: either got")
					r.checkFault(t, f, way)
				})
			}
		}
	}
}

// made are the calls, without ids where the API has none.
func (f fault) made(p provider) []call {
	var all []call
	for _, c := range f.calls {
		if !p.ids {
			c.id = ""
		}
		all = append(all, c)
	}
	return all
}

func (f fault) laterID(p provider) string {
	if !p.ids {
		return ""
	}
	return "call00002"
}

func (r *run) checkFault(t *testing.T, f fault, way string) {
	t.Helper()
	sent := r.sent()
	require.Len(t, sent, 3)
	answers := sent[1].of(anAnswer)
	require.Len(t, answers, len(f.calls))
	told := f.byRespond
	if way == theirAgent || way == ownAgent {
		told = f.byAgent
	}
	assert.Contains(t, answers[0].text, told)
	assert.Len(t, r.Calls.All(), f.good+1)
	assert.Len(t, sent[2].of(aCall), len(f.calls)+1)
	if way == "loop" || !r.ids {
		return // Respond knows one turn only
	}
	seen := map[string]bool{}
	for _, answer := range sent[2].of(anAnswer) {
		assert.False(t, seen[answer.call.id], "the id %q twice", answer.call.id)
		seen[answer.call.id] = true
	}
}
