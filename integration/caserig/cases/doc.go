// Package cases holds the failures that users of libraries like this one have
// reported in public, each as a small input with the right outcome. A file
// holds the cases of one kind.
//
// The numbers are those of docs/promises.md: O01 to O95 are the reported
// failures, all others, such as F8, promises of the library. The inputs are
// samples of their kind: what is wrong is to be mended for the kind, not for
// the sample.
package cases

import . "caserig/rig"

var (
	stdio      = []string{"stdio"}
	http       = []string{"http"}
	sse        = []string{"sse"}
	web        = []string{"http", "sse"}
	everywhere = []string{"stdio", "http", "sse"}
)

// echo is a server whose tools t and u answer with their arguments.
var echo = Scenario{Tools: []Raw{T("t", Any), T("u", Any)}}

// rules is echo with rules.
func rules(rs ...Rule) Scenario {
	s := echo
	s.Rules = rs
	return s
}

// tool is a server with one tool t of the given schema.
func tool(schema string) Scenario { return Scenario{Tools: []Raw{T("t", schema)}} }

// about adds cases of one kind.
func about(kind string, cs ...Case) {
	for i := range cs {
		cs[i].Kind = kind
	}
	Add(cs...)
}
