// Package progress shows how far calls of tools have come on a command line.
//
// [NewLine] makes a line for an [io.Writer], such as [os.Stderr]. Its
// [Line.Handle] is the handler of [toolset.WithProgressHandler].
package progress
