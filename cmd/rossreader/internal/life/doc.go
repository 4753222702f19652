// Package life is `rossreader life`: a page with the time lines of single LPs in virtual time.
//
// The source is the text that a run with --watch prints (internal/output/watch), with the report around it or without.
// Of what such a text says, a page shows everything: events that the LP received and sent, fields of its state, queues
// and resources, statistics, timers and processes. Events of a trace and samples of the model, from the folder of the
// run, are further lanes.
//
// # Files
//
//	life.go     the command line, and which LPs are shown
//	read.go     the text as blocks, and what a report says about the end of a run
//	lines.go    lines of a block, and their parts
//	blocks.go   blocks as verify compares them
//	course.go   what a field was from when to when
//	queues.go   lists, and what came into them and left them
//	tell.go     from blocks to the life of an LP
//	folder.go   event traces and samples
//	page.go     the data of a page
//	life.html, life.css, and the scripts: draw.js (paper), lanes.js (lanes), life.js (what the reader does)
//
// # What is known of a field
//
// A text has what changed. So the value before the first change holds from the beginning of the run, and the last one
// up to its end, or up to where the watch reached its limit. It is unknown where the LP was not watched, and between
// two events about which the text leaves out changes (more than 20). Of what is in a list, a map or behind a pointer,
// nothing is known from before that came into being. A page shows the unknown as such, and never as 0.
//
// Lines that are not understood are counted, and the page shows them.
package life
