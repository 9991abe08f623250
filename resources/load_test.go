package resources_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/mcptoolset/mcptoolset/resources"
)

func TestO37_LoadByURIAndByName(t *testing.T) {
	t.Parallel()
	s := open(t, shelf(5, 2))
	for arguments, want := range map[string]string{
		`{"uri":"data://v1/003"}`:                                             "body of data://v1/003",
		`{"name":"item 003"}`:                                                 "body of data://v1/003",
		`{"name":"item 003","uri":""}`:                                        "body of data://v1/003",
		`{"uri":"data://v1/003","name":null}`:                                 "body of data://v1/003",
		`{"uri":"data://v1/003","variables":{}}`:                              "body of data://v1/003",
		`{"uri":"user://7/notes"}`:                                            "notes by [7]",
		`{"uri":"user://{id}/notes{?q}","variables":{"id":9007199254740993}}`: "notes by [9007199254740993]",
		`{"uri":"user://{id}/notes{?q}","variables":{"id":"ä b"}}`:            "notes by [ä b]",
		`{"uri":"user://{id}/notes","variables":"{\"id\":\"x\"}"}`:            "notes by [x]",
		`{"uri":"data://v1/003","variables":""}`:                              "body of data://v1/003",
		`{"name":"notes","variables":{"id":"x","q":"y"}}`:                     "notes by [x]",
	} {
		assert.Equal(t, want, run(t, s, resources.LoadResource, arguments, resources.Options{}), arguments)
	}
}

func TestO38_AURIThatIsNotListedIsRead(t *testing.T) {
	t.Parallel()
	s := &raw{
		pages: map[string]string{"resources/list": `{"resources":[]}`, "resources/templates/list": `{"resourceTemplates":[]}`},
		reads: map[string]string{"artifact://77": `{"contents":[{"uri":"artifact://77","text":"seventy"}]}`, "with {braces} and spaces": `{"contents":[{"text":"odd"}]}`},
	}
	assert.Equal(t, "seventy", run(t, s, resources.LoadResource, `{"uri":"artifact://77"}`, resources.Options{}))
	assert.Equal(t, []string{"artifact://77"}, s.log(), "nothing but the read is asked for")
	assert.Equal(t, "odd", run(t, s, resources.LoadResource, `{"uri":"with {braces} and spaces"}`, resources.Options{}))
	assert.Equal(t, []string{"resources/templates/list", "with {braces} and spaces"}, s.log())
}

func TestH3_WrongCallsAreToldHow(t *testing.T) {
	t.Parallel()
	s := &raw{}
	for arguments, want := range map[string]string{
		``:                      "Neither uri nor name was given",
		`{}`:                    "Neither uri nor name was given",
		`{"uri":"","name":" "}`: "Neither uri nor name was given",
		`{"url":"a://1"}`:       `Neither uri nor name was given; exactly one of them is needed. Not known and ignored: "url".`,
		`{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}`:  `Not known and ignored: "a", "b", "c", "d", "e", 2 more.`,
		`{"name":"A","uri":"a://1"}`:                   "Both uri and name were given",
		`{"uri":["a://1"]}`:                            "uri is a list, not a string",
		`{"name":{}}`:                                  "name is an object, not a string",
		`{"uri":"a://1","offset":-1}`:                  "offset is -1, but must be a whole number from 0 up",
		`{"uri":"a://1","offset":1.5}`:                 "offset is 1.5, but must be",
		`{"uri":"a://1","offset":1e99}`:                "offset is 1e99, but must be",
		`{"uri":"a://1","offset":"ten"}`:               "offset is ten, but must be",
		`{"uri":"a://1","offset":[1]}`:                 "offset is [1], but must be",
		`{"uri":"a://1","offset":true}`:                "offset is true, but must be",
		`{"uri":"a://1","variables":["x"]}`:            "variables is a list, not an object",
		`{"uri":"a://1","variables":"x=y"}`:            "variables is a string, not an object",
		`{"uri":"a://1","variables":{"x":"y"}}`:        `"a://1" is no template`,
		`{"uri":"a://{x","variables":{"x":"y"}}`:       `The template "a://{x" cannot be filled in: a "{" is not closed`,
		`{"uri":"a://{x}","variables":{"x":[[1]]}}`:    `The variable "x" holds a list, which no part of a uri can be`,
		`{"uri":"a://{x}","variables":{"x":{"y":{}}}}`: `The variable "x" holds an object, which no part of a uri can be`,
		`["a://1"]`: "The arguments are not a JSON object",
		`"a://1"`:   "The arguments are not a JSON object",
	} {
		said, err := refused(t, s, resources.LoadResource, arguments, resources.Options{})
		assert.Contains(t, said, want, arguments)
		require.ErrorIs(t, err, resources.ErrArguments, arguments)
		if !strings.Contains(want, "cannot be filled in") {
			assert.Contains(t, said, `{"uri": "..."}`, arguments)
		}
	}
	assert.Empty(t, s.log(), "a wrong call reached the server")
}

