package rig

import (
	"cmp"
	"slices"
	"time"

	"caserig/fakesrv"
)

type (
	// Scenario, Rule, Raw and Rec are the fake server's.
	Scenario = fakesrv.Scenario
	Rule     = fakesrv.Rule
	Raw      = fakesrv.Raw
	Rec      = fakesrv.Rec
	// M is the JSON object of an op or of a config.
	M = map[string]any
)

// Case is one thing a library must get right.
type Case struct {
	ID    string   // number; cases of one number pass and fail together
	Sub   string   // part of a number that has several
	Kind  string   // what the case is about, one word
	Title string   // what must hold
	On    []string // connection kinds; none = stdio and http
	Scn   Scenario // what the fake server does
	Run   func(c *C)
}

// Name is the number, with its part.
func (c Case) Name() string {
	if c.Sub != "" {
		return c.ID + "." + c.Sub
	}
	return c.ID
}

// Row is a case on one connection kind: what is run and judged.
type Row struct {
	Case
	Conn string // "stdio", "http" or "sse"
}

var registry []Case

// Add puts cases into the rig. It is called by init functions.
func Add(cs ...Case) { registry = append(registry, cs...) }

// Rows gives every case on each of its connection kinds, ordered by number.
func Rows() []Row {
	var rows []Row
	for _, c := range registry {
		conns := c.On
		if len(conns) == 0 {
			conns = []string{"stdio", "http"}
		}
		for _, k := range conns {
			rows = append(rows, Row{c, k})
		}
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return CompareIDs(a.ID, b.ID) })
	return rows
}

// CompareIDs orders numbers such as F2 before F10.
func CompareIDs(a, b string) int {
	return cmp.Or(cmp.Compare(a[:1], b[:1]), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// Status is the outcome of a row or of a number.
type Status string

// The outcomes. Unsupported means that the driver said it cannot express what
// the case wants; it is never a pass.
const (
	Pass        Status = "pass"
	Fail        Status = "fail"
	Unsupported Status = "unsupported"
)

// Result is the outcome of one row.
type Result struct {
	Row
	Status Status
	Why    string // why it failed or is unsupported
	Took   time.Duration
}

// Verdicts gives each number its outcome: fail if a row of it fails, else
// unsupported if a row is, else pass.
func Verdicts(rs []Result) map[string]Status {
	rank := map[Status]int{Pass: 1, Unsupported: 2, Fail: 3}
	out := map[string]Status{}
	for _, r := range rs {
		if rank[r.Status] > rank[out[r.ID]] {
			out[r.ID] = r.Status
		}
	}
	return out
}
