// Package stats has statistics for models: counters, summaries, averages over virtual time,
// histograms and time series. A state has them as fields, Event records in them, and nothing
// has to be undone:
//
//	type Server struct {
//		Queue   int64
//		Waiting stats.Tally     `ross:"waiting time,s"`
//		Delay   stats.Histogram `ross:"delay,s"`
//		Busy    stats.Level
//		Lost    stats.Counter
//		Load    stats.Series    `ross:"load,jobs,every=60"`
//	}
//
//	func (s *Server) serve(lp *ross.LP, m *Job) {
//		s.Waiting.Add(lp, lp.Now()-m.Arrived)
//		s.Busy.Set(lp, 1)
//		...
//	}
//
//	table, err := stats.Collect(sim) // after Run
//	err = table.WriteText(os.Stdout)
//
// # A recording counts when its event is committed
//
// Optimistic schedulers undo events. A recording is therefore kept in the history of the event,
// and reaches the statistic when the event is committed; if the event is undone, the recording
// is dropped. Recordings of an LP are applied in the order of its events, and within an event
// in their own order. So every scheduler records the same numbers, and the results are equal bit
// by bit. Reverse has nothing to do. Recording in Reverse is an error.
//
// It follows that Event, Reverse and Point must not read statistics: they lack what is not committed
// yet. A model that acts upon its queue length keeps it in a variable of its own, which it undoes as
// always. Under --synch=6 such a read is an error that names the field (ross.ErrReverse); the other
// schedulers do not look. Commit may read the statistics of its LP, which have what was recorded up to
// its event. Final, and the program after Run, may read them.
//
// Record for the LP whose handler runs, in Init, PreRun, Event, Commit and Final. Recordings in
// Event precede those in Commit of the same event. Numbers are finite; NaN and infinite ones
// are an error of the model (ross.ErrRecord), as is a Level that is added to until its value is
// beyond the largest float64.
//
// # Numbers are those of exact arithmetic
//
// Sums of numbers, of their squares and of values times their durations are held exactly, from the
// least float64 to the largest. A sum, a mean, a variance or an average over time is computed from
// these and rounded once; a standard deviation is within one unit of the last digit. It does not
// matter how numbers differ in size, or in which order they come. NaN stands for what no number was
// recorded for. A result beyond the largest float64, such as the sum of several numbers near it, is
// infinite; the mean and the deviation of these are not.
//
// # Where statistics are
//
// Define finds them in the state by reflection: in its fields, and in structs and arrays in it,
// but not behind pointers, slices, maps, interfaces or Blocks. The name of a statistic is the
// path of its field, such as Ports[3].Delay. A tag gives another name, and a unit. The name "." is for an embedded
// struct: its statistics are named as if they were fields of the struct that embeds it.
//
// Statistics are not part of the model's state. Deltas and Save leave them out, also when the
// whole state is saved. The schedulers that check rollback (--synch=4 and 6) do not compare
// them, and --synch=6 hides them from handlers, and the digest of final states does not cover them. Do not copy
// statistics, and do not assign to the whole state after Init has recorded something. The command go vet reports
// copies.
//
// Checkpoints contain them: a run that starts from a checkpoint goes on with the statistics of
// what was committed then, on any number of PEs, and ends with the bits of a run that never
// stopped. Loading with Config.Checkpoints.AsROSS begins them anew, because the clock begins anew; levels
// keep their values. Checkpoints of versions that held rounded means instead of sums can be loaded:
// the numbers recorded until then count as their rounded mean times their number, and the report
// says so. Sums that such a version has lost, because numbers were near the largest float64, are an
// error.
//
// # Warm-up and end
//
// With Config.WarmUp (--warm-up=t) the statistics begin at virtual time t: recordings of events
// before t are dropped. A Level keeps the value that they have given it, and is integrated from
// t on. It is integrated up to Config.End, even if the last event is earlier. In a run without
// an end it is integrated up to the time of the last event of all LPs, and in a run that was
// stopped up to where the run came. The event of a cancelled timer (ross.After) is not the last event:
// a level lasts as long as it would without the timer.
//
// How long the warm-up should be is what --find-warm-up of studies answers (package program/parts/study).
//
// A run that starts from a checkpoint may have another warm-up, at the time of the checkpoint or
// later: the statistics begin then, with the bits of a run with this warm-up that never stopped, and
// the report says what is left out. So one run passes the transient, stores, and others begin to
// observe from there. A warm-up before the checkpoint has to be that of the run that stored it,
// because what was recorded since is not known by itself; another one is an error (ErrCheckpoint).
//
// # Quantiles, names of elements, sums over arrays
//
// The table has the quantiles 0.5, 0.9 and 0.99 of a Histogram. The tag of a field chooses others, and
// Config.Quantiles (--quantiles=0.5,0.95) those of all histograms, and levels with quantiles, for a run. Row.Quantile
// has any. A tag of a struct or array holds for the histograms and levels in it. Counters, tallies and series keep
// nothing in which quantiles are found.
//
// The tag of an array names its elements, and the sum over them, which is a row of its own:
//
//	Left [3]stats.Counter   `ross:"left,,names=low;mid;high,total=all who left"`
//	Wait [3]stats.Histogram `ross:"wait,h,q=0.5;0.95,names=low;mid;high,total=all waits"`
//
// The rows are "left[low]", "left[mid]", "left[high]" and "all who left". The sum has the recordings of all
// elements. That of levels is the sum of their averages. If the elements are structs, each statistic in
// them has a sum, such as "all.Wait". Without names elements have numbers.
//
// # Over the time
//
// A Series has the sum, the mean and the rate (the sum for each unit of virtual time) of what it has recorded in each
// interval: Add(lp, 1) counts, and has rates of what is counted. A Level with every= in its tag has its average in each
// interval, and one with q= the part of the time for which it had each value, and quantiles over the time: q=0.9 is the
// length that a queue had or was below for 90 % of the time. A tag of a struct holds for the levels and series in it:
//
//	Queue   stats.Level             `ross:"queue,customers,every=60,q=0.5;0.9"`
//	Doctors resource.Servers[Guest] `ross:"doctors,h,every=1,q=0.9"` // doctors.InQueue, doctors.InService ...
//
// [Row.Course] has the intervals and [Row.Values] the values; the JSON file and the page of rossreader have both,
// all tables have the quantiles, and the report has a line of bars for each course. The sum of levels over an
// array has intervals only.
//
// # All LPs, PEs and ranks
//
// [Collect] merges the statistics of all LPs of a type, and [CollectBy] those of groups that
// the program chooses; [CollectLPs] has each LP by itself. In a run of several ranks all ranks call it, and all get the
// table. What is added up over LPs is added up exactly and rounded once, so that it has the same bits for every layout,
// however the LPs are distributed.
//
// # Report and files
//
// With Config.Statistics (--statistics=1) the report ends with the table. With Config.Results (--results=a,b) it
// has the statistics with these names only. A statistic with the mark rare in its tag,
// `ross:"lost,customers,rare"`, is left out of the report while nothing was recorded in it, and a Level while it
// was always 0; one with the mark detail is left out of reports and studies unless it is named. A mark of a struct
// holds for all in it. With 2 the run writes it to ross-stats-statistics.csv and ross-stats-statistics.json in the
// folder of --stats-path, where rossreader report finds it, with 4 it writes ross-stats-statistics-lps.csv there,
// with a line for each LP and a column for each figure ([Table.WriteWideCSV]); sums of these do several. If a
// signal, such as that of Ctrl-C, or the end of the context stops the run, both have what was committed until
// then, without what Final would have recorded. Levels are then integrated up to the GVT at which the run stopped.
// A conservative run may have committed events up to a lookahead later, which count.
//
// # Cost
//
// A recording takes 3 to 14 ns in a sequential run. In an optimistic one, in which 16 bytes are
// written to the history and read again at commit, it takes 12 to 27 ns: a Counter least, a
// Histogram most. Events that record nothing cost nothing.
package stats