func TestH3_ATemplateNeedsItsVariables(t *testing.T) {
	t.Parallel()
	s := open(t, shelf(1, 5))
	for arguments, want := range map[string]string{
		`{"uri":"user://{id}/notes{?q}"}`: `Error: The template "user://{id}/notes{?q}" needs a value for "id". ` +
			`Call it with {"uri":"user://{id}/notes{?q}","variables":{"id":"...","q":"..."}}`,
		`{"name":"notes"}`: `Error: The template "user://{id}/notes{?q}" needs a value for "id". ` +
			`Call it with {"uri":"user://{id}/notes{?q}","variables":{"id":"...","q":"..."}}`,
		`{"name":"notes","variables":{"ID":"7"}}`: `Error: The template "user://{id}/notes{?q}" needs a value for "id", and has no variable "ID". ` +
			`Call it with {"uri":"user://{id}/notes{?q}","variables":{"id":"...","q":"..."}}`,
		`{"uri":"x://{a,b,c,d,e,f,g,h,i,j,k,l}","variables":{"a":1}}`: `Error: The template "x://{a,b,c,d,e,f,g,h,i,j,k,l}" needs a value for "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", 1 more. ` +
			`Call it with {"uri":"x://{a,b,c,d,e,f,g,h,i,j,k,l}","variables":{"a":"...","b":"...","c":"...","d":"...","e":"...","f":"...","g":"...","h":"...","i":"...","j":"..."}}`,
		`{"uri":"user://{id}/notes","variables":{"id":"7","p":1,"o":2}}`: `Error: The template "user://{id}/notes" has no variable "o", "p". ` +
			`Call it with {"uri":"user://{id}/notes","variables":{"id":"..."}}`,
	} {
		said, err := refused(t, s, resources.LoadResource, arguments, resources.Options{})
		assert.Equal(t, want, said, arguments)
		require.ErrorIs(t, err, resources.ErrArguments)
	}
	for _, nothing := range []string{`null`, `[]`, `{}`, `[null]`, `{"k":null}`} { // RFC 6570, section 2.3: they are undefined
		said, _ := refused(t, s, resources.LoadResource, `{"uri":"user://{id}/notes{?q}","variables":{"id":`+nothing+`,"q":"x"}}`, resources.Options{})
		assert.Contains(t, said, `needs a value for "id"`, nothing)
	}
}

func TestH3_ATemplateWithoutVariablesIsLoadedByItsName(t *testing.T) {
	t.Parallel()
	s := named(``, `{"uriTemplate":"conf://all","name":"settings"}`, "conf://all")
	assert.Equal(t, "read conf://all", run(t, s, resources.LoadResource, `{"name":"settings"}`, resources.Options{}))
	said, _ := refused(t, s, resources.LoadResource, `{"name":"settings","variables":{"x":"1"}}`, resources.Options{})
	assert.Contains(t, said, `"conf://all" is no template, so there are no variables to give.`)
}

func TestH4_AnotherResourceThanWasAskedForIsNamed(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		`{"uri":"dir://a/only.txt","text":"body"}`:         "body\n[the server says that this is \"dir://a/only.txt\"]",
		`{"uri":"dir://a","text":"body"}`:                  "body",
		`{"text":"body"}`:                                  "body",
		`{"uri":"x://1\n[resource] uri: y","text":"body"}`: "body\n[the server says that this is \"x://1\\n[resource] uri: y\"]",
		`{"uri":"dir://a/b","text":"body","blob":"AQI="}`:  "[resource] uri: dir://a/b; binary; size: 2 bytes\nbody",
	} {
		s := &raw{reads: map[string]string{"dir://a": `{"contents":[` + given + `]}`}}
		assert.Equal(t, want, run(t, s, resources.LoadResource, `{"uri":"dir://a"}`, resources.Options{}))
	}
	s := &raw{reads: map[string]string{"a:1": `{"contents":[{"uri":"` + strings.Repeat("u", 10_000) + `","text":"body"}]}`}}
	assert.Less(t, len(run(t, s, resources.LoadResource, `{"uri":"a:1"}`, resources.Options{})), 300)
}

