// Package rig runs cases against a driver: a program that has a library open a
// toolset and call its tools. Each case gets a fresh driver and a fresh fake
// server, and is judged by what the driver answers and by what went over the
// wire.
//
// A case is a [Case]; its Run function works through a [C], whose methods end
// the case as soon as something is not as it must be.
package rig
