// This file is the package documentation: what a study is, and how a program gets one.

// Package study makes many runs of a program instead of one, from its command line: replications with other random
// numbers each, at one or many values of its options, and a table of means with confidence intervals.
//
//	queueing --end=500 --replications=20 --vary=servers=2..4 --vary=patience=0,10
//
// makes 20 runs at each of six points. [Of] is the part of a program that has these options:
//
//	func queueing() program.Program {
//		p := params{servers: 2} // variables of this program alone
//		return program.Program{
//			Name:  "queueing",
//			Parts: append(parts.All(), study.Of(queueing)),
//			// Config, Options, Build
//		}
//	}
//
// The function makes the program anew for each run, since several go on at a time. What it returns must not share Go
// variables that change, and main is os.Exit(queueing().Main(os.Args[1:], os.Stdout, os.Stderr)). A program that
// does not import this package does not link it, nor what it needs.
//
// # Results
//
// The results of a run are its statistics (package stats): of a Counter the number counted by all LPs, of others the
// mean, and of a Histogram also the quantiles that the table of a single run shows, such as "waiting time p90": those
// of --quantiles, or of its tag, or the usual three. Where several types of LPs have a statistic of a name, the type
// is in front of it. A model can add numbers with Program.Results. A statistic without a mean, since a run recorded
// nothing in it, is left out of this run: the table says how many runs have a number. A name in --results that the
// model does not have is an error before the first run; with Program.Results, after it.
//
// Statistics with the mark detail in their tag, and numbers of recordings, such as "waiting time n", are results if the
// command line names them; those with rare are left out where they are 0 in all runs. [Responses] returns the results
// of a run for an experiment in Go.
//
// A result that has a unit in the tag of its statistic shows it in the table, as in "waiting time [min]".
//
// Build and Prepare are called for each run, and Finish is not, as it prints. Of a run, only its notes are printed,
// such as that the warm-up is longer than the run: each once, on standard error. Nothing is written: a study refuses
// options that would make its runs print or write files, such as --watch, --digest, --statistics, --event-trace and
// --io-interval, and has no page (--http).
//
// With --io-restart=name all runs start from that checkpoint, each with random streams of its own
// (ross.Config.Checkpoints.Branch): one warm-up serves them all. Options of the model that are varied must be
// those that may differ from a checkpoint's (Options.Group, MayVary), or --io-other-options is given; what Init
// has put into states stays as it is in the checkpoint.
//
// # The options
//
//	--replications=20       runs of each point, with Config.Replication 0 to 19
//	--vary=servers=2..4     values of an option, of the model or of the engine: a range of whole steps,
//	--vary=load=0..1:0.25   a range with a step,
//	--vary=patience=0,10    or a list, of ranges too; with several options, all combinations
//	--precision=0.02        goes on until the half width of each interval is at most this part of the mean
//	--select=min:name       goes on until the point with the least mean of a result is found; max:name: greatest
//	--indifference=0.1      the smallest difference of these means that matters, in the unit of the result
//	--max-replications=500  but no further than this
//	--find-warm-up=queue    the course of a result over the time, and how long its warm-up is
//	--warm-up-table=f.csv   this course as a file
//	--confidence=0.95       confidence of the intervals
//	--results=a,b           results to show, and to be precise with --precision (Config.Results)
//	--table=f.csv           the table as a file too, also f.parquet with package parquet: one row for each point
//	--page=f.html           charts and tables of the results for a browser, with the command lines of runs (package page)
//	--workers=4             runs at a time
//	--journal=f             keeps what is done
//	--repeat='3 servers=2'  makes only this run again, into a journal of its own; may be repeated
//	--task=3/10             makes a tenth of the runs
//	--merge=folder          prints the table from the journals of tasks
//	--design=points.csv     points from a file: a line of names of options, and lines of values
//	--result='c=3*a+"b c"'  a result that is computed from others and options in each run; may be repeated
//	--base=servers=2        differences from the points with this value, with paired intervals that hold together
//
// All points have the same random numbers in replications of the same number, so that points differ by their parameters
// alone if the model draws in the same order (package experiment, "Comparing points").
//
// With --precision, the decision looks at the replications in the order of their numbers, and at a few more of them
// after the intervals are narrow enough (experiment.Experiment.Until). So the table does not depend on which run
// ends first.
//
// With --select, points that are behind get no more runs, and the study ends when one is left
// (experiment.Selection). It looks at the runs in the same order.
//
// # Warm-up
//
// Of a result with a course over the time, which is a Series or a Level with every= in its tag, --find-warm-up prints
// the means over the runs in each interval and what MSER-5 leaves out of them (experiment.MSER5), and a chart that is
// Welch's plot. A study writes a note if a result with a course differs at first from the rest by more than chance
// explains, which says which warm-up to give: in the first 20 runs of the first 20 points, at 99 % over the parts
// at which it looks.
//
// # Where runs go on
//
// If each run is sequential, as many go on at a time as there are processors, otherwise one; --workers says another
// number. A run has the scheduler and the PEs of the command line. With --ranks, or under mpirun, the ranks share the
// runs, and each run is one of its rank alone. The table is the same to the last byte in all of these cases.
//
// # Going on
//
// With --journal=f each run is in the file as soon as it has ended. After Ctrl-C (which lets the runs that go on
// come to their end; a second one ends the program), after an error and after kill -9 the same command goes on from
// there and prints the table of a study that never stopped. The journal belongs to the program, to the options that
// decide the results, and to the names that are varied: a command that differs in these is refused, and one with
// more values, more replications or another precision makes what is missing. It does not know what is in files that
// a model reads.
//
// The journal also notes with which command, program, environment and files its runs were made, so that others can
// check a sample of them: rossreader verify f (docs/reproducing.md).
//
// # An array of tasks
//
// Task 3 of 10 makes the replications 3, 13, 23 and so on of all points (--task=3/10; in an array of Slurm
// --task=slurm), and keeps them in a journal of its own, f.3-of-10 for --journal=f. The same command with
// --merge=folder in place of --task prints the table. If runs are missing, it names their tasks.
package study
