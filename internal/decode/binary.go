package decode

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// Binary decodes base64 as servers send it: in the standard or the URL
// alphabet, with or without padding, in one line or several, with or without
// the head of a data URL ("data:image/png;base64,").
func Binary(s string) ([]byte, error) {
	s = dataURLBody(s)
	if data, err := base64.StdEncoding.DecodeString(s); err == nil {
		return data, nil
	}
	size, err := BinarySize(s)
	if err != nil {
		return nil, err
	}
	plain := make([]byte, 0, len(s))
	for i := range len(s) {
		switch c := s[i]; c {
		case '-':
			plain = append(plain, '+')
		case '_':
			plain = append(plain, '/')
		case '=', ' ', '\t', '\r', '\n':
		default:
			plain = append(plain, c)
		}
	}
	data := make([]byte, size)
	if _, err := base64.RawStdEncoding.Decode(data, plain); err != nil {
		return nil, fmt.Errorf("broken base64: %w", err)
	}
	return data, nil
}

// BinarySize returns how many bytes [Binary] would return, without decoding
// them, or the error it would return.
func BinarySize(s string) (int, error) {
	s = dataURLBody(s)
	digits, padding := 0, 0
	for i := range len(s) {
		switch class := base64Classes[s[i]]; {
		case class == base64Digit && padding == 0:
			digits++
		case class == base64Padding:
			padding++
		case class == base64Space:
		default:
			return 0, fmt.Errorf("broken base64: a wrong character at %d of %d", i, len(s))
		}
	}
	switch {
	case digits%4 == 1:
		return 0, errors.New("broken base64: it ends in the middle of a byte")
	case padding > 0 && (padding > 2 || (digits+padding)%4 != 0):
		return 0, errors.New("broken base64: it ends in wrong padding")
	}
	return digits/4*3 + max(digits%4-1, 0), nil
}

// What a byte is in base64; zero is none of it.
const (
	base64Digit = 1 + iota
	base64Padding
	base64Space
)

var base64Classes = func() (classes [256]uint8) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_") {
		classes[c] = base64Digit
	}
	for _, c := range []byte(" \t\r\n") {
		classes[c] = base64Space
	}
	classes['='] = base64Padding
	return classes
}()

// dataURLBody strips the head of a base64 data URL.
func dataURLBody(s string) string {
	const scheme, mark = "data:", ";base64,"
	if len(s) < len(scheme) || !strings.EqualFold(s[:len(scheme)], scheme) {
		return s
	}
	head := s[:min(len(s), 256)] // a media type is short
	if i := strings.Index(head, mark); i >= 0 {
		return s[i+len(mark):]
	}
	return s
}
