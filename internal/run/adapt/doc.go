// Package adapt decides what a run changes about itself while it goes on: which PE handles which KPs, whether one PE
// handles all events for a while (serially), and, with --synch=auto, which scheduler runs it. It takes figures and
// returns decisions; it reads no clock and calls nothing of a run. Package run carries the decisions out, and says what
// came of them.
//
//	Policy      what a run asks, a Decision, and its Outcome (policy.go)
//	Balance     the policy of a run: what is being watched, measured or judged (balance.go)
//	            load (load.go): are the PEs loaded alike?
//	            plan (plan.go): which KPs move?
//	            serial (serial.go): is one PE alone faster?
//	Auto        stretches under one scheduler after another (auto.go)
//	Random      the policy of tests, and RandomAuto their Auto (random.go)
//	Result      what a balance did, and what the report says of it (result.go)
//
// # Where a stretch may be left
//
// KPs move, PEs come together, and schedulers change only while the PEs have left their loops. They leave them at a GVT
// at which
//
//   - nothing is uncommitted or under way: optimistic PEs have undone what is not before GVT, and a round of GVT has
//     found no message that has not arrived;
//   - nothing beyond GVT is committed: conservative PEs commit events up to the lookahead beyond GVT, so they stop
//     handling events at that line, and leave when GVT has come to it (package run, horizon.go);
//   - the PEs have not met the stop of the run: from then on they only wait for its end.
//
// So all that is committed is before all that is not, and whoever goes on, one PE for all, or each PE with other KPs,
// begins with the next event of a sequential run. Statistics, logs and the times of LPs depend on that.
//
// A conservative PE commits events up to its horizon, a lookahead beyond GVT. What follows when PEs leave their loops
// (KPs on other PEs, one PE alone, another scheduler) or are copied for a checkpoint handles events in another order of
// PEs: it would handle some that come before committed ones. Each of these was seen: recordings before the warm-up that
// counted, since time on a PE did not only grow; a log out of order; events after a stop that only one PE knew; events
// in an LP's past; mistakes that no sequential run reaches. So the PEs close first (package run, horizon.go). At the
// GVT at which they know that they are to leave, the horizon stays where it was, the same on all PEs of all ranks, and
// they go on until GVT has come to it with nothing under way. That takes as long as the events of one window. An
// optimistic PE undoes what is not before GVT instead.
//
// What is a mistake of the model must not depend on stretches either. A send below the lookahead, and a stop that comes
// too suddenly for conservative PEs, are judged by the mapping and the types in each of them (kernel: keepsAhead,
// Run.StopAhead). With --synch=auto a type says that it never stops suddenly, or there are no conservative stretches.
// And conservative PEs begin with the stops that any of them knows (package run, goOnParallel): where another scheduler
// has taken GVT to less than a lookahead before a stop, an announcement would come too late.
//
// # A scheduler can be chosen on the run itself
//
// Which scheduler is fastest depends on the model, its size, the machine and what else that does,
// and nothing known before the run says so. With --synch=auto the run begins sequentially, because
// most runs are short, and a thread costs more than they take. Once it has taken 0.2 s the others
// are tried, each for some milliseconds, and it goes on with the fastest. They are compared again
// whenever the run has taken four times as long, so trials take a few per cent at most.
//
// Going from one to another is cheap because nothing but pending events moves. PEs leave their loops
// as they stop for a checkpoint: everything before GVT is committed, and nothing else (see below). A
// serial stretch then handles the events of all PEs with the queue and the arena of the first
// (kernel.Run.BeginSerial), while LPs, KPs, memory of Alloc and statistics stay with their PEs. What that costs is in
// bench/README.md, "A scheduler chosen on the run".
//
// The number of PEs is chosen before the run (prepare.go of package ross): PEs that serial stretches do
// not need cost little, and one cannot be added later. It is the number of processors, if the model is the
// same for any number of PEs.
//
// Runs of more than 2^17 LPs begin in parallel, since their Init takes time, too. What observes a
// run by its GVT (the hook, samples, checkpoints) and other ranks would have to follow each change;
// such runs keep to one scheduler, which is chosen by rule before they begin.
//
// # KPs move between the PEs of a process
//
// A partition that stays is as fast as its slowest PE: the others wait for it (conservative), or run ahead
// of it, undo, and stand at the end of their window (optimistic). With --balance=on, the default, the first PE looks,
// every 20 ms at a GVT, at what all PEs publish anyway: events, rollbacks, idle time (load.go). A PE's useful
// time is its busy time, times the share of its events that stay. When in two looks running the largest is
// 1.12 times the mean (in four, if less than 1.5 processors would work were all PEs as busy), the PEs leave
// their loops at a GVT, as for a checkpoint, and go on at once: the events of each LP from there to a second
// such GVT, 5 ms later, are the work of the KPs. An event counts for more on a PE that has less of a
// processor. The plan (plan.go) takes from the PE with most work and gives to the one with least, the heaviest
// KP that fits first, until all are within 2 % of the mean. If PEs are bound to processors, the one with least is that
// of the same socket, as long as that has less than the mean: LPs and states stay in the memory of the socket.
//
// A move costs what leaving the loops costs, and a pass over the queues of the PEs that give (bench/README.md,
// "Balance"), once, and nothing per event: an event names its LP by a place that does not change (package kernel,
// "Who handles an LP").
//
// Nothing thrashes. After 25 ms the rate before the move and after it are compared. If it has not risen by
// 3 % the next move waits longer, from 50 ms up to 3 s; if it has fallen by 3 % the KPs go back. Moves take
// 2 % of the time at most.
//
// Moves take memory: keys are pushed to other queues, whose parts double in size, before the old ones shrink. KPs stay,
// and PEs do not come together, unless 64 bytes are free for each pending event, and 1/16 of the memory. Slots and
// blocks of PEs that handle no events are for the others (package event). If memory becomes short while one PE handles
// all events, they part, because in parallel they can undo what finds no memory. So a run ends with the memory with
// which it ends without balance (TestBalanceTakesNoMoreMemoryThanARunWithout).
//
// # More PEs than processors are gathered
//
// PEs that share a processor wait for one another in every round of GVT. So with more PEs than Go has
// threads, all KPs move to as many PEs before the first event, and the others take no part in GVT. The
// results do not change, since digests depend on no PE, and reports have a line for each PE all the same.
// It is not done where somebody looks at each PE: with samples, running checkpoints, other ranks, --synch=5.
//
// # One PE alone may be faster
//
// When another process takes one of two processors, it keeps that, and both PEs share what is left: one runs until it
// needs the other for GVT or its window is full, and sleeps; the wake-up puts the other in its place. No PE is away for
// long (bench/README.md, "Balance"), so neither a wider window nor less waiting nor another GVT would gain anything: a
// processor that two PEs share does what one can do, and an event of a parallel run takes longer than one of a
// sequential run.
//
// What helps is not to need the other PE. When for three looks less than 1.5 processors do useful work, or for two less
// than one, one PE handles the events of all, as in a sequential stretch of --synch=auto, for up to four trials of 5
// ms. If that is 2 % faster than these looks were together, it goes on: it leaves a processor to others. A trial that
// was slower is repeated after 0.1 s at first, 5 s later. PEs that all work, but over some looks do less than one has
// done alone, count as few processors, too, and two looks at less than half of that are always enough. Less of a
// processor is noticed even if it moves nothing: a busy PE that did not get its processor shows in the processor time
// of the process (getrusage).
//
// Nobody knows for how long a disturbance goes on. So a stretch is as long as it has been there until now, the
// first one half as long, 4 s at most: what is lost if it ends at once is in proportion to what is gained if it
// does not. Between stretches the PEs part, and look every 2.5 ms. They come together again, without a trial, if
// their rate is less than 0.2 of that of the stretch at the first of these looks, 0.7 at the next two, then 0.8,
// and after 20 ms that counts as a look. A stretch that was not needed costs more than its time, since PEs have to come
// up to speed. So after one it takes twice as many looks to try again, up to 24, until three stretches
// have followed one another. Disturbances of 20 ms every 0.2 s, say, are left alone that way.
//
// The fewer events are pending, the sooner figures say what the PEs can do. When as many events have been handled as
// are pending, 64 times over, caches and windows are what they will be: after 1 ms with 16 of them, after 5 ms with
// 256, and later than any look with 16,384. So until one PE has been tried, looks are 5 ms apart where that is enough,
// and the first one after a stretch comes after 1 ms.
//
// If 1.5 processors would work were all PEs as busy as the busiest one, KPs should move, and the look does not count as
// one that found less than one processor at work.
//
// # Between ranks KPs do not move
//
// Within each rank they do, each rank by its own figures; what arrives for a KP that has moved goes on to its
// PE (package timewarp, relay.go). To move KPs to another process would take: their states, streams, timers,
// blocks and statistics as bytes, which is what a checkpoint stores of them; their events with payloads; a table
// of owners on all ranks, 2 bytes for each LP of the run, since any rank may send to any LP; and types
// without pointers or with Pack and Unpack, which only models that are checkpointed have. The table alone
// would cost a load that misses the cache for each event to another rank, and 2 GB on each rank with 2^30
// LPs. Models whose ranks differ are better served by a partition (package mapping/partition).
package adapt
