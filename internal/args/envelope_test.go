package args

import "testing"

// Schemas of arguments that are named as parts of a call are.
const (
	namedLikeCalls = `{"type":"object","properties":{"name":{"type":"string"},"arguments":{"type":"object"}}}`
	onePayload     = `{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}`
	aMap           = `{"type":"object","properties":{"q":{"type":"string"}},"additionalProperties":{"type":"object"}}`
	closedNone     = `{"type":"object","additionalProperties":false}`
	requiredOnly   = `{"type":"object","required":["name","arguments"]}`
)

func TestD1_WholeCallsAsJSON(t *testing.T) {
	t.Parallel()
	const want = `{"q":"x","limit":5}`
	cases := map[string]reads{}
	for _, call := range []string{
		`{"name":"search","arguments":{"q":"x","limit":5}}`,
		`{"name":"search","arguments":"{\"q\":\"x\",\"limit\":5}"}`,
		`{"name":"search","parameters":{"q":"x","limit":5}}`,
		`{"tool":"search","tool_input":{"q":"x","limit":5}}`,
		`{"action":"search","action_input":{"q":"x","limit":5}}`,
		`{"action":"search","action_input":"{\"q\":\"x\",\"limit\":5}"}`,
		`{"tool_name":"search","args":{"q":"x","limit":5}}`,
		`{"type":"function","function":{"name":"search","arguments":{"q":"x","limit":5}}}`,
		`{"id":"call_1","type":"function","function":{"name":"search","arguments":"{\"q\":\"x\",\"limit\":5}"}}`,
		`{"tool_calls":[{"name":"search","arguments":{"q":"x","limit":5}}]}`,
		`[{"name":"search","arguments":{"q":"x","limit":5}}]`,
		`{"type":"tool_use","id":"1","name":"search","input":{"q":"x","limit":5}}`,
		`{"function_call":{"name":"search","arguments":{"q":"x","limit":5}}}`,
		`{"function":"search","parameters":{"q":"x","limit":5}}`,
		`{"arguments":{"q":"x","limit":5}}`, `{"input":{"q":"x","limit":5}}`, `{"params":"{\"q\":\"x\",\"limit\":5}"}`,
		`{"name":"search","arguments":{"__arg1":"{\"q\":\"x\",\"limit\":5}"}}`,
		`{"__arg1":{"name":"search","arguments":{"q":"x","limit":5}}}`,
	} {
		cases["as it is: "+call] = reads{oneRequired, call, want}
		cases["fenced: "+call] = reads{oneRequired, "```json\n" + call + "\n```", want}
		cases["in prose: "+call] = reads{oneRequired, "I call it: " + call + " now", want}
		if call[0] == '{' {
			cases["in a string: "+call] = reads{oneRequired, quote(call), want}
		}
		for _, marks := range [][2]string{{"<tool_call>", "</tool_call>"}, {"<tool_call>\n", "\n"}, {"[TOOL_CALLS]", ""}, {"<|python_tag|>", "<|eom_id|>"},
			{"<function_calls>", "</function_calls>"}, {"<|tool_call|>", ""}, {"<tool_calls>\n<tool_call>", "</tool_call>\n</tool_calls>"}} {
			cases[marks[0]+call] = reads{oneRequired, marks[0] + call + marks[1], want}
		}
	}
	checkReads(t, cases)
}

func TestD1_WholeCallsAsMarkup(t *testing.T) {
	t.Parallel()
	const want = `{"q":"x y","limit":5}`
	cases := map[string]reads{}
	for _, call := range []string{
		`<function=search>{"q":"x y","limit":5}</function>`,
		"<function=search>\n<parameter=q>\nx y\n</parameter>\n<parameter=limit>\n5\n</parameter>\n</function>",
		"<tool_call>\n<function=search>\n<parameter=q>\nx y\n</parameter>\n<parameter=limit>5</parameter>\n</function>\n</tool_call>",
		`<invoke name="search"><parameter name="q">x y</parameter><parameter name="limit">5</parameter></invoke>`,
		`<function_calls><invoke name="search"><parameter name="q">x y</parameter><parameter name="limit">5</parameter></invoke></function_calls>`,
		"<tool_call>search\n<arg_key>q</arg_key>\n<arg_value>x y</arg_value>\n<arg_key>limit</arg_key>\n<arg_value>5</arg_value>\n</tool_call>",
		`[search(q="x y", limit=5)]`, `<|python_tag|>search.call(q="x y", limit=5)`, `<tool_call>search(q="x y", limit=5)</tool_call>`,
		`[TOOL_CALLS]search[ARGS]{"q":"x y","limit":5}`, `functions.search:0<|tool_call_argument_begin|>{"q":"x y","limit":5}<|tool_call_end|>`,
		"<｜tool▁sep｜>search\n```json\n{\"q\":\"x y\",\"limit\":5}\n```<｜tool▁call▁end｜>", `<tool_input>{"q":"x y","limit":5}</tool_input>`,
	} {
		cases[call] = reads{oneRequired, call, want}
		cases["with a tail: "+call] = reads{oneRequired, call + "\nObservation: y", want}
	}
	cases["a bare input"] = reads{oneText, "<tool_input>x</tool_input>", `{"q":"x"}`}
	cases["a name alone"] = reads{oneText, "<tool_call>search</tool_call>", ""}
	cases["an unknown parameter"] = reads{oneText, "<function=search><parameter=z>x</parameter></function>", ""}
	cases["a parameter given twice"] = reads{oneText, "<function=search><parameter=q>x</parameter><parameter=q>y</parameter></function>", ""}
	cases["two calls"] = reads{oneText, `<tool_call>{"name":"s","arguments":{"q":"x"}}</tool_call><tool_call>{"name":"s","arguments":{"q":"y"}}</tool_call>`, ""}
	cases["cut off"] = reads{oneText, `<tool_call>{"name":"s","arguments":{"q":"x"`, ""}
	cases["nothing"] = reads{oneOptional, "<tool_call></tool_call>", "{}"}
	cases["another language"] = reads{oneText, "<b>bold</b>", `{"q":"<b>bold</b>"}`}
	cases["another language's function"] = reads{oneText, "<function>x</function>", `{"q":"<function>x</function>"}`}
	cases["an element of a page"] = reads{oneText, `<input name="q">`, `{"q":"<input name=\"q\">"}`}
	checkReads(t, cases)
}

