// Package args turns what a model wrote into the JSON object that is sent to
// the server as the arguments of a tool call.
//
// Models write arguments in many ways: as JSON, in code fences, between
// sentences, as a JSON text inside a JSON string, as Python literals, as a bare
// value, or as nothing at all. [Schema.Parse] reads all of these, makes the
// values fit the tool's schema where that is possible without a guess, checks
// the result against the whole schema, and answers either one JSON object or an
// [*Error] whose text tells the model what is wrong and how to write it.
//
// Nothing is ever lost or rounded on the way: the values are slices of the
// model's text, so numbers keep every digit and keys every byte. Where a text
// can be read in two ways, or would have to be completed by a guess, the model
// is asked again. A value that is valid under the server's schema is passed on
// as it is.
//
// The steps are, one file each: read.go finds the object in the text, prose.go
// looks for it between sentences, repair.go mends JSON that is nearly right,
// coerce.go makes values fit, defaults.go fills in and binds values, check.go
// asks the validator, and fault.go puts its findings into words.
//
// The package is pure: no I/O, no goroutines. A [Schema] may be used by many
// goroutines at once. Whatever a server puts into a schema and a model into a
// text, the work is bounded in size, depth and time and does not panic.
package args
