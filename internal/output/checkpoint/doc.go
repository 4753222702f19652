// Package checkpoint stores a simulation and starts one from what was stored. Package rio knows
// records and files, and no engine; this package knows the engine.
//
// # Types
//
//	Checkpoints   what a run does with checkpoints: where it starts from, what it stores
//	Keeper        a PE's part in them
//	Storing       the checkpoints that are stored while the simulation runs
//	Copied        a copy of the simulation on its way to the disk
//
// # Parts
//
//	checkpoints.go       what a run is asked for; what is reported of checkpoints, which older ones are removed
//	fits.go              does a checkpoint belong to this simulation?
//	load.go              LPs from a checkpoint, and events into the queues
//	lps.go               timers, and since when statistics are observed
//	due.go               when a checkpoint is due
//	rounds.go            how all PEs come to stand still, and the stages of writing
//	copy.go              the copy of a PE, and its memory
//	states.go            a state as bytes, and its Blocks; types.go: LP types
//	store.go             packing, placing, writing, committing
//
// # Order of things
//
// Package run calls [Checkpoints.Prepare] before the run, [Keeper.Load] for each LP around its
// Init, and [Keeper.LoadEvents] after PreRun. In each round of GVT a PE reports [Keeper.Ask], and
// at each GVT it calls [Keeper.GoOnWriting] and, when it can be copied, [Keeper.Copy]. A sequential
// PE calls [Keeper.StoreAlone]. [Checkpoints.End] waits for what is still being written. A model's
// own call before or after a run is [Checkpoints.Store].
//
// # Events beyond the end are events
//
// ROSS drops them, and with RIO keeps copies of them in a buffer of fixed size, which its rollbacks
// count twice. Here, once there may be a checkpoint, they are sent, received, cancelled and queued
// like any other event. They are just never handled (PE.Last), and do not hold GVT back once they
// are in a queue. So a run ends when its last event has been handled and all of these have arrived,
// without a protocol of their own. At the end of a run, as in its middle, what waits in the queues
// is what is still to happen. A run without checkpoints counts them and makes none: that test is
// behind the comparison with the end of the run.
//
// # A checkpoint takes three rounds of GVT
//
// At the first GVT all PEs undo what is not committed, and from then on handle nothing. At the
// second nothing is under way, because a round takes in all that was sent before it, and a PE that
// had something left to send reports it (FlagUnsettled), which costs another round. Then histories are
// empty, each LP is as its committed events left it, and each PE copies its share. At the third all
// have copied, and all go on: without it a PE that is ahead would send events into the copy of one
// that is not. All PEs read from the flags of GVT which round is which, so no PE and no rank waits
// for another in any other way. A run that is to be stopped with a checkpoint goes on for these
// rounds. A conservative run is copied only when
// GVT has come to its horizon, so that no LP has committed events after the time of the checkpoint (package run,
// horizon.go): a restart may have another warm-up or scheduler, and must not handle events that come before
// committed ones.
//
// # The copy is made by popping the queue
//
// Events come out in the order of their signatures, so that lineages are stored as differences to
// the one before, and deep zero-delay chains cost their differences. Cancelled events are dropped
// on the way. Pushing all back costs less than copying them.
//
// # What is copied is written while the run goes on
//
// Goroutines of their own do checksums, compression and writing. Several ranks go through packing,
// placing and committing together, one stage at a GVT at which none is still busy; the exchange of
// sizes blocks the first PE of each rank for the time of a few messages. There is one copy at a
// time: a checkpoint that falls due while the previous one is written waits for it. The memory of the copy
// counts towards --max-memory. If it does not fit, histories and free slots are given back first,
// and then the copy goes to a file without a name in the folder of the checkpoint (copy.go).
//
// Ranks exchange sums of sizes alone. Each writes its part of the index; rank 0 collects the list of
// partitions, which the manifest has, and joins the checksums of the index.
//
// # Multiples of a virtual time are exact
//
// Who asks for a checkpoint of time 200 starts other runs from it, so it has to exist, whatever the speed of the disk.
// No PE handles an event at or after the next multiple (Keeper.StoreAt is part of the horizon) until it has been
// copied. So GVT comes to it with nothing handled beyond it, and the copy is of that very time. All PEs have the same
// StoreAt at the same GVT, and find by themselves that it is due. If the checkpoint before is still being written, they
// stand still and go on with rounds of GVT until the flags say that all ranks have written. Where the time of the next
// event is after several multiples, there is nothing to store for all but the first. A checkpoint by real time has no
// such meaning: the simulation goes on, and the checkpoint comes late.
//
// # LPs are found by gid, types by name
//
// A reader asks the mapping of its own run for each gid, so it need not know the layout of the run
// that stored. Types may come in another order; what is compared is their name, and the layout of
// their messages and of states that are stored as they are in memory. Ranks read the index first,
// and then only the partitions that have something for them.
//
// # Evidence of damage stays
//
// If the newest checkpoint is damaged, a run does not start from it, nor is it removed: what
// destroyed it may destroy others. Rotation verifies the checkpoints of earlier runs, once, before
// it counts them. Those of its own run it has written itself, so that a look at their files is
// enough.
//
// # Statistics follow the state
//
// The statistics of an LP follow its state in the same record, with their size at its end. The
// state as stored has scratch, and with it the statistics in memory, as zeros, because the part of
// them that is outside of the state has no meaning elsewhere. They say at which virtual time the
// observation begins. If this run's warm-up ends at another time, it has to be after all that the LPs
// have recorded: at the time of the checkpoint or later, and later than the last event of each LP,
// because a conservative PE may be ahead, and events at the time of GVT may have been committed. Then
// nothing but the values of levels is kept. Ranks agree on it before the first LP is restored.
//
// # The critical path is not kept
//
// ROSS stores one number for each LP, the length of the longest chain of events that leads to it,
// which its optimistic schedulers do not restore on rollback. Here no event has room for it, and
// nothing would print it. The field in the files stays 0.
package checkpoint
