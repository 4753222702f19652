// This file is the package documentation: what is drawn against what, and which runs there are.

// Package figures is `rossreader figures`: a page that draws a figure of all runs of a folder against an option in
// which they differ. `rossreader serve` has the same page.
//
// # Figures
//
// They are those of run.json (run time, net events a second, efficiency, rollbacks and so on), some that follow from
// them (shares of the time of the PEs), and the statistics of the model: mean, count, sum, deviation, least and
// greatest value, share that is not 0, and quantiles. A number that a run does not have is left out, and is not taken
// for 0.
//
// # What they are drawn against
//
// Options in which runs of a model differ, as the list of `rossreader serve` has them, what else a run says of itself
// (model, scheduler, PEs, host, version), and the time at which it began. Options whose values are all numbers have an
// axis of numbers; others have their values side by side. Runs with the same values are dots above one another, and a
// line joins their means or medians.
//
// # Which runs
//
// Runs that have not reached their end (failed, stopped, still running or killed) are left out, or hollow dots which no
// mean or median counts. The page states the number of all that it does not show.
package figures
