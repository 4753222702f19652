// Package consumer only has a test. It verifies that a program that imports the engine,
// and no other package of this module, gets no dependencies of those packages: no line
// in its go.sum, no package in its binary.
//
// The test is about the module as a whole, and builds programs with go. So it has a package of its own,
// which the builds with race detector and sanitizers leave out.
package consumer
