package config

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"time"
)

// shown is what of a config may be shown, ready for every way of showing it.
type shown struct {
	typ   string
	attrs []slog.Attr
}

func (s *shown) add(a slog.Attr) { s.attrs = append(s.attrs, a) }

func (s *shown) text(key, value string) {
	if value != "" {
		s.add(slog.String(key, value))
	}
}

func (s *shown) list(key string, values []string) {
	if len(values) > 0 {
		s.add(slog.Any(key, values))
	}
}

func (s *shown) number(key string, value int) {
	if value != 0 {
		s.add(slog.Int(key, value))
	}
}

func (s *shown) flag(key string, value bool) {
	if value {
		s.add(slog.Bool(key, value))
	}
}

func (s *shown) duration(key string, value time.Duration) {
	switch value {
	case 0:
	case NoTimeout:
		s.add(slog.String(key, "none"))
	default:
		s.add(slog.String(key, value.String()))
	}
}

func (s *shown) part(key string, part *shown) { s.add(slog.Any(key, part)) }

// LogValue makes a part a group of the whole.
func (s *shown) LogValue() slog.Value { return slog.GroupValue(s.attrs...) }

// String is one line: config.Config{Name:"docs" Resources:true}.
func (s *shown) String() string { return s.typ + s.fields() }

func (s *shown) fields() string {
	texts := make([]string, len(s.attrs))
	for i, a := range s.attrs {
		texts[i] = a.Key + ":" + fieldText(a.Value)
	}
	return "{" + strings.Join(texts, " ") + "}"
}

func fieldText(v slog.Value) string {
	switch v := v.Any().(type) {
	case *shown:
		return v.fields()
	case string:
		return strconv.Quote(v)
	case []string:
		return fmt.Sprintf("%q", v)
	default:
		return fmt.Sprint(v)
	}
}

// format writes the same text for every verb; %q and %x dress it as they dress
// a string.
func (s *shown) format(f fmt.State, verb rune) {
	switch verb {
	case 'q', 'x', 'X':
		fmt.Fprintf(f, fmt.FormatString(f, verb), s.String())
	default:
		io.WriteString(f, s.String())
	}
}

// MarshalJSON writes an object with the fields in order.
func (s *shown) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, a := range s.attrs {
		value, err := json.Marshal(a.Value.Any())
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:%s", a.Key, value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// What follows gives every type of the package the same faces, by value and by
// pointer. Only Builder has other methods too, on its pointer.

type printable interface {
	fmt.Stringer
	fmt.GoStringer
	fmt.Formatter
	slog.LogValuer
	json.Marshaler
	encoding.TextMarshaler
}

var _ = []printable{Config{}, Builder{}, Stdio{}, SSE{}, StreamableHTTP{}, InProcess{}}

// String shows c on one line, without secrets and fields that are not set.
func (c Config) String() string { return c.shown().String() }

// GoString is String: the Go syntax of a config would show its secrets.
func (c Config) GoString() string { return c.String() }

// Format writes String for every verb of package fmt.
func (c Config) Format(f fmt.State, verb rune) { c.shown().format(f, verb) }

// LogValue is a group of what String shows.
func (c Config) LogValue() slog.Value { return c.shown().LogValue() }

// MarshalJSON writes what String shows, as an object for logs and displays. It
// is no way to store a config: there is nothing in it to connect with.
func (c Config) MarshalJSON() ([]byte, error) { return c.shown().MarshalJSON() }

// MarshalText is String, for encoders that know [encoding.TextMarshaler].
func (c Config) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// String shows the config built so far as [Config.String] does.
func (b Builder) String() string { return b.shown().String() }

// GoString is String.
func (b Builder) GoString() string { return b.String() }

// Format writes String for every verb of package fmt.
func (b Builder) Format(f fmt.State, verb rune) { b.shown().format(f, verb) }

// LogValue is a group of what String shows.
func (b Builder) LogValue() slog.Value { return b.shown().LogValue() }

// MarshalJSON writes what String shows; see [Config.MarshalJSON].
func (b Builder) MarshalJSON() ([]byte, error) { return b.shown().MarshalJSON() }

// MarshalText is String.
func (b Builder) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// String shows s as [Config.String] does.
func (s Stdio) String() string { return s.shown().String() }

// GoString is String.
func (s Stdio) GoString() string { return s.String() }

// Format writes String for every verb of package fmt.
func (s Stdio) Format(f fmt.State, verb rune) { s.shown().format(f, verb) }

// LogValue is a group of what String shows.
func (s Stdio) LogValue() slog.Value { return s.shown().LogValue() }

// MarshalJSON writes what String shows; see [Config.MarshalJSON].
func (s Stdio) MarshalJSON() ([]byte, error) { return s.shown().MarshalJSON() }

// MarshalText is String.
func (s Stdio) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// String shows e as [Config.String] does.
func (e SSE) String() string { return e.shown().String() }

// GoString is String.
func (e SSE) GoString() string { return e.String() }

// Format writes String for every verb of package fmt.
func (e SSE) Format(f fmt.State, verb rune) { e.shown().format(f, verb) }

// LogValue is a group of what String shows.
func (e SSE) LogValue() slog.Value { return e.shown().LogValue() }

// MarshalJSON writes what String shows; see [Config.MarshalJSON].
func (e SSE) MarshalJSON() ([]byte, error) { return e.shown().MarshalJSON() }

// MarshalText is String.
func (e SSE) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// String shows e as [Config.String] does.
func (e StreamableHTTP) String() string { return e.shown().String() }

// GoString is String.
func (e StreamableHTTP) GoString() string { return e.String() }

// Format writes String for every verb of package fmt.
func (e StreamableHTTP) Format(f fmt.State, verb rune) { e.shown().format(f, verb) }

// LogValue is a group of what String shows.
func (e StreamableHTTP) LogValue() slog.Value { return e.shown().LogValue() }

// MarshalJSON writes what String shows; see [Config.MarshalJSON].
func (e StreamableHTTP) MarshalJSON() ([]byte, error) { return e.shown().MarshalJSON() }

// MarshalText is String.
func (e StreamableHTTP) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// String shows p as [Config.String] does.
func (p InProcess) String() string { return p.shown().String() }

// GoString is String.
func (p InProcess) GoString() string { return p.String() }

// Format writes String for every verb of package fmt.
func (p InProcess) Format(f fmt.State, verb rune) { p.shown().format(f, verb) }

// LogValue is a group of what String shows.
func (p InProcess) LogValue() slog.Value { return p.shown().LogValue() }

// MarshalJSON writes what String shows; see [Config.MarshalJSON].
func (p InProcess) MarshalJSON() ([]byte, error) { return p.shown().MarshalJSON() }

// MarshalText is String.
func (p InProcess) MarshalText() ([]byte, error) { return []byte(p.String()), nil }
