// Package consumer has a test alone: that a program which imports the engine, and no
// other package of this module, gets none of what those need: no line in its go.sum, no
// package in its binary.
package consumer