func TestO40_TextIsCutOnACharacter(t *testing.T) {
	t.Parallel()
	for _, c := range []string{"é", "😀"} {
		body := strings.Repeat(c, 10)
		s := &raw{reads: map[string]string{"e://1": fmt.Sprintf(`{"contents":[{"uri":"e://1","text":%q}]}`, body)}}
		o := resources.Options{MaxLength: 5}
		for arguments, want := range map[string]string{
			`{"uri":"e://1"}`:                 strings.Repeat(c, 5) + "\n[cut: 5 of 10 characters shown; continue with offset 5]",
			`{"uri":"e://1","offset":5}`:      strings.Repeat(c, 5) + "\n[characters 6 to 10 of 10 shown: this is the end]",
			`{"uri":"e://1","offset":"5"}`:    strings.Repeat(c, 5) + "\n[characters 6 to 10 of 10 shown: this is the end]",
			`{"uri":"e://1","offset":5.0}`:    strings.Repeat(c, 5) + "\n[characters 6 to 10 of 10 shown: this is the end]",
			`{"uri":"e://1","offset":null}`:   strings.Repeat(c, 5) + "\n[cut: 5 of 10 characters shown; continue with offset 5]",
			`{"uri":"e://1","offset":" "}`:    strings.Repeat(c, 5) + "\n[cut: 5 of 10 characters shown; continue with offset 5]",
			`{"uri":"e://1","offset":10}`:     "[nothing at offset 10: the text has 10 characters]",
			`{"uri":"e://1","offset":999999}`: "[nothing at offset 999999: the text has 10 characters]",
		} {
			assert.Equal(t, want, run(t, s, resources.LoadResource, arguments, o), arguments)
		}
	}
}

func TestH4_WhatAReadMayHold(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		`{"contents":[]}`:   "(the resource is empty)",
		`{"contents":null}`: "(the resource is empty)",
		`{}`:                "(the resource is empty)",
		`null`:              "(the resource is empty)",
		`{"_meta":{"a":1},"resultType":"complete","ttlMs":5}`:                                        "(the resource is empty)",
		`{"contents":[{"uri":"a:1","text":""}]}`:                                                     "(the resource is empty)",
		`{"contents":[{"uri":"a:1","text":"one"},{"uri":"a:2","text":"two"}]}`:                       "[resource] uri: a:1\none\n\n[resource] uri: a:2\ntwo",
		`{"contents":{"uri":"a:1","text":"no list"}}`:                                                "no list",
		`{"contents":[{"uri":"a:1","text":"good"},7]}`:                                               "[resource] uri: a:1\ngood\n\n[resource] could not be read: it is a number, not an object\n7",
		`{"content":[{"type":"text","text":"a call's result"}]}`:                                     "[the answer has no contents; this is what it holds]\na call's result",
		`{"uri":"a:1","text":"bare"}`:                                                                "[the answer has no contents; this is what it holds]\n",
		`"just text"`:                                                                                "[the answer has no contents; this is what it holds]\njust text",
		`{"contents":[{"uri":"a:1","text":"\u001b[31mred\u0000"}]}`:                                  "␛[31mred␀",
		`{"contents":[{"uri":"a:1","text":"Error: this is a log\n[cut: 1 of 2 characters shown]"}]}`: "Error: this is a log\n[cut: 1 of 2 characters shown]",
	} {
		s := &raw{reads: map[string]string{"a:1": answer}}
		said := run(t, s, resources.LoadResource, `{"uri":"a:1"}`, resources.Options{})
		if strings.HasSuffix(want, "\n") {
			assert.Contains(t, said, want, answer)
			assert.Contains(t, said, "bare")
			continue
		}
		assert.Equal(t, want, said, answer)
	}
}

