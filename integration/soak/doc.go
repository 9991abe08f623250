// Package soak holds a long test: many callers with identities of their own,
// over every kind of connection, while servers are killed, stalled, restarted
// and cut off at random. At its end every answer has to belong to its caller,
// no call may have taken effect twice, and nothing may be left over.
//
// It runs for a few seconds with the other tests; "make soak" runs it for
// minutes and prints a table:
//
//	go test -race ./integration/soak -v -run TestSoak -for 5m -seed 7
package soak
