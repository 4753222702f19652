// This file is the package documentation: what the page shows, and of what it is made.

// Package network is `rossreader network`: the network of a model over virtual time, as a page with a picture, or as a
// server that follows the files of a run.
//
// The picture is made of two files of a run: the map of the model (package places), which says where LPs are and
// how they are linked, and what links did over virtual time. That is in the samples of the model at virtual times
// (--model-stats=3), as the map says. Without samples it is the trace of events (--event-trace=3): how many committed
// events came to the receiver of each link from its sender.
//
// # Intervals
//
// Samples come every --vt-interval, and each interval lies between two of them. The first one begins at 0, or, in a run
// that goes on from a checkpoint, at the first sample. An interval counts when all LPs of links have given their
// sample of its end, so files of a run that goes on, or that was killed, are read up to the last whole interval.
//
// # Pieces
//
//	source   reads the files, a little more each time that it is asked
//	frames   are the values of all links in each interval
//	arrange  finds coordinates for nodes that have none
//	page     has the picture, in the frame of package sheet
//	server   hands out the page and later intervals (package serving)
package network
