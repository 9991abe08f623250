// Package decode reads what a server sends, once and tolerantly: pages of
// lists, tools, call results and resource contents.
//
// One bad item never takes the others with it. Whatever cannot be read is
// named beside what could be, and the raw bytes of every item stay available,
// because they alone hold every digit and every key the server sent.
//
// The package is pure: it does no I/O and knows nothing of connections.
package decode