func TestD1_WhatMayBeArgumentsIsNoCall(t *testing.T) {
	t.Parallel()
	checkReads(t, map[string]reads{
		"named so by the schema":       {namedLikeCalls, `{"name":"a","arguments":{"name":"b"}}`, `{"name":"a","arguments":{"name":"b"}}`},
		"required, though not named":   {requiredOnly, `{"name":"a","arguments":{"q":"x"}}`, `{"name":"a","arguments":{"q":"x"}}`},
		"one that the schema names":    {onePayload, `{"input":"{\"input\":\"x\"}"}`, `{"input":"{\"input\":\"x\"}"}`},
		"around one that it names":     {onePayload, `{"name":"t","arguments":{"input":"x"}}`, `{"input":"x"}`},
		"a free object":                {anyObject, `{"name":"t","arguments":{"q":"x"}}`, `{"name":"t","arguments":{"q":"x"}}`},
		"a map":                        {aMap, `{"input":{"q":"x"}}`, `{"input":{"q":"x"}}`},
		"something else inside":        {oneOptional, `{"name":"t","arguments":{"z":1}}`, `{"name":"t","arguments":{"z":1}}`},
		"a stranger beside":            {oneOptional, `{"name":"t","arguments":{"q":"x"},"z":1}`, `{"name":"t","arguments":{"q":"x"},"z":1}`},
		"two payloads":                 {oneOptional, `{"input":{"q":"x"},"arguments":{"q":"x"}}`, `{"input":{"q":"x"},"arguments":{"q":"x"}}`},
		"no arguments":                 {noArguments, `{"name":"t","arguments":{}}`, `{}`},
		"no arguments, in words":       {noArguments, `{"action":"t","action_input":""}`, `{}`},
		"no arguments allowed":         {closedNone, `{"tool":"t","tool_input":null}`, `{}`},
		"a bare value of a call":       {oneText, `{"action":"t","action_input":"x"}`, `{"q":"x"}`},
		"a bare value of nothing":      {oneText, `{"action_input":"x"}`, ""},
		"a fault inside is told there": {oneRequired, `{"name":"t","arguments":{"query":"x"}}`, ""},
		"several calls":                {oneText, `{"tool_calls":[{"name":"t","arguments":{"q":"x"}},{"name":"t","arguments":{"q":"y"}}]}`, ""},
		"wrapped again and again":      {oneText, `{"input":{"input":{"input":{"input":{"input":{"input":{"q":"x"}}}}}}}`, ""},
	})
}

func TestD1_BareValuesWhereNothingIsRequired(t *testing.T) {
	t.Parallel()
	const (
		cursor  = `{"type":"object","properties":{"cursor":{"type":"string"}}}`
		state   = `{"type":"object","properties":{"state":{"enum":["open","in progress","all"]}}}`
		limit   = `{"type":"object","properties":{"limit":{"type":"integer"}}}`
		tags    = `{"type":"object","properties":{"tags":{"type":"array","items":{"type":"string"}}}}`
		anyOne  = `{"type":"object","properties":{"v":{}}}`
		several = `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}`
	)
	cases := map[string]reads{
		"a word":             {cursor, "abc123==", `{"cursor":"abc123=="}`},
		"a number":           {cursor, "5", `{"cursor":"5"}`},
		"quoted words":       {cursor, `"list all"`, `{"cursor":"list all"}`},
		"named words":        {cursor, `cursor: list all`, `{"cursor":"list all"}`},
		"one of a few":       {state, "in progress", `{"state":"in progress"}`},
		"one of a few, too":  {state, "all", `{"state":"all"}`},
		"none of a few":      {state, "everything there is", ""},
		"an integer":         {limit, "5", `{"limit":5}`},
		"words for a number": {limit, "list all", ""},
		"a word, no number":  {limit, "all", ""},
		"a list":             {tags, `["a"]`, `{"tags":["a"]}`},
		"words for a list":   {tags, "all tags", ""},
		"words for anything": {anyOne, "show me all", ""},
		"several":            {several, "x", ""},
		"required words":     {oneText, "list all", `{"q":"list all"}`},
		"a required word":    {oneText, "all", `{"q":"all"}`},
	}
	for _, text := range []string{"list all", "All", "list all items please", "no cursor", "first page", "*", "get", "Just list them.", "列出 所有"} {
		cases["doubt: "+text] = reads{cursor, text, ""}
		cases["doubt in the wrapper: "+text] = reads{cursor, `{"__arg1":` + quote(text) + `}`, ""}
	}
	checkReads(t, cases)
}
