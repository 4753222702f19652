// Package run runs a simulation: the schedulers, rounds of GVT, pace, the GVT hook, and the figures
// of the report. It is the top floor of the engine; package ross calls it, and the packages check,
// checkpoint and collect are its tools.
//
// # Types
//
//	Run     a simulation on the PEs of this rank: kernel.Run, embedded, with what it leaves
//	PE      a PE with its loop: timewarp.PE, embedded, with pace, probe, checker, keeper
//	Hooks   functions of the model that belong to no LP
//	LivePE  the figures of a PE that others may read while it runs
//
// # Order of things
//
// Package ross makes a Run, calls [Run.MakePEs] in Define, and [Run.Do] in Simulation.Run:
//
//	stages.go       Init and PreRun of the LPs; events of a checkpoint
//	sequential.go   --synch=1; checked.go and debug.go: --synch=6 and 4
//	parallel.go     --synch=2, 3, 5: PEs as threads, and loopParallel
//	auto.go         --synch=auto: stretches under one scheduler after another; serial.go: the
//	                sequential ones
//	finish.go       state digest, Final, instrumentation, report, ross.csv
//
// A turn of loopParallel: take in what others sent, roll back, handle a batch, send, see to GVT,
// take samples. A round of GVT is in round.go (cut, report) and newgvt.go (newGVT, advance).
// pace.go decides how many events a turn may handle, how many may be uncommitted, and when the next
// round is due; idle.go what a PE does without events; horizon.go, with Cross, what happens before an event at or beyond
// the horizon; thread.go what a PE gets of the processors; hook.go and hookgvt.go when the GVT hook fires; guard.go what follows a panic.
//
// # Conservative is the same loop
//
// The horizon is GVT + lookahead, there is no history, and an event commits when it has been
// handled. What is under way at a GVT counts with a time earlier by the lookahead, since its cause
// may be before GVT (roundbound.go rounds such that the lookahead never leads beyond it). Nothing
// is handled before the first GVT, since Init may send to any time. With lookahead 0 the run still
// advances, because the event at GVT itself may always be handled. A send to another PE with less
// than the lookahead is an error (ErrLookahead), not a wrong result.
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
// sequential stretch then handles the events of all PEs with the queue and the arena of the first
// (kernel.Run.BeginSerial), while LPs, KPs, memory of Alloc and statistics stay with their PEs. Taking
// the LPs of several PEs in turn costs 1 to 3 % of a sequential run (bench/README.md, "A scheduler
// chosen on the run").
//
// The number of PEs is chosen before the run (prepare.go of package ross): PEs that sequential stretches do
// not need cost little, and one cannot be added later. It is the number of processors, if the model is the
// same for any number of PEs.
//
// Runs of more than 2^17 LPs begin in parallel, since their Init takes time, too. What observes a
// run by its GVT (the hook, samples, checkpoints) and other ranks would have to follow each change;
// such runs keep to one scheduler, which is chosen by rule before they begin.
//
// # A stretch is left only where all that is committed is before all that is not
//
// A conservative PE commits events up to its horizon, a lookahead beyond GVT. What follows when PEs leave their loops
// (KPs on other PEs, one PE alone, another scheduler) or are copied for a checkpoint handles events in another order of
// PEs: it would handle some that come before committed ones. Each of these was seen: recordings before the
// warm-up that counted, since time on a PE did not only grow; a log out of order; events after a stop of which one PE
// knew; events in an LP's past; mistakes that no sequential run reaches. So the PEs close first (closing.go). At the GVT at
// which they hear that they are to leave, the horizon stays where it was, the same on all PEs of all ranks, and they go on
// until GVT has come to it with nothing under way. That takes as long as the events of one window. An
// optimistic PE undoes what is not before GVT instead.
//
// What is a mistake of the model must not depend on stretches either. A send below the lookahead, and a stop that
// comes too suddenly for conservative PEs, are judged by the mapping and the types in each of them (kernel: keepsAhead,
// Run.StopAhead). With --synch=auto a type says that it never stops suddenly, or there are no conservative stretches. And
// conservative PEs begin with the stops that any of them knows (goOnParallel): where another scheduler has taken GVT
// to less than a lookahead before a stop, an announcement would come too late.
//
// # KPs move between the PEs of a process
//
// A partition that stays is as fast as its slowest PE: the others wait for it (conservative), or run ahead
// of it, undo, and stand at the end of their window (optimistic). With --balance=on, the default, the first PE looks,
// every 20 ms at a GVT, at what all PEs publish anyway: events, rollbacks, idle time (load.go). A PE's
// useful time is its busy time, times the share of its events that stay. When in two looks running the
// largest is 1.12 times the mean, the PEs leave their loops at a GVT, as for a checkpoint, and go on at
// once: the events of each LP from there to a second such GVT, 5 ms later, are the work of the KPs. An event
// counts for more on a PE that has less of a processor. The plan (plan.go) takes from the PE with most work
// and gives to the one with least, the heaviest KP that fits first, until all are within 2 % of the mean.
//
// A move costs what leaving the loops costs, and a pass over the queues of the PEs that give: less than a
// millisecond for 100,000 pending events, once, and nothing per event: an event names its LP by a place
// that does not change (package kernel, "Who handles an LP").
//
// Nothing thrashes. After 25 ms the rate before the move and after it are compared. If it has not risen by
// 3 % the next move waits longer, from 50 ms up to 3 s; if it has fallen by 3 % the KPs go back. Moves take
// 2 % of the time at most.
//
// Moves take memory: keys are pushed to other queues, whose parts double in size, before the old ones shrink. KPs
// stay, and PEs do not come together, unless 64 bytes are free for each pending event, and 1/16 of the memory. Slots and blocks
// of PEs that handle no events are for the others (package event). If memory becomes short while one PE handles all
// events, they part, because in parallel they can undo what finds no memory. So a run ends with the memory with which it
// ends without balance (TestBalanceTakesNoMoreMemoryThanARunWithout).
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
// What happens when another process takes one of two processors was measured (perf sched; bench/README.md,
// "Balance"). The other process keeps its processor, and both PEs share what is left: one runs for 0.1 ms,
// until it needs the other for GVT or its window is full, and sleeps; the wake-up puts the other in its
// place. A PE that is woken waits for 0.1 ms, so no PE is away for long, and neither a wider window nor
// less waiting nor another GVT would gain anything: a processor that two PEs share does what one can do, and
// an event of a parallel run takes 1.4 times as long as one of a sequential run, with the switches 1.7 times.
//
// What helps is not to need the other PE. When for three looks less than 1.5 processors do useful work, one
// PE handles the events of all, as in a sequential stretch of --synch=auto, for up to four trials of 5 ms.
// If that is 5 % faster than the best of the looks, it goes on for 0.4 s, then 1.6 s, then 4 s at a time,
// with a look in between whether there are more processors again. A trial that was slower is repeated after
// 0.1 s at first, 5 s later. Less of a processor is noticed even if it moves nothing: a busy PE that did not
// get its processor shows in the processor time of the process (getrusage).
//
// # Between ranks KPs do not move
//
// Within each rank they do, each rank by its own figures; what arrives for a KP that has moved goes on to its
// PE (package timewarp, relay.go). To move KPs to another process would take: their states, streams, timers,
// blocks and statistics as bytes, which is what a checkpoint stores of them (some 200 bytes an LP and the
// state: 1 ms for 10,000 small LPs, by the bandwidth of docs/scaling.md); their events with payloads; a table
// of owners on all ranks, 2 bytes for each LP of the run, since any rank may send to any LP; and types
// without pointers or with Pack and Unpack, which only models that are checkpointed have. The table alone
// would cost a load that misses the cache for each event to another rank, and 2 GB on each rank with 2^30
// LPs. Models whose ranks differ are better served by a partition (package mapping/partition).
//
// # Stopping a conservative run takes a lookahead
//
// An event at time t does not know how far the other PEs are. They may have committed events up to
// t + lookahead, and nothing can be undone, so LP.Stop at t would come too late. A stop at t +
// lookahead or later is in time for all of them, and LP.StopAfter is that: while GVT is at or before
// stop - lookahead, no window reaches beyond the stop. GVT waits there, at a bound that tells all
// PEs about the stop (announcement in stop.go), and from then on each limits its window to it. That
// takes one round of GVT, and no lock or message of its own. In the other schedulers the delay has
// no such reason, and any delay is allowed.
//
// # No clock per event
//
// Reading a clock costs as much as the queue does. A sequential loop turns once for each window of
// the queue, or for each 256 events. In one of some 32 turns the refill and one event are timed,
// and totals are estimated from these samples (package meter). The context is checked as often.
// Progress lines, the GVT hook and checkpoints share one comparison per event, with the time at
// which the next of them is due.
//
// # When GVT is computed
//
// A PE asks for a round after 1024 events (--gvt-interval * --batch * 4). When all PEs idle the
// last one asks at once. A PE whose events wait for GVT while others are busy asks after some
// microseconds and then every 250, because a round takes time from the busy ones. The interval
// doubles while GVT takes more than 2 % of the time, and shrinks again below two thirds of a per
// cent. --fixed-gvt turns that off.
//
// # The window of optimism is counted in events
//
// A PE stops when it has so many uncommitted events: at most 2048, or two GVT intervals if that is
// more. If less than 66 % of the events stay the window is halved, below 33 % quartered; above 95 %
// it doubles, and otherwise grows slowly (Devastator's rule). A window in virtual time cannot hold
// back models with many equal timestamps, because no distance in time is short enough. It also pays
// where little is rolled back: what is uncommitted fits the cache. --max-opt-lookahead adds a
// window in virtual time. A PE alone needs no window, because nothing from others is late.
// bench/README.md, "Windows of optimism", has figures.
//
// With other ranks the window is 4096 events and the interval at most half of it. A window that
// grows with the interval, as within a process, lets ranks drift apart when GVT takes longer
// (bench/README.md, "Ranks").
//
// # Threads are locked only if there are processors for them
//
// With at least as many processors as PEs each PE has a thread of its own. With fewer, Go shares
// the threads out: switching goroutines costs a tenth of switching threads. A PE without work
// polls, then yields, then sleeps on a channel. A PE that has something for it looks at one flag
// and wakes it.
//
// # Ranks sleep in short naps
//
// What comes from another rank wakes nobody. Where all ranks have processors of their own, a PE
// without work polls for some 200 us. Otherwise, and after that, it sleeps, for 4 us at first and
// 256 us at most, with an exact timer: with the usual slack of Linux 4 us would take 54.
// sched_yield is of no use, because Linux since 6.6 comes back to the caller. bench/README.md,
// "Ranks", has figures.
//
// # The GVT hook holds GVT back
//
// A hook at a signature is a bound in its PE's report, so GVT comes to be exactly there. Each PE
// then rolls back to GVT, handles nothing until the next round, and runs the hook itself, on its
// own LPs. A hook that a handler calls does the same, with the bound just after that event.
//
// The hook learns whether any event is left. That takes the second round: in the first, a PE
// whose queue is empty may have handled all its events too early, and one whose queue is not empty
// may hold events that are about to be cancelled. With everything after GVT undone, what is left is
// in the queues.
//
// # A signal ends a run that another rank holds up
//
// A run stops at a GVT, which needs all ranks. Where one was killed, srun sends the others SIGTERM,
// and SIGKILL 30 seconds later (KillWait); mpirun takes less. So a rank that was sent a signal, and
// sees no GVT for five seconds, ends as by a second signal. Nothing that could be stored is lost if
// a rank is gone; if its event takes longer than that, the run ends without the last checkpoint. A
// context that the program itself ends has no such limit, nor do the stages after the last GVT,
// when a checkpoint may take its time.
//
// # Observers read what PEs publish
//
// Simulation.Snapshot reads atomics that each PE writes at a new GVT, in pages of its own, and only
// those that have changed: a dozen comparisons and some stores a round, and nothing per event. A
// sequential run, which has no GVT, writes them every thousand events, or when somebody has looked
// since. A PE writes what it has processed before what it has undone, and readers take them in the
// opposite order, so their difference is never negative. There is no lock that a reader could hold
// while it is off its processor. What is shown is in package live, of which the engine knows only
// that something may print in place of its progress lines (package internal/consumer tests that).
//
// # The digest of the states
//
// The digest of the events (package kernel) misses a field that Reverse forgets if no event depends
// on it. So there is a second number, over the final states. States may hold anything: package deep
// walks the graph of what a state refers to. Addresses, the order of maps and which slices share an
// array do not count; memory of Alloc counts by its contents. It is taken when everything has
// committed, before Final, which may do to the state what it likes.
package run
