// This file is the package documentation.

// Package experiment makes many runs of a model and computes what follows from them: means with confidence
// intervals, at one or many settings of the model's parameters, and whether settings differ.
//
// # An experiment
//
// A run with random numbers gives one random result. An [Experiment] makes independent replications of
// it, and estimates the mean of its results with an interval that covers the true mean with a given
// confidence:
//
//	e := experiment.Experiment{
//		Name:   "queue",
//		Points: experiment.Grid(experiment.Over("load", 0.5, 0.8), experiment.Over("servers", 1, 2)),
//		Run:    simulate,
//	}
//	results, err := e.Do(ctx)
//	...
//	err = results.Summary().WriteText(os.Stdout)
//
// Run is a function of the model's program. It makes a simulation, runs it, and returns its responses:
// numbers with names, such as a mean waiting time or a throughput. The [Trial] that it gets has the
// values of the parameters, and sets seed and replication in the configuration:
//
//	func simulate(ctx context.Context, t *experiment.Trial) (experiment.Responses, error) {
//		cfg := ross.DefaultConfig()
//		cfg.NLP, cfg.End = 100, 1e4
//		t.Configure(&cfg)
//		sim, err := ross.New(cfg)
//		if err != nil {
//			return nil, err
//		}
//		defer sim.Close()
//		... // Define a model with t.Float("load") and t.Int("servers")
//		if err := sim.Run(ctx); err != nil {
//			return nil, err
//		}
//		... // look at the states
//		return experiment.Responses{"wait": wait, "throughput": served / cfg.End}, nil
//	}
//
// Run may as well run something else. It must draw from streams of Trial.Seed and Trial.Replication
// only (rng.RunSeeds and rng.Seeds.Replication), and must not share Go variables that change with other
// runs.
//
// # How many replications
//
// Experiment.Replications is a fixed number. With Experiment.Until, each point gets replications until
// the intervals of some responses are as narrow as their [Precision] asks for, and stay so for a few
// further replications. The result does not depend on which replications are finished first: the
// decision looks at them in the order of their numbers.
//
// This is the sequential procedure of Chow and Robbins ("On the asymptotic theory of fixed-width sequential confidence
// intervals for the mean", Annals of Mathematical Statistics 36, 1965) after a pilot of Experiment.Replications, 10 by
// default, which keeps it from ending too early by chance (Singham and Schruben, "Finite-sample performance of absolute
// precision stopping rules", INFORMS Journal on Computing 24, 2012). Its intervals cover the true mean at the nominal
// rate in the limit of small precisions. docs/running.md has measured rates: they are nominal for counters, rare events
// and exponential responses, and too low for heavy tails.
//
// As long as all replications of a response are equal, no precision of it is reached, since they do not show how much
// it varies: a response that never varies takes MaxReplications, and PointResult.Enough is then false.
//
// # Parameters
//
// [Grid] combines all values of all parameters, [List] takes the first values together, the second ones
// together and so on, and [LatinHypercube] fills ranges of many parameters with few points. A [Point]
// can also be written down.
//
// # Comparing points
//
// All points have the same random numbers in replications of the same number. So two points see the
// same arrivals and differ by their parameters alone, if the model draws in the same order:
// give each source of randomness a stream or an LP of its own (Config.Streams.PerLP). [Results.Difference]
// and [Results.Differences] estimate paired differences, whose intervals are then much narrower than
// those of the points.
//
// # The best point
//
// Experiment.Select asks which point has the least mean of a response, or the greatest: points that are behind are left
// out, and the others get replications until one is left ([Selection]). Common random numbers make it sooner.
//
// # Long runs
//
// The results of a run that begins with an empty system are biased. A model whose warm-up is known leaves
// out of its responses what happens before the warm-up ends. To find it, have the model collect a series,
// such as the waiting times of all customers: [MSER5] computes how much of it to leave out, and [Welch] has
// the data of the plot from which it is read off by eye. For one long run instead of many, [BatchMeans]
// makes an interval from a series.
//
// # On the cores
//
// Replications run side by side, one on each core, each of them sequentially. This is the best use of a
// machine on which a run fits into memory once for each core. With Workers 1 they run one after the
// other, with the scheduler and the PEs of the model's choice, for large models. The results are the same.
//
// Runs side by side share the memory: give each a part of it (Config.MaxMemory) if they need much.
//
// # On several processes
//
// With Experiment.OverRanks, the ranks that mpirun has started share the replications, in rounds: each runs as many
// as it has workers, and all get the responses of all. A run is one of its rank alone. Without OverRanks it is an error
// if mpirun has started several processes. With Experiment.Ranks, Do starts ranks by itself, on one machine. With
// Experiment.Tasks, processes that know nothing of each other make a part of the replications each, with journals of
// their own, from which [Experiment.Merge] has the results. The results are the same in all cases. Package
// program/parts/study has these for the command line of a program.
//
// # Going on after a crash
//
// With Experiment.Journal, the responses of each replication are on the disk as soon as it is finished:
// a line of JSON in a file. An experiment that was stopped, by Ctrl-C (ross.WithSignals), by an error or
// by kill -9, goes on from there when it is run again, and gives the same results. The journal also has
// what is needed to run more replications later, at more points or until a higher precision.
//
// A journal of another name, version, seed or list of parameters is refused, and so is one of another
// program: a program that was changed may give other results. The journal has a hash of the executable
// for that. With Experiment.Version the version decides instead, and the program may change: set it, and
// change it whenever the model does, if experiments go on after the program was built anew for other
// reasons. The hash of a program that is built twice is the same, with go run and go test too, if sources,
// version of Go, options and folder are the same. go build also notes the commit in a program: with
// -trimpath -buildvcs=false neither commit nor folder matters. Nothing but the points distinguishes one model from
// another within a program, so whatever else decides the results, such as options of the command line or
// the contents of files, must be among the parameters or in the version.
//
// With Experiment.Origin, a line says with which command, program and files the replications after it were made.
// [ReadJournal] has all lines as they are, and [Experiment.Repeat] makes single replications again, for a check.
//
// Each line has a checksum. A line that was changed or damaged is an error that names it: without the
// line, its replication is run again. A last line without its end, as a process that is killed leaves it,
// is dropped. Lines may be in any order, and occur twice. Processes that use a journal at the same time do
// not damage it, but they do not divide the work: let one at a time use it. Journals of format 1, which had
// neither hash nor checksums, are refused.
//
// # Results
//
// [Results.Summary], [Results.Differences] and [Results.Replications] are tables, which are written as
// aligned text, CSV or Parquet.
//
// # Validation
//
// The tests run experiments with an open Jackson network, and count how often the intervals cover the exact
// result. At 95 % confidence this must happen in 19 of 20 cases, up to three standard deviations. The long
// tests (make soak) run 2000 experiments. Models of this repository, with M/M/1 and M/M/c queues among them,
// have the same test.
package experiment
