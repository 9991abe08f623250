// Package render turns what a server answered into the text a model reads: an
// observation, within a budget of characters.
//
// Everything the server said is in it or named in it. Text stands as it was
// sent; structured results keep every byte; what is not text is described in
// words, never as base64; what cannot be read is named beside what can. Only
// the budget shortens, and then a marker says how much is missing.
//
// Every text of this package is valid UTF-8 and holds no control characters
// but line feed, carriage return and tab, because providers and terminals
// choke on them: other control characters become their pictures ("␛" for
// escape), bytes that are no UTF-8 become U+FFFD. The number of characters
// stays the same. A character is a Unicode code point throughout.
//
// The package is pure: it does no I/O and knows nothing of connections.
package render
