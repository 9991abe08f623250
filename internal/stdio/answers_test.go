package stdio_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/internal/stdio"
	"github.com/mcptoolset/mcptoolset/internal/wire"
)

var _ stdio.Frame = gone{}

const result = `{"content":[{"type":"text","text":"9007199254740993"}]}`

// good is the answer to the request with the id $id.
const good = `{"jsonrpc":"2.0","id":$id,"result":` + result + `}`

func deep(levels int) string {
	return strings.Repeat(`[`, levels) + strings.Repeat(`]`, levels)
}

// printed are things a child prints, and what becomes of a request with the id
// $id. The output stays open, so that what is dropped would never end.
var printed = map[string]struct {
	text   string
	result string // the answer; * for result in other white space
	fails  string // or what its error says
	strays int    // lines that belong to nobody
}{
	"plain":                        {text: good, result: result},
	"other order of members":       {text: `{"result":` + result + `,"id":$id,"jsonrpc":"2.0"}`, result: result},
	"white space":                  {text: "  { \"id\" : $id , \"result\" :  {}  }\t ", result: `{}`},
	"no version":                   {text: `{"id":$id,"result":{}}`, result: `{}`},
	"another version":              {text: `{"jsonrpc":2,"id":$id,"result":{}}`, result: `{}`},
	"members nobody knows":         {text: `{"jsonrpc":"2.0","id":$id,"result":{},"x":[1,{"id":7}],"method":null}`, result: `{}`},
	"a method beside the result":   {text: `{"jsonrpc":"2.0","id":$id,"method":"tools/call","result":{}}`, result: `{}`},
	"result null":                  {text: `{"jsonrpc":"2.0","id":$id,"result":null}`, result: `null`},
	"result of another type":       {text: `{"jsonrpc":"2.0","id":$id,"result":[1.50,"x"]}`, result: `[1.50,"x"]`},
	"error null beside it":         {text: `{"jsonrpc":"2.0","id":$id,"result":{},"error":null}`, result: `{}`},
	"hollow error beside it":       {text: `{"jsonrpc":"2.0","id":$id,"result":{},"error":{}}`, result: `{}`},
	"invalid UTF-8":                {text: "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"x\":\"\xff\"}}", result: "{\"x\":\"\xff\"}"},
	"a byte order mark":            {text: "\uFEFF" + good, result: result},
	"CRLF":                         {text: good + "\r", result: result},
	"blank lines":                  {text: "\n\r\n  \n\t\n" + good, result: result},
	"id as text":                   {text: strings.Replace(good, "$id", `"$id"`, 1), result: result},
	"id as text with space":        {text: strings.Replace(good, "$id", `" $id "`, 1), result: result},
	"id as a float":                {text: strings.Replace(good, "$id", `$id.0`, 1), result: result},
	"id as a float in text":        {text: strings.Replace(good, "$id", `"$id.0"`, 1), result: result},
	"id with an exponent":          {text: strings.Replace(good, "$id", `0.1073741825e10`, 1), result: result},
	"id twice, the last counts":    {text: `{"id":1,"id":$id,"result":{}}`, result: `{}`},
	"in a batch":                   {text: `[{"jsonrpc":"2.0","id":1,"result":{}},` + good + `,{"jsonrpc":"2.0","method":"notifications/x"}]`, result: result, strays: 1},
	"in a batch of anything":       {text: `[1,null,[],"x",` + good + `]`, result: result, strays: 4},
	"a batch over lines":           {text: "[\n" + good + ",\n" + good + "\n]", result: result, strays: 4},
	"behind noise lines":           {text: "INFO starting\n[INFO] up\n{ready}\nServer {\"port\": 1}\n" + good, result: result, strays: 4},
	"behind noise on the line":     {text: `listening... ` + good, result: result},
	"behind noise with brackets":   {text: `{x} [y] {"a":1} {"b":{"c":2}} ` + good + ` ok`, result: result},
	"behind a log of the request":  {text: `recv {"jsonrpc":"2.0","id":$id,"method":"tools/call"} send ` + good, result: result},
	"behind an echo":               {text: `{"jsonrpc":"2.0","id":$id,"method":"x/y","params":{}}` + "\n" + good, result: result, strays: 1},
	"two on a line":                {text: `{"jsonrpc":"2.0","id":1,"result":{}}` + good, result: result, strays: 1},
	"two on a line with a space":   {text: `{"jsonrpc":"2.0","method":"notifications/x"} ` + good, result: result},
	"before noise on the line":     {text: good + ` done`, result: result, strays: 1},
	"behind a torn one":            {text: `{"jsonrpc":"2.0","id":1,"resu` + good, result: result},
	"behind a torn line":           {text: `{"jsonrpc":"2.0","id":1,` + "\n" + good, result: result, strays: 1},
	"behind a bracket":             {text: "{\n[\n" + good, result: result, strays: 1},
	"pretty-printed":               {text: indent(good), result: "*"},
	"pretty-printed with CRLF":     {text: strings.ReplaceAll(indent(good), "\n", "\r\n"), result: "*"},
	"pretty-printed with blanks":   {text: strings.ReplaceAll(indent(good), "\n", "\n\n"), result: "*"},
	"pretty-printed batch":         {text: indent(`[` + good + `]`), result: "*"},
	"pretty-printed, then another": {text: indent(`{"jsonrpc":"2.0","id":1,"result":{}}`) + "\n" + good, result: result, strays: 1},
	"open brackets in text":        {text: "{\n\"id\":$id,\n\"result\":{\"x\":\"}{[\\\"{\"}\n}", result: `{"x":"}{[\"{"}`},
	"10,000 levels deep":           {text: `{"id":$id,"result":` + deep(9_999) + `}`, result: deep(9_999)},

	"too deep":                     {text: `{"jsonrpc":"2.0","id":$id,"result":` + deep(10_001) + `}`, fails: "nested too deeply"},
	"too deep, id behind":          {text: `{"jsonrpc":"2.0","result":` + deep(100_000) + `,"id":$id}`, fails: "nested too deeply"},
	"too deep, id as text":         {text: `{"result":` + deep(10_001) + `,"id":"$id"}`, fails: "nested too deeply"},
	"NaN":                          {text: `{"jsonrpc":"2.0","id":$id,"result":{"x":NaN}}`, fails: "a value is missing"},
	"single quotes":                {text: `{"id":$id,"result":{'x':1}}`, fails: "a key is missing"},
	"a control character":          {text: "{\"id\":$id,\"result\":{\"x\":\"a\tb\"}}", fails: "bare control character"},
	"a broken escape":              {text: `{"id":$id,"result":{"x":"\x41"}}`, fails: "broken escape"},
	"a comma too many":             {text: `{"id":$id,"result":{},}`, fails: "a key is missing"},
	"torn":                         {text: `{"jsonrpc":"2.0","id":$id,"result":{"content":[{"type":"te`, fails: "does not end"},
	"torn at a bracket, then more": {text: `{"jsonrpc":"2.0","id":$id,"result":{"content":[{` + "\n" + `{"method":"notifications/x"}`, fails: "torn"},
	"torn inside pretty-printing":  {text: "{\n\"id\": $id,\n\"result\": \"x\n", fails: "torn"},
	"mismatched over lines":        {text: "{\n\"id\": $id,\n\"result\": [\n}}", fails: "missing"},
	"broken in a batch":            {text: `[{"jsonrpc":"2.0","id":$id,"result":{"x":NaN}}]`, fails: "a value is missing"},
	"broken behind noise":          {text: `out: {"jsonrpc":"2.0","id":$id,"result":{"x":NaN}}`, fails: "a value is missing"},
	"neither":                      {text: `{"jsonrpc":"2.0","id":$id}`, fails: "neither a result nor an error"},
	"only an error that is null":   {text: `{"jsonrpc":"2.0","id":$id,"error":null}`, fails: "neither a result nor an error"},
	"both":                         {text: `{"jsonrpc":"2.0","id":$id,"result":{},"error":{"code":-5,"message":"no city"}}`, fails: "both a result and an error: no city (JSON-RPC error -5)"},
}