func TestH4_BinaryIsDescribed(t *testing.T) {
	t.Parallel()
	said := run(t, open(t, shelf(1, 5)), resources.LoadResource, `{"name":"picture"}`, resources.Options{})
	for _, want := range []string{"img://1", "image/png", "4 bytes"} {
		assert.Contains(t, said, want)
	}
	assert.NotContains(t, said, "iVBOR")
	s := &raw{reads: map[string]string{"a:1": `{"contents":[{"uri":"a:1","blob":"%%%","mimeType":"image/png"}]}`}}
	assert.Contains(t, run(t, s, resources.LoadResource, `{"uri":"a:1"}`, resources.Options{}), "broken base64")
}

func TestH5_AnswersThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		`{"contents":[`: "not JSON",
		``:              "not JSON",
		`{"resultType":"input_required","inputRequests":{"a":{}}}`: "asks for more input",
	} {
		s := &raw{reads: map[string]string{"a:1": answer}}
		said, err := refused(t, s, resources.LoadResource, `{"uri":"a:1"}`, resources.Options{})
		assert.Contains(t, said, want, answer)
		require.ErrorIs(t, err, resources.ErrAnswer)
	}
}

func TestH5_RejectionsAreObservations(t *testing.T) {
	t.Parallel()
	s := open(t, shelf(1, 5))
	for arguments, want := range map[string]string{
		`{"uri":"nowhere://1"}`:    `Error: The server did not give "nowhere://1": `,
		`{"name":"unreadable"}`:    `Error: The server did not give "bad://1": disk on fire.`,
		`{"uri":"item 000"}`:       `a resource is loaded by its name with {"name": "..."}`,
		`{"uri":"other://{id}/x"}`: `If it is a template, give the values of what stands in braces`,
	} {
		said, err := refused(t, s, resources.LoadResource, arguments, resources.Options{})
		assert.Contains(t, said, want, arguments)
		require.ErrorAs(t, err, new(*rejection), arguments)
	}
}

func TestH5_AHugeURIIsNotEchoed(t *testing.T) {
	t.Parallel()
	s := open(t, shelf(1, 5))
	said, _ := refused(t, s, resources.LoadResource, `{"uri":"a://`+strings.Repeat("x", 1<<16)+`"}`, resources.Options{MaxOutput: 2_000})
	assert.LessOrEqual(t, utf8.RuneCountInString(said), 2_000)
	assert.Contains(t, said, strings.Repeat("x", 196)+"…")
}

