// Package report is what a run says: the text of its report, progress lines, ross.csv with
// a row for each run, and ross_all_lp_stats with a line for each LP. Words, order and widths
// are those of ROSS 8.1.1, since scripts cut fields out of them; what ROSS does not have
// comes after what it has.
//
// Stats holds the figures of a run. Package ross fills it in and prints it; a program that
// prints a report of its own, or collects results of many runs, calls these functions with
// what Simulation.Stats returns.
//
// Files appear whole or not at all: a row is appended under a lock, and a file of LPs is
// renamed into place when it is complete.
package report
