// Package policy holds the rules of this project that a machine can check, as
// tests: which room may import which, that every promise names its tests and
// every test that is named exists, that no file names a place it was made in.
//
// It has no code of its own to import.
package policy
