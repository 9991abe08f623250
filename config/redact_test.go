package config_test

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"log"
	"log/slog"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/filter"
)

const secret = "tok-123"

// secretive is one config for each connection with secrets in every place
// where one may be.
func secretive() map[string]config.Config {
	headers := map[string]string{"Authorization": "Bearer " + secret, "X-Api-Key": secret, secret + ":": "no name"}
	jar := &http.Client{Transport: &http.Transport{ProxyConnectHeader: http.Header{"Proxy-Authorization": {secret}}}}
	address := "https://" + secret + ":" + secret + "@example.com/mcp?token=" + secret + "&" + secret + "&a=" + secret + "=" + secret + "#" + secret
	return map[string]config.Config{
		"Stdio": {Stdio: &config.Stdio{
			Command: "server --token " + secret,
			Args: []string{"-y", "--token", secret, "--api-key=" + secret, "-p" + secret, "-H", "Authorization: Bearer " + secret,
				"postgres://u:" + secret + "@h/db", secret, "TOKEN=" + secret, "--" + secret, "--" + secret + "=1"},
			Env: map[string]string{"API_TOKEN": secret, "A=" + secret: ""},
		}},
		"SSE":            {SSE: &config.SSE{URL: address, Headers: headers, HTTPClient: jar}},
		"StreamableHTTP": {StreamableHTTP: &config.StreamableHTTP{URL: address, Headers: headers, HTTPClient: jar}},
		"InProcess":      {InProcess: &config.InProcess{Server: server.NewMCPServer(secret, secret)}},
	}
}

// faces prints v in every way a program may, as itself and inside other values.
func faces(t require.TestingT, v any) map[string]string {
	out := map[string]string{}
	inside := []any{v, []any{v}, map[string]any{"k": v}, struct{ V any }{v}, &struct{ V any }{v}}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%10.3v", "%t", "%T", "%U"} {
		for i, x := range inside {
			if text := fmt.Sprintf(verb, x); verb == "%x" || verb == "%X" {
				out[fmt.Sprint(verb, i)] = fmt.Sprint(strings.Contains(strings.ToLower(text), fmt.Sprintf("%x", secret)), strings.ReplaceAll(text, fmt.Sprintf("%x", secret), secret))
			} else {
				out[fmt.Sprint(verb, i)] = text
			}
		}
	}
	var text, logged bytes.Buffer
	for _, h := range []slog.Handler{slog.NewTextHandler(&text, nil), slog.NewJSONHandler(&logged, nil)} {
		l := slog.New(h)
		for _, x := range inside {
			l.Info("m", "x", x)
			l.With("x", x).WithGroup("g").Info("m", slog.Group("h", "x", x))
		}
	}
	out["slog text"], out["slog json"] = text.String(), logged.String()
	var plain bytes.Buffer
	log.New(&plain, "", 0).Println(inside...)
	out["log"] = plain.String()
	for i, x := range inside {
		b, err := json.Marshal(x)
		require.NoError(t, err)
		out[fmt.Sprint("json", i)] = string(b)
	}
	out["GoString"] = v.(fmt.GoStringer).GoString()
	marshalled, err := v.(encoding.TextMarshaler).MarshalText()
	require.NoError(t, err)
	out["MarshalText"] = string(marshalled)
	out["error"] = fmt.Errorf("with %v", v).Error()
	return out
}

func TestA8_O84_PrintingShowsNoSecret(t *testing.T) {
	t.Parallel()
	for connection, c := range secretive() {
		part := reflect.ValueOf(c).FieldByName(connection)
		values := map[string]any{
			"Config": c, "*Config": &c, "*Builder": c.Builder(), "Builder": *c.Builder(),
			"part": part.Elem().Interface(), "*part": part.Interface(),
		}
		for kind, v := range values {
			t.Run(connection+"/"+kind, func(t *testing.T) {
				t.Parallel()
				for face, text := range faces(t, v) {
					assert.NotContains(t, text, secret, face)
					assert.NotContains(t, text, "Authorization: Bearer", face)
				}
			})
		}
	}
}

// A program may keep a config in a field of its own that package fmt cannot
// ask how to print itself.
func TestA8_AnUnexportedFieldShowsNoSecret(t *testing.T) {
	t.Parallel()
	for connection, c := range secretive() {
		app := struct {
			cfg     config.Config
			pointer *config.Config
			builder *config.Builder
		}{c, &c, c.Builder()}
		for _, verb := range []string{"%v", "%+v", "%#v"} { // others make fmt follow the pointers, see the package's doc
			assert.NotContains(t, fmt.Sprintf(verb, app), secret, connection)
			assert.NotContains(t, fmt.Sprintf(verb, &app), secret, connection)
		}
	}
}

