// Package report writes the output of a run: the text of its report, progress lines,
// ross.csv with a row for each run, and ross_all_lp_stats with a line for each LP. Words,
// order and widths are those of ROSS 8.1.1, because scripts cut fields out of them;
// additions come after what ROSS prints.
//
// Summary holds the figures of a run. Package ross fills it in and prints it. A program that
// prints its own report, or collects the results of many runs, calls these functions with
// the result of Simulation.Summary.
//
// # The report is ROSS's, and additions come after it
//
// Scripts cut fields out of it by label and column. Order, labels, tabs and widths are kept, down
// to "-nan" for a mean of nothing. New lines are a block at the end. Flags keep their names, too;
// only prefixes of names are refused, because they hide typing errors (package cmdline).
//
// # ross.csv has all columns in every row
//
// ROSS leaves two columns out on one rank, which shifts the rest. Here the row is always whole. It
// is appended by a single write under a lock, so runs that end at the same time can share a table.
// A table with another header is left alone, and the error says so.
//
// # Files appear whole under their names, or not at all
//
// The file of LPs is written under a temporary name and renamed when it is complete, as are the
// files of the instrumentation. A folder of instrumentation that exists is never written to again:
// another one, named by process and time, is made next to it and printed.
package report
