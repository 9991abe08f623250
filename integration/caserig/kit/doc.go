// Package kit is the driver side of the case rig's protocol. A driver is a
// program that gives [Main] a function which opens a toolset of the library
// under test.
//
// The protocol is JSON lines: an op a line on standard input, an answer a line
// on standard output. Ops with "async" run side by side, all others one after
// another. Each op runs under a context of its own that ends with the op, as a
// request handler's does.
package kit
