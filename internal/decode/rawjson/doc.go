// Package rawjson walks JSON text from front to back, strictly and in one
// pass, and hands out the bytes of the values it meets.
//
// It exists for text that others wrote and whose every byte matters. Nothing
// is rounded, reordered or folded: numbers stay digits, keys match exactly
// (encoding/json would take "Content" for "content"), and values are slices of
// the input, so that a result of megabytes is looked at once and copied only
// where a string is asked for.
//
// What it accepts is what encoding/json accepts, nesting limit included.
//
// The package is pure: no I/O, no goroutines, no state between calls.
package rawjson
