// Package session keeps the live sessions of one server: which identity has
// which connection, how it is opened, replaced and closed.
//
// An [Operation] is one listing, call or read. It asks the header provider
// once, finds the identity those headers belong to, and gets that identity's
// live session, which is opened by the first who needs it and waited for by
// the others, each with its own context. A live session never changes; a dead
// one is taken out and another put in its place. No lock is held while
// anything is sent or waited for.
package session
