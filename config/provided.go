package config

import (
	"maps"
	"net/http"
	"slices"
)

// CheckHeaders holds headers that were made at run time, such as a header
// provider's, to the rules [Config.Validate] has for configured ones. The
// error names every header at fault and never shows a value; nil if none is.
func CheckHeaders(headers http.Header) error {
	f := &faults{}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		for _, value := range headers[name] {
			checkHeaders(f, "Headers", map[string]string{name: value})
		}
	}
	return f.err("")
}
