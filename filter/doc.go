// Package filter chooses which of a server's tools an agent gets.
//
// A [Filter] looks at one tool at a time, as the server describes it, and
// keeps it or not. [Allow], [Deny] and [Match] go by name, [ReadOnly] by the
// server's hint, [Predicate] by the owner's own function, which sees the
// context of the listing or the call. [And], [Or] and [Not] combine them:
//
//	filter.And(filter.Match("read_*", "list_*"), filter.Deny("read_secrets"))
//
// # Names
//
// Names are the server's own, compared exactly: case counts, and a prefix
// that the toolset puts in front of them does not belong in a filter.
//
// # Nothing and everything
//
//   - No filter (nil) keeps every tool.
//   - Allow and Match keep none when called without names: an empty list
//     allows nothing.
//   - Deny without names and a nil predicate keep every tool.
//   - And without filters keeps every tool, Or without filters none.
//
// # Mistakes
//
// A name that no tool bears does no harm to the others, but is never passed
// over in silence: [Unknown] finds it. A filter that can be seen to be wrong
// before there is a server, such as a pattern with an open bracket, is found
// by [Validate], which a config calls when it is built. A predicate that fails
// or panics is an error, and its tool is not kept.
//
// The package is pure: no I/O, no goroutines. Its filters never change after
// they are made and are safe for concurrent use.
package filter