func TestH5_AFailedConnectionIsAnError(t *testing.T) {
	t.Parallel()
	s := &raw{
		pages: map[string]string{"resources/list": `{"resources":[{"uri":"a://1","name":"A"}]}`},
		fail:  map[string]error{"a://1": errGone, "resources/templates/list": errGone},
	}
	load := tool(t, resources.LoadResource, resources.Options{})
	for _, arguments := range []string{`{"uri":"a://1"}`, `{"name":"A"}`, `{"name":"T","variables":{"id":"1"}}`, `{"uri":"a://{id}"}`} {
		said, err := load.Run(t.Context(), s, json.RawMessage(arguments))
		require.ErrorIs(t, err, errGone, arguments)
		assert.Empty(t, said)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, arguments := range []string{`{"uri":"a://1"}`, `{"name":"A"}`, `{"name":"B"}`, `{"uri":"a://{id}"}`} {
		said, err := load.Run(ctx, s, json.RawMessage(arguments))
		require.ErrorIs(t, err, context.Canceled, arguments)
		assert.Empty(t, said)
	}
}

func TestH3_TheOwnerConfirms(t *testing.T) {
	t.Parallel()
	s := open(t, shelf(2, 5))
	var asked []string
	o := resources.Options{Confirm: func(_ context.Context, uri string) error {
		asked = append(asked, uri)
		if uri == "data://v1/001" || strings.HasPrefix(uri, "user://") {
			return errors.New("not this one")
		}
		return nil
	}}
	assert.Equal(t, "body of data://v1/000", run(t, s, resources.LoadResource, `{"name":"item 000"}`, o))
	said, err := refused(t, s, resources.LoadResource, `{"name":"item 001"}`, o)
	assert.Equal(t, `Error: The owner of this agent declined to load "data://v1/001": not this one`, said)
	require.ErrorIs(t, err, resources.ErrDeclined)
	require.ErrorContains(t, err, "not this one")
	_, err = refused(t, s, resources.LoadResource, `{"name":"notes","variables":{"id":"é"}}`, o)
	require.ErrorIs(t, err, resources.ErrDeclined)
	_, err = refused(t, s, resources.LoadResource, `{}`, o)
	require.ErrorIs(t, err, resources.ErrArguments)
	assert.Equal(t, []string{"data://v1/000", "data://v1/001", "user://%C3%A9/notes"}, asked, "asked once a read, with what is sent")
}

func TestH3_AConfirmerThatFails(t *testing.T) {
	t.Parallel()
	s := &raw{reads: map[string]string{"a:1": `{}`}}
	ctx, cancel := context.WithCancel(t.Context())
	for name, confirm := range map[string]func(context.Context, string) error{
		"panics":              func(context.Context, string) error { panic("lost the terminal") },
		"ends the run":        func(ctx context.Context, _ string) error { cancel(); return ctx.Err() },
		"says yes at the end": func(context.Context, string) error { cancel(); return nil },
	} {
		said, err := tool(t, resources.LoadResource, resources.Options{Confirm: confirm}).Run(ctx, s, json.RawMessage(`{"uri":"a:1"}`))
		require.Error(t, err, name)
		require.NotErrorIs(t, err, resources.ErrDeclined, name)
		assert.Empty(t, said, name)
	}
	assert.Empty(t, s.log(), "read without a confirmation")
}

// TestH4_LabelsDoNotBreakTheBudget reads contents whose labels are longer than
// their text, to the end.
func TestH4_LabelsDoNotBreakTheBudget(t *testing.T) {
	t.Parallel()
	var contents []string
	var want strings.Builder
	for i := range 300 {
		fmt.Fprintf(&want, "%03d ", i)
		contents = append(contents, fmt.Sprintf(`{"uri":"a://%d/%s","text":"%03d "}`, i, strings.Repeat("u", 600), i))
	}
	s := &raw{reads: map[string]string{"a:1": `{"contents":[` + strings.Join(contents, ",") + `]}`}}
	var text strings.Builder
	offset, calls := 0, 0
	for ; calls == 0 || offset > 0; calls++ {
		said := run(t, s, resources.LoadResource, fmt.Sprintf(`{"uri":"a:1","offset":%d}`, offset), resources.Options{})
		require.LessOrEqual(t, utf8.RuneCountInString(said), resources.DefaultMaxOutput)
		for line := range strings.Lines(said) {
			if line[0] != '[' {
				text.WriteString(strings.TrimSuffix(line, "\n"))
			}
		}
		_, on, found := strings.Cut(said, "continue with offset ")
		offset = 0
		if found {
			_, err := fmt.Sscanf(on, "%d]", &offset)
			require.NoError(t, err)
		}
	}
	assert.Equal(t, want.String(), text.String())
	assert.Less(t, calls, 10)
}

func TestH4_TheBudgetGoesBeforeTheLength(t *testing.T) {
	t.Parallel()
	s := &raw{reads: map[string]string{"a:1": `{"contents":[{"uri":"a:1","text":"` + strings.Repeat("é", 5_000) + `"}]}`}}
	said := run(t, s, resources.LoadResource, `{"uri":"a:1"}`, resources.Options{MaxOutput: 1_000})
	assert.LessOrEqual(t, utf8.RuneCountInString(said), 1_000)
	assert.Regexp(t, `é\n\[cut: \d+ of 5000 characters shown; continue with offset \d+\]$`, said)
	assert.Greater(t, strings.Count(said, "é"), 900, "the room is used")
	said = run(t, s, resources.LoadResource, `{"uri":"a:1","offest":1}`, resources.Options{})
	assert.True(t, strings.HasSuffix(said, "é\n"+`[not known and ignored: "offest"]`), said[len(said)-100:])
}

func TestH4_ManyReadersAtATime(t *testing.T) {
	t.Parallel()
	s := open(t, shelf(20, 3))
	tools := resources.Tools(resources.Options{})
	var group errgroup.Group
	for i := range 40 {
		group.Go(func() error {
			arguments := fmt.Sprintf(`{"name":"item %03d"}`, i%20)
			if i >= 20 {
				arguments = fmt.Sprintf(`{"uri":"data://v1/%03d"}`, i%20)
			}
			said, err := tools[2].Run(t.Context(), s, json.RawMessage(arguments))
			if want := fmt.Sprintf("body of data://v1/%03d", i%20); err == nil && said != want {
				err = fmt.Errorf("%s: got %q, want %q", arguments, said, want)
			}
			return err
		})
	}
	require.NoError(t, group.Wait())
}
