// Make makes docs/gallery.md and the pictures in docs/gallery: it builds the programs in models, runs
// them, and draws what they have computed.
//
//	go run ./docs/gallery/make                  everything
//	go run ./docs/gallery/make pcs traffic      the page, and the pictures of these models
//
// # A new model
//
// Each program has one entry, in the list of its part of the page: first.go, original.go, networks.go or trials.go. An
// entry has the lines of the page, the command that runs the model, and a function that makes further runs of it, often
// a sweep over an option, and returns a chart. The tests require an entry for each program, run the commands that are
// on the page, and compare page and pictures with what this program makes. So all runs of a picture together should
// take a second at most.
//
// # What a picture is
//
// A picture shows results in virtual time and counts, which depend neither on the machine nor on the
// scheduler. All are charts (type chart): layers of lines, markers, bars or cells, which the entry describes and one
// function draws. They have a title, axes with units, and a legend. Lines differ by colour, and by marker or dashes, so
// they can be distinguished in grey and by colour-blind readers; values that are colours have a scale of heat (byHeat).
// Package internal/output/svg has the colours, for light and for dark pages.
//
// Coordinates are computed with the functions of package internal/num/libm, and without sums of products
// that a compiler may fuse, so the files are the same on all machines.
package main
