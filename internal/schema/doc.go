// Package schema turns the JSON Schema of a server's tool into what a model
// may be shown.
//
// Servers send schemas of every draft and in every state of repair; model
// providers accept small and different subsets of JSON Schema, and one
// construct they dislike makes them refuse the whole request, every other tool
// with it. A [Profile] is what one family of providers accepts. [Parameters]
// converts a schema to a profile, [Signature] says it in one line for agents
// that only read text.
//
// The way of a schema through the package is parse.go (bytes to values, within
// bounds), read.go and compose.go (values to one normal form, references
// resolved, parts merged), finish.go and fold.go (types inferred, unions sorted
// out), lower.go and typed.go (normal form to a profile) and restore.go (the
// model's arguments back to what the server expects). What a profile cannot express is
// said in words instead, so nothing is silently lost.
//
// The package is pure: no I/O, no goroutines, no state. The same input gives
// the same bytes, because providers cache prompts by their bytes. Whatever a
// server sends, a conversion ends, does not panic and stays within fixed
// bounds of depth, count and size. The schema that arguments are checked
// against is never the converted one: that stays the server's own.
package schema