// indent prints JSON over several lines, with $id in it.
func indent(text string) string {
	return strings.ReplaceAll(pretty(strings.ReplaceAll(text, "$id", "4242")), "4242", "$id")
}

func pretty(text string) string {
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		panic(err)
	}
	out, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		panic(err)
	}
	return string(out)
}

func TestAnswersFindTheirRequestHoweverTheyArePrinted(t *testing.T) {
	t.Parallel()
	for name, c := range printed {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, nil)
			ended := r.ask(t.Context(), firstID, "x/y", nil)
			r.prints(strings.ReplaceAll(c.text, "$id", fmt.Sprint(firstID)) + "\n")
			got := r.await(ended)
			if c.fails != "" {
				var answer *wire.AnswerError
				require.ErrorAs(t, got.err, &answer)
				assert.ErrorContains(t, got.err, c.fails)
				return
			}
			require.NoError(t, got.err)
			require.Nil(t, got.Error)
			assert.Equal(t, firstID, got.ID.Value())
			if c.result == "*" {
				assert.JSONEq(t, result, string(got.Result))
			} else {
				assert.Equal(t, c.result, string(got.Result))
			}
			// The next line is read when all before it was.
			ended = r.ask(t.Context(), firstID+1, "x/y", nil)
			r.prints(fmt.Sprintf(`{"id":%d,"result":{}}`+"\n", firstID+1))
			require.NoError(t, r.await(ended).err, "the connection lives on")
			assert.Equal(t, c.strays, int(r.Strays()), "%v", told(r))
			assert.Len(t, r.strays, 0)
		})
	}
}

