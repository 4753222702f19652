// Package consumer only has a test. It verifies that a program that imports the engine,
// and no other package of this module, gets no dependencies of those packages: no line
// in its go.sum, no package in its binary.
package consumer
