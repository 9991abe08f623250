// Package integration holds the tests that take the library as a user does:
// one contract over every kind of connection and both eras of the protocol,
// LangChainGo's own agents and providers, and servers that others wrote.
//
// It has no code of its own to import.
package integration