// told is what was told of strays so far.
func told(r *rig) []string {
	var all []string
	for range len(r.strays) {
		all = append(all, <-r.strays)
	}
	return all
}

func TestTheLastLineNeedsNoEnd(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	ended := r.ask(t.Context(), firstID, "x/y", nil)
	r.prints(strings.ReplaceAll(good, "$id", fmt.Sprint(firstID)))
	require.NoError(t, r.out.Close())
	got := r.await(ended)
	require.NoError(t, got.err)
	assert.Equal(t, result, string(got.Result))
}

func TestWhatIsHeldAtTheEndIsTold(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	ended := r.ask(t.Context(), firstID, "x/y", nil)
	r.prints(fmt.Sprintf("{\n\"id\": %d,\n", firstID))
	require.NoError(t, r.out.Close())
	assert.ErrorContains(t, r.await(ended).err, "torn")
}

func TestErrorsKeepWhatTheServerSaid(t *testing.T) {
	t.Parallel()
	for failure, want := range map[string]struct {
		code          int
		message, data string
	}{
		`{"code":-32000,"message":"no"}`:             {-32000, "no", ""},
		`{"code":-32000,"message":"no","data":null}`: {-32000, "no", ""},
		`{"code":-32000,"message":"no","data":{"n":9007199254740993,"x":1.50,"y":1E700,"z":[{"id":1}] }}`: {-32000, "no", `{"n":9007199254740993,"x":1.50,"y":1E700,"z":[{"id":1}] }`},
		`{"code":-32602,"message":"a\u00e9\n"}`:                                                           {-32602, "aé\n", ""},
		`{"code":"-32602","message":"no"}`:                                                                {-32602, "no", ""},
		`{"code":-32602.0,"message":"no"}`:                                                                {-32602, "no", ""},
		`{"code":4.04e2,"message":"no"}`:                                                                  {404, "no", ""},
		`{"code":0,"message":"no"}`:                                                                       {0, "no", ""},
		`{"code":"E_LIMIT","message":"no"}`:                                                               {-32603, `no (code "E_LIMIT")`, ""},
		`{"code":-32602.5,"message":"no"}`:                                                                {-32603, `no (code -32602.5)`, ""},
		`{"code":1e40,"message":"no"}`:                                                                    {-32603, `no (code 1e40)`, ""},
		`{"code":{"x":1},"message":"no"}`:                                                                 {-32603, `no (code {"x":1})`, ""},
		`{"message":"no"}`:                                                                                {-32603, "no", ""},
		`{"code":-1}`:                                                                                     {-1, "", `{"code":-1}`},
		`{"code":-1,"message":{"en":"no"}}`:                                                               {-1, "", `{"code":-1,"message":{"en":"no"}}`},
		`{"code":-1,"detail":"no"}`:                                                                       {-1, "", `{"code":-1,"detail":"no"}`},
		`{}`:                                                                                              {-32603, "", `{}`},
		`"cursor_invalid"`:                                                                                {-32603, "cursor_invalid", ""},
		`["no"]`:                                                                                          {-32603, `["no"]`, ""},
		`true`:                                                                                            {-32603, `true`, ""},
	} {
		t.Run(failure, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, nil)
			for i, rest := range []string{"", `,"result":null`} {
				ended := r.ask(t.Context(), firstID+int64(i), "x/y", nil)
				r.prints(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":%s%s}`+"\n", firstID+int64(i), failure, rest))
				got := r.await(ended)
				require.NoError(t, got.err)
				require.NotNil(t, got.Error)
				assert.Equal(t, want.code, got.Error.Code)
				assert.Equal(t, want.message, got.Error.Message)
				data, _ := got.Error.Data.(json.RawMessage)
				assert.Equal(t, want.data, string(data))
			}
		})
	}
}

