package toolset

// AssignNames is assignNames, for properties over more names than a server
// could list in a test's time.
var AssignNames = assignNames