func TestA8_WhatIsShown(t *testing.T) {
	t.Parallel()
	web := config.Config{
		Name: "docs", Filter: filter.Allow("search"), Resources: true, CallTimeout: config.NoTimeout, ListTimeout: 5e9, MaxItems: 7,
		StreamableHTTP: &config.StreamableHTTP{URL: "https://me:tok-123@h:8443/a%2Fb?k=tok-123&x", Headers: map[string]string{"X-B": "1", "Authorization": "2"}, HTTPClient: http.DefaultClient},
	}
	const text = `config.Config{Name:"docs" StreamableHTTP:{URL:"https://***@h:8443/a%2Fb?k=***&***" Headers:["Authorization" "X-B"] HTTPClient:"set"} ` +
		`Filter:"Allow(\"search\")" Resources:true ListTimeout:"5s" CallTimeout:"none" MaxItems:7}`
	for _, got := range []string{web.String(), web.GoString(), fmt.Sprint(web), fmt.Sprintf("%+v", &web), fmt.Sprintf("%#v", web), fmt.Sprintf("%d", web)} {
		assert.Equal(t, text, got)
	}
	assert.Equal(t, fmt.Sprintf("%q", text), fmt.Sprintf("%q", web))
	assert.Equal(t, fmt.Sprintf("%x", text), fmt.Sprintf("%x", web))
	assert.Equal(t, "config.Builder"+strings.TrimPrefix(text, "config.Config"), web.Builder().String())

	b, err := json.Marshal(web)
	require.NoError(t, err)
	const object = `{"Name":"docs","StreamableHTTP":{"URL":"https://***@h:8443/a%2Fb?k=***\u0026***","Headers":["Authorization","X-B"],"HTTPClient":"set"},` +
		`"Filter":"Allow(\"search\")","Resources":true,"ListTimeout":"5s","CallTimeout":"none","MaxItems":7}`
	assert.Equal(t, object, string(b))
	marshalled, err := web.MarshalText()
	require.NoError(t, err)
	assert.Equal(t, text, string(marshalled))

	var logged bytes.Buffer
	slog.New(slog.NewJSONHandler(&logged, nil)).Info("m", "cfg", web)
	var line struct{ Cfg json.RawMessage }
	require.NoError(t, json.Unmarshal(logged.Bytes(), &line))
	assert.JSONEq(t, object, string(line.Cfg))
	logged.Reset()
	slog.New(slog.NewTextHandler(&logged, nil)).Info("m", "cfg", &web)
	assert.Contains(t, logged.String(), `cfg.Name=docs cfg.StreamableHTTP.URL="https://***@h:8443/a%2Fb?k=***&***"`)

	assert.Equal(t, `config.Stdio{Command:"npx" Args:"-y *** --token *** --api-key=***" Env:["A" "B"] Dir:"/d"}`, fmt.Sprint(config.Stdio{
		Command: "npx", Args: []string{"-y", "@scope/server", "--token", "x", "--api-key=x"}, Env: map[string]string{"B": "1", "A": "2"}, Dir: "/d",
	}))
	assert.Equal(t, `config.Stdio{Command:"server ***"}`, fmt.Sprint(config.Stdio{Command: "server --token x"}))
	assert.Equal(t, `config.InProcess{Server:"set"}`, fmt.Sprint(config.InProcess{Server: server.NewMCPServer("s", "1")}))
	assert.Equal(t, "config.Config{}", fmt.Sprint(config.Config{}))
	assert.Equal(t, "config.InProcess{}", fmt.Sprint(config.InProcess{}))
	assert.Equal(t, `config.Config{Filter:"*config_test.none"}`, fmt.Sprint(config.Config{Filter: &none{}}))
}

func TestA8_EveryFieldIsShownByName(t *testing.T) {
	t.Parallel()
	for _, connection := range connectionFields {
		c := filled(t, connection)
		text := c.String()
		assert.Contains(t, text, connection+":{")
		for _, field := range fieldsOf(connection) {
			assert.Contains(t, text, field+":", "a field that is set is not shown")
		}
	}
}

func TestA8_JSONCannotBeTakenForAConfig(t *testing.T) {
	t.Parallel()
	b, err := json.Marshal(config.Config{SSE: &config.SSE{URL: "http://h", Headers: map[string]string{"X-A": "1"}}})
	require.NoError(t, err)
	assert.Error(t, json.Unmarshal(b, new(config.Config)), "headers without values are read back")
}

func TestA8_NilPointersPrint(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "<nil> <nil> <nil>", fmt.Sprintf("%v %+v %s", (*config.Config)(nil), (*config.Builder)(nil), (*config.SSE)(nil)))
}

