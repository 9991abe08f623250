// Package decode reads what a server sends, once and tolerantly: pages of
// lists, tools, call results and resource contents.
//
// One bad item never takes the others with it. Whatever cannot be read is
// named beside what could be, and the raw bytes of every item stay available,
// because they alone hold every digit and every key the server sent.
//
// What servers get wrong is read in one way throughout: member names and values
// are taken exactly as written, never without regard to case; of repeated
// members the last counts; a null is as good as a missing member; bytes that are
// no UTF-8 become U+FFFD in decoded strings and stay in raw bytes; a leading
// byte order mark is passed over; nesting is bounded as in encoding/json.
//
// The package is pure: it does no I/O and knows nothing of connections.
package decode
