// Package run runs a simulation: the schedulers, rounds of GVT, pace, the GVT hook, and the figures
// of the report. It is the top floor of the engine; package ross calls it, and the packages check,
// checkpoint and collect are its tools.
//
// # Types
//
//	Engine  a simulation on the PEs of this rank: kernel.Run, embedded, with what it leaves
//	PE      a PE with its loop: timewarp.PE, embedded, with pace, probe, checker, keeper
//	Hooks   functions of the model that belong to no LP
//	LivePE  the figures of a PE that others may read while it runs
//
// # Order of things
//
// Package ross makes an Engine, calls [Engine.MakePEs] in Define, and [Engine.Do] in Simulation.Run:
//
//	start.go        the places of the LPs, their Init and PreRun; events of a checkpoint
//	sequential.go   --synch=1; check.go: --synch=6 and 4
//	parallel.go     --synch=2, 3, 5: PEs as threads, and loopParallel
//	auto.go         --synch=auto: stretches under one scheduler after another; serial.go: the
//	                serial ones; balance.go: moves of KPs. Package adapt decides about all of them, and
//	                says where a stretch may be left
//	lpdigests.go    digests of single LPs, of all ranks
//	finish.go       state digest, Final, instrumentation, report, ross.csv
//
// A turn of loopParallel: take in what others sent, roll back, handle a batch, send, see to GVT,
// take samples. A round of GVT is in round.go (cut, report) and newgvt.go (newGVT, advance).
// pace.go decides how many events a turn may handle, how many may be uncommitted, and when the next
// round is due; idle.go what a PE does without events; horizon.go, with Cross, what happens before an event at or
// beyond the horizon; thread.go what a PE gets of the processors; place.go where it runs; hook.go when the GVT hook
// fires; guard.go what follows a panic.
//
// # Conservative is the same loop
//
// The horizon is GVT + lookahead, there is no history, and an event commits when it has been
// handled. What is under way at a GVT counts with a time earlier by the lookahead, since its cause
// may be before GVT (round.go rounds such that the lookahead never leads beyond it). Nothing
// is handled before the first GVT, since Init may send to any time. With lookahead 0 the run still
// advances, because the event at GVT itself may always be handled. A send to another PE with less
// than the lookahead is an error (ErrLookahead), not a wrong result.
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
// A PE asks for a round after 1024 events (--gvt-interval * --batch * 4), or after 512 or 256 if messages are so large
// that more would leave the cache. When all PEs idle the last one asks at once. A PE whose events wait for GVT while
// others are busy asks after some microseconds and then every 250, because a round takes time from the busy ones. The
// interval doubles while GVT takes more than 2 % of the time, and shrinks again below two thirds of a per cent.
// --fixed-gvt turns that off.
//
// # The window of optimism is counted in events
//
// A PE stops when its uncommitted events fill the window: at most 2048, or two GVT intervals if that is
// more. If less than 66 % of the events stay the window is halved, below 33 % quartered; above 95 %
// it doubles, and otherwise grows slowly (Devastator's rule). A window in virtual time cannot hold
// back models with many equal timestamps, because no distance in time is short enough. It also pays
// where little is rolled back: what is uncommitted fits the cache. --max-opt-lookahead adds a
// window in virtual time. A PE alone needs no window, because nothing from others is late.
// bench/README.md, "Windows of optimism", has figures. A turn of the loop takes in what others sent and handles --batch
// events, or up to four times as many where they are so short that all take less than 50 us, since a turn costs about
// as much as an event. While more than 4 % are undone it is halved, down to 2: stragglers seen sooner undo less.
//
// With other ranks the window is 4096 events and the interval at most half of it. A window that
// grows with the interval, as within a process, lets ranks drift apart when GVT takes longer
// (bench/README.md, "Ranks").
//
// If others want the processors of a rank, be it other ranks or other programs, some PEs always wait for one, and what
// those with a processor do meanwhile is undone later. A PE is then crowded: its window is 2048 events at most, 512 at
// first, and shrinks where PEs with processors of their own would let it grow: while less than 95 % of the events stay.
// Rounds of GVT wake who sleeps, so a PE with events takes part in the next one after 512 of them, rather than at once.
// It does not spin, but yields and sleeps. PEs of several ranks are crowded at first; thread.go finds out every 5 ms,
// by the time for which the thread had to wait for a processor, whether they still are. A PE that spins while the one
// for which it waits has no processor takes that away from it: two ranks next to two other programs were ten times as
// slow (bench/README.md, "Ranks that give way").
//
// # Threads are locked only if there are processors for them
//
// With at least as many processors as PEs each PE has a thread of its own. With fewer, Go shares
// the threads out: switching goroutines costs a tenth of switching threads. A PE without work
// polls, then yields, then sleeps on a channel. A PE that has something for it looks at one flag
// and wakes it.
//
// # Threads are bound where that cannot hurt
//
// A thread that the system moves to another socket leaves its caches and its memory behind. One that is bound cannot
// move away from a processor that something else needs. With --bind=auto PEs are bound only if
//
//   - the processors that the rank may use are on several nodes of memory, which are sockets as a rule, with four cores
//     or more of each: moves within one cost little, and virtual machines may have a socket for each processor;
//   - the PEs, with those of ranks that may use the same processors, are at least as many as the cores, and no more
//     than the processors: then the system has no better place for any of them, and a second run on the same
//     processors would be in the way of this one on every socket, bound or not;
//   - Go may use all of the processors: a quota leaves no thread a processor of its own;
//   - no other rank may use some of the processors but not the same ones: nobody knows where its PEs run.
//
// They are bound to sockets and not to cores, so the system still evens out what else runs there. --bind=cores and
// sockets ask for it on any machine. A note says why PEs are not bound all the same: there are more PEs than
// processors, and two that are bound to one would wait for each other; or masks of ranks overlap. Of simulations that
// one program runs at the same time, only the first is bound, since the others would choose the same processors.
//
// Ranks with the same mask choose places for the PEs of all of them (package topology), and each takes its part. So
// no thread ever runs where sched_getaffinity did not let it run before: a mask of mpirun, Slurm, taskset or a
// control group holds.
//
// A PE is bound while its goroutine is locked to its thread (takeThread), and the thread gets its former mask back
// before it is unlocked, since Go would use it for anything. If it does not get it back, the goroutine stays locked,
// and the thread ends with it. Go starts threads from one that is never locked, so none inherits the mask of a PE.
// Serial stretches of a parallel run, in which one PE handles all events, are not bound: they are there because
// something else uses processors, and the system knows which.
//
// Memory is near to the thread that first writes to it. Slots of events, histories, memory of Alloc and the queue
// grow while the PE runs, on its thread; Init writes the states there. LPs, with their streams, are one array that is
// filled in before there are threads of PEs: the part of each PE on its socket (Run.Near). Channels between PEs are
// small, and belong to no one side. KPs move within a socket if they can, since their LPs and states stay where they
// are (adapt.Options.Domains).
//
// # Ranks give way
//
// Where all ranks have processors of their own, a PE without work polls for some 200 us. Otherwise, and after that, it
// sleeps in its mailbox (world.Sleeper), if all ranks are on one machine, until somebody has something for it: another
// rank a message, another PE of its own rank something in a ring between them, or all of them a new GVT. A PE that has
// taken part in a round and can do nothing without its result sleeps deeper: messages do not wake it, unless their ring
// is full, since each would cost two switches of threads and change nothing. What is left to be sent, and what has come
// as half of a message, is looked after every 256 us.
//
// It sleeps without telling the Go runtime (mem.SleepOn), and never calls Gosched, which takes the goroutine of a
// thread of its own through two other threads.
//
// Where some ranks are on other machines, nothing wakes a PE, and it naps, for 4 us at first and 256 us at most, with
// an exact timer: with the usual slack of Linux 4 us would take 54. sched_yield is of no use, because Linux since 6.6
// comes back to the caller. bench/README.md, "Ranks", has figures. PEs that share threads with others of their
// process, because a rank has more PEs than there are processors, give way first, and nap in the Go runtime: a thread
// that sleeps in the system would keep others from running.
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
// while it is off its processor. What is shown is in package live; the engine knows only
// that something may print in place of its progress lines (package internal/testing/consumer tests that).
//
// # The digest of the states
//
// The digest of the events (package kernel) misses a field that Reverse forgets if no event depends
// on it. So there is a second number, over the final states. States may hold anything: package deep
// walks the graph of what a state refers to. Addresses, the order of maps and which slices share an
// array do not count; memory of Alloc counts by its contents. It is taken when everything has
// committed, before Final, which may do to the state what it likes.
package run