// A server that cannot read a message cannot name its id.
func TestAnErrorWithoutAnIdBelongsToTheOneThatWaits(t *testing.T) {
	t.Parallel()
	const parse = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}` + "\n"
	r := newRig(t, nil)
	ended := r.ask(t.Context(), firstID, "x/y", nil)
	r.prints(`{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"no such notification"}}` + "\n")
	r.prints(`{"jsonrpc":"2.0","id":null,"result":{}}` + "\n")
	r.prints(parse)
	got := r.await(ended)
	require.NoError(t, got.err)
	assert.Equal(t, -32700, got.Error.Code)
	assert.Len(t, told(r), 2, "an error that is no such one, and a result")

	first, second := r.ask(t.Context(), firstID+1, "x/y", nil), r.ask(t.Context(), firstID+2, "x/y", nil)
	r.prints(parse)
	r.prints(fmt.Sprintf(`[{"id":%d,"result":{}},{"id":%d,"result":{}}]`+"\n", firstID+2, firstID+1))
	assert.NoError(t, r.await(first).err, "it may have been the other one")
	assert.NoError(t, r.await(second).err)
	assert.Len(t, told(r), 1)
}

func TestStraysAreToldInShort(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	r.prints("noise " + strings.Repeat("\xff", 1<<20) + "\n")
	assert.LessOrEqual(t, len(<-r.strays), 1000)
	r.prints(`{"jsonrpc":"2.0","id":7,"result":{"secret":"s3cr3t"}}` + "\n")
	assert.Equal(t, "an answer that no request waits for: id 7 ", <-r.strays, "an answer's content is somebody's")
	assert.EqualValues(t, 2, r.Strays())
}

func TestO68_LinesOfMegabytes(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	for i, size := range []int{100, 64 << 10, 128<<10 - 60, 128 << 10, 5 << 20, 10} {
		id := firstID + int64(i)
		ended := r.ask(t.Context(), id, "x/y", nil)
		want := `{"text":"` + strings.Repeat("é", size/2) + `"}`
		r.prints(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`+"\n", id, want))
		got := r.await(ended)
		require.NoError(t, got.err)
		require.Equal(t, want, string(got.Result))
		r.prints(strings.Repeat("noise ", 100_000) + "\n") // into the same buffer
		require.Equal(t, want, string(got.Result), "it is the caller's")
	}
}

func TestO72_AMessageThatIsTornKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	for _, torn := range []string{`{"jsonrpc":"2.0","id":%d,"result":{`, `{"jsonrpc":"2.0","id":%d,"result":{"a":[`, `{"jsonrpc":"2.0","id":%d,`} {
		for _, more := range []int{0, 1, 60} { // lines that might go on with it
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, nil)
				ended := r.ask(t.Context(), firstID, "x/y", nil)
				r.prints(fmt.Sprintf(torn, firstID) + "\n")
				for range more {
					time.Sleep(time.Second)
					r.prints("tick,\n")
				}
				err := r.await(ended).err
				var answer *wire.AnswerError
				require.ErrorAs(t, err, &answer)
				require.ErrorContains(t, err, "torn")

				again := r.ask(t.Context(), firstID+1, "x/y", nil)
				r.prints(fmt.Sprintf("{\n\"id\": %d,\n", firstID+1))
				time.Sleep(time.Second)
				r.prints("\"result\": {}\n}\n")
				require.NoError(t, r.await(again).err, "a message that takes its time is read")
			})
		}
	}
}
