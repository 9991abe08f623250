// Command bench measures what a call costs through this library, beside plain
// mcp-go and beside the floor: the request by net/http, or a line on stdio,
// whose answer is read and not decoded.
//
// Those that are compared take turns within one run, against the same server in
// a process of its own, so that what else the machine does falls on all of them.
// Each figure is a median over rounds; a ratio is the median of the ratios of
// the rounds. A figure over its bound is printed, not failed: machines are noisy.
//
//	go run ./integration/bench            # all rows, some minutes
//	go run ./integration/bench -quick     # few and short rounds
//	go run ./integration/bench -only http-echo
//	go run ./integration/bench -profile /tmp/profiles
//	go run ./integration/bench -long 1000000
//	go run ./integration/bench -plot <results >docs/performance.svg
//
// What is printed is the result, one line a figure:
//
//	RATIO <name> <value> <bound> ok|over  # <what was measured>
//
// A bound begins with "<=" or ">=". docs/performance.md explains the rows.
package main
