package config_test

import (
	"net/http"
	"reflect"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/require"

	"github.com/mcptoolset/mcptoolset/config"
	"github.com/mcptoolset/mcptoolset/filter"
)

// connectionFields are the fields of Config of which exactly one is set.
var connectionFields = []string{"Stdio", "SSE", "StreamableHTTP", "InProcess"}

// filled returns a valid config in which every field is set, with the named
// connection. It goes by reflection: a field added to the package is in it, or
// the test fails because it does not know its kind.
func filled(t *testing.T, connection string) config.Config {
	t.Helper()
	var c config.Config
	v := reflect.ValueOf(&c).Elem()
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		if isConnection(name) && name != connection {
			continue
		}
		fill(t, name, v.Field(i))
	}
	require.NoError(t, c.Validate())
	return c
}

func isConnection(field string) bool {
	for _, c := range connectionFields {
		if c == field {
			return true
		}
	}
	return false
}

func fill(t *testing.T, name string, v reflect.Value) {
	t.Helper()
	switch v.Interface().(type) {
	case time.Duration:
		v.SetInt(int64(7 * time.Second))
		return
	case *http.Client:
		v.Set(reflect.ValueOf(&http.Client{Timeout: time.Hour}))
		return
	case *server.MCPServer:
		v.Set(reflect.ValueOf(server.NewMCPServer("in", "1")))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(map[string]string{"URL": "https://u:p@example.com/mcp?q=1", "ProtocolVersion": "2025-06-18"}[name])
		if v.String() == "" {
			v.SetString("value-of-" + name)
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(7)
	case reflect.Slice:
		v.Set(reflect.ValueOf([]string{"one", "two"}))
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{"One": "1", "Two": "2"}))
	case reflect.Interface:
		v.Set(reflect.ValueOf(filter.Allow("a")))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		for i := range v.Elem().NumField() {
			fill(t, v.Elem().Type().Field(i).Name, v.Elem().Field(i))
		}
	default:
		t.Fatalf("field %s: no value for a %s", name, v.Type())
	}
	require.False(t, v.IsZero(), "field %s is still zero", name)
}

// fieldsOf lists the fields a builder has a method for, with the settings of
// the given connection.
func fieldsOf(connection string) []string {
	var names []string
	c := reflect.TypeFor[config.Config]()
	for f := range fieldNames(c) {
		if !isConnection(f) {
			names = append(names, f)
		}
	}
	field, _ := c.FieldByName(connection)
	for f := range fieldNames(field.Type.Elem()) {
		names = append(names, f)
	}
	return names
}

func fieldNames(t reflect.Type) func(func(string) bool) {
	return func(yield func(string) bool) {
		for i := range t.NumField() {
			if !yield(t.Field(i).Name) {
				return
			}
		}
	}
}

// sameMemory reports whether a change of a map or slice, or through a pointer
// of this package, would be seen in both.
func sameMemory(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Map, reflect.Slice:
		return a.Len() > 0 && a.Pointer() == b.Pointer()
	case reflect.Pointer:
		if a.IsNil() || a.Type().Elem().PkgPath() != reflect.TypeFor[config.Config]().PkgPath() {
			return false
		}
		return a.Pointer() == b.Pointer() || sameMemory(a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if sameMemory(a.Field(i), b.Field(i)) {
				return true
			}
		}
	}
	return false
}