func TestO85_RedactURL(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"":                                     "",
		"https://h":                            "https://h",
		"HTTPS://H:1/a/b":                      "https://H:1/a/b",
		"https://h/?":                          "https://h/",
		"http://[::1]:8/x":                     "http://[::1]:8/x",
		"https://user:pass-99@h/mcp?token=abc": "https://***@h/mcp?token=***",
		"https://tok@h/":                       "https://***@h/",
		"https://@h/":                          "https://***@h/",
		"https://h/?a=1&b=2&a=3":               "https://h/?a=***&b=***&a=***",
		"https://h/?abc":                       "https://h/?***",
		"https://h/?a=b=c;d=e&&f=":             "https://h/?a=***&&f=***",
		"https://h/?a=%zz":                     "https://h/?a=***",
		"https://h/a%20b/c;v=1#frag":           "https://h/a%20b/c;v=1#***",
		"https://h/@scope/x":                   "https://h/@scope/x",
		"https://u:p@ss/word@h/":               "***",
		"u:p@h/mcp":                            "***",
		"localhost:8080/mcp":                   "***",
		"ftp://u:p@h/":                         "***",
		"mailto:me@h":                          "***",
		"http:///mcp?token=abc":                "***",
		"http://u:p%zz@h/":                     "***",
		"http://u:pass":                        "***",
		"http://u:p\n@h/":                      "***",
		"://":                                  "***",
		"https://h/" + strings.Repeat("a", 10000): "https://h/" + strings.Repeat("a", 10000),
	} {
		assert.Equal(t, want, config.RedactURL(raw), raw)
	}
}

// Whatever is wrong with a config, neither its error nor its printed form
// shows a secret.
func TestA2_O85_ErrorsShowNoSecretProperty(t *testing.T) {
	t.Parallel()
	noise := rapid.OneOf(
		rapid.SampledFrom([]string{"", "\n", "\x00", "\r\nX: y", " ", "%zz", "%", "${", "${A:-", "}", "/", "?", "#", "@", ":", "[", "]", "://", "\\", "&", "=", ";", "é", "\xff"}),
		rapid.String(),
	)
	value := rapid.Custom(func(t *rapid.T) string {
		return noise.Draw(t, "before") + secret + noise.Draw(t, "after")
	})
	rapid.Check(t, func(t *rapid.T) {
		userinfo := value.Draw(t, "user") + ":" + value.Draw(t, "password")
		query := "token=" + value.Draw(t, "query")
		// A broken user part may move the secret into host or path, where
		// nothing tells it from one; so it is escaped as the errors advise.
		address := rapid.SampledFrom([]string{"https://", "http://", "HTTPS://"}).Draw(t, "scheme") + url.UserPassword(userinfo, userinfo).String() + "@" +
			rapid.SampledFrom([]string{"h", "", ":1", "h:99999", "h:x", "<h>", "h h", "${H}", "[::1"}).Draw(t, "host") + "/mcp?" + query
		if rapid.Bool().Draw(t, "no usable scheme") {
			address = rapid.SampledFrom([]string{"", "ftp://", "//", "mcp:"}).Draw(t, "other scheme") + userinfo + "@h/mcp?" + query
		}
		headers := map[string]string{"Authorization": value.Draw(t, "header"), "X-Api-Key": value.Draw(t, "key"), "x y " + secret: ""}
		for _, c := range []config.Config{
			{Name: "n", SSE: &config.SSE{URL: address, Headers: headers}},
			{StreamableHTTP: &config.StreamableHTTP{URL: address, Headers: headers}},
			{Stdio: &config.Stdio{Command: "server " + value.Draw(t, "command"), Args: []string{value.Draw(t, "arg")},
				Env: map[string]string{"A": value.Draw(t, "env"), "=" + value.Draw(t, "env name"): ""}}},
		} {
			err := c.Validate()
			require.Error(t, err)
			require.NotContains(t, err.Error(), secret)
			require.NotContains(t, fmt.Sprintf("%+v", err), secret)
			require.NotContains(t, c.ServerName(), secret)
			for face, text := range faces(t, c) {
				require.NotContains(t, text, secret, face)
			}
			_, err = c.Builder().Build()
			require.Error(t, err)
			require.NotContains(t, err.Error(), secret)
		}
	})
}

func FuzzValidate(f *testing.F) {
	for _, s := range []string{"", "http://h", "${X}", "http://u:p@h/?q=1", "npx -y x", "a\x00b", "/a/b -c", "Bearer ${T}"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, c := range []config.Config{
			{Name: a, Prefix: b, SSE: &config.SSE{URL: a, Headers: map[string]string{b: a}}, ProtocolVersion: b},
			{Reserved: []string{a}, Stdio: &config.Stdio{Command: a, Args: []string{b}, Env: map[string]string{a: b}, Dir: b}},
			{Filter: filter.Match(a, b), StreamableHTTP: &config.StreamableHTTP{URL: "http://" + a + "@" + b}},
		} {
			if err := c.Validate(); err != nil {
				_ = err.Error()
			} else if u := c.StreamableHTTP; u != nil {
				if _, err := url.Parse(u.URL); err != nil {
					t.Fatalf("%q passes and does not parse", u.URL)
				}
			}
			if err := c.WithDefaults().Validate(); (err == nil) != (c.Validate() == nil) {
				t.Fatalf("defaults change the verdict: %v", err)
			}
			_ = c.String()
			if _, err := json.Marshal(c); err != nil {
				t.Fatal(err)
			}
		}
	})
}
