// Package ross runs discrete-event simulations whose results are those of ROSS,
// Rensselaer's Optimistic Simulation System: same seeds, same model, same
// parameters, same events in the same order (ROSS 8.1.1).
//
// One model runs sequentially, conservatively or optimistically (Time Warp), on any
// number of threads, and commits the same events each time.
//
// # A model
//
// A model is made of LPs (logical processes) that send each other events. An
// LP has a state, of a type S that the model chooses, and gets messages, of a
// type M. A [Type] ties both to the functions that the engine calls:
//
//	type State struct{ Received int64 }
//	type Msg struct{ Hops int32 }
//
//	func (s *State) Init(lp *ross.LP)                           // before the run
//	func (s *State) Event(lp *ross.LP, bits *ross.Bits, m *Msg) // at each event
//
//	phold := ross.Type[State, Msg]{
//		Name: "phold", Init: (*State).Init, Event: (*State).Event,
//	}
//
// Only Event has to be there. The order of calls is: Init of all LPs, PreRun of
// all LPs, then Event for each event and Commit when it is final, then Final of
// all LPs. The example of this package is a complete model.
//
// A handler has its LP as the way to the engine. [LP.Now] is its virtual time,
// [LP.RNG] its random stream, [LP.Stream] gives it more of them
// (Config.RNGsPerLP), [LP.Printf] prints. [Send] schedules an event; it takes a
// delay in virtual time, not a time. [SendPriority] adds a priority, and
// [NewEvent] lets a handler fill a large message in place.
//
// Four rules keep a model deterministic, and fit for parallel schedulers:
//
//   - An LP reads and changes its own state only. What it wants of another LP it
//     sends. That holds for package variables, too: handlers of LPs on different
//     PEs run at the same time.
//   - All randomness comes from the LP's streams.
//   - Nothing depends on wall-clock time, on maps' order, or on goroutines.
//   - Messages are plain bytes: numbers, arrays and structs of them. A type with
//     a pointer in it is refused when the LPs are defined.
//
// A model may have several types of LPs, each with its own state and message;
// Config.TypeMap says which LP is of which type. A message goes to LPs of its
// type only. The example of [Config] shows it.
//
// # A run
//
//	cfg := ross.DefaultConfig()       // the defaults of ROSS
//	cfg.NLP, cfg.End = 1024, 100      // 1024 LPs, until virtual time 100
//	sim, err := ross.New(cfg)         // checks the settings
//	defer sim.Close()                 // gives the memory back
//	err = sim.Define(phold)           // makes the LPs
//	err = sim.Run(context.Background())
//
// [Config] holds every setting; each field names its flag. A program that wants
// the command line of ROSS registers its own options and the engine's with
// [Options], and calls [Options.Main]. Programs that use package flag bind
// the same settings to a flag.FlagSet.
//
// A run is over when no event is left before Config.End. An event at or after
// End is counted and not delivered. Run looks at its context now and then, and
// stops when it ends.
//
// After the run [Simulation.Stats] has the figures of the report, and
// [StateOf] the states of the LPs. Before and after it, functions of Config.PE
// see each PE; during it, Config.GVTHook is called at times that the model
// chooses ([HookAt], [HookAtSignature], [HookEvery], [HookWhenModelCalls]).
//
// # Schedulers
//
// Config.Synch chooses the scheduler, Config.PEs the number of threads:
//
//	1  sequential    one event after the other, on one PE; also 0, the default
//	2  conservative  a PE goes no further than the others' events can reach: GVT, the
//	                 time that all have come to, and Config.ConsLookahead
//	3  optimistic    a PE goes ahead and rolls back when an earlier event arrives
//	5  optimistic    the same, with GVT every Config.GVTInterval milliseconds
//	6  rollback check, sequential: each event is handled, rolled back and compared
//	4  optimistic debug, sequential: all events are rolled back at the end, and compared
//
// An LP is on a PE (its thread and event queue) and in a KP (the LPs that roll back
// together). Config.NLP and Config.NKP are numbers for each PE; Config.Mapping says
// which LP is where. On a machine with fewer cores than PEs a run is correct, and
// slow.
//
// The conservative scheduler needs a promise, the lookahead: events for LPs of other
// PEs have at least that delay. One that has not is [ErrLookahead]. The optimistic
// schedulers need events that can be undone.
//
// # Undoing events
//
// An optimistic scheduler undoes what an event sent, drew, allocated, printed and
// reported. What Event did to the state is undone in one of these ways, chosen for
// each type by Type.Saving:
//
//   - [SaveByReverse]: the model's Reverse handler takes the change back. It gets the
//     state, the message and the bits that Event left, and need not take draws back. What
//     Event noted with [Save] is put back after it. The fastest way. It is the default of
//     types that have the handler.
//   - [SaveByLog]: Event calls [Save] for each value before it changes it.
//   - [SaveByDelta]: the engine keeps the difference. The state must not hold
//     pointers, strings, slices, maps or interfaces; what grows lies in memory of
//     [Alloc]. The default of types without Reverse.
//   - [SaveNever]: the type cannot be undone. Its events are handled when nothing
//     earlier can arrive any more, and all later events of its PE wait behind them.
//
// A way that is wrong gives wrong results, not an error. So run a new model with
// Config.Synch 6, which names the field that is not as it was, and compare the digests
// (Config.Digest) of a sequential and an optimistic run. Type.Check says how to compare
// states that may differ after Reverse, by rounding say.
//
// Event may meet states that cannot be, since it sees events that came too early. It
// must end all the same, without an endless loop. If it finds such a state it can call
// [LP.Suspend]: the LP then ignores events until a rollback. An error given to
// [LP.Fail], a bad Send, and a text of [LP.Printf] are told when the event is
// committed, never if it is undone. So is a panic if the engine saves the state; if
// Reverse has to undo it, it ends the run.
//
// Commit is the place for what cannot be undone: writing to files, statistics in Go
// variables, or in fields of the state that no other handler uses. It is called once for each event, in the order of the LP's events; LPs of
// different PEs commit at the same time. Init, PreRun and the GVT hook run on each PE
// by itself, too, Final on one after the other.
//
// # Who calls what
//
// A parallel run calls these functions of the program from several goroutines at once, so
// that Go variables which they share must not change, or be locked:
//
//   - of [Type]: Init, PreRun, Event, Reverse, Commit, Trace, Sample, Point, ReversePoint,
//     SerializedSize, Serialize and Deserialize. What concerns one LP is called by its PE
//     alone, one call after the other.
//   - of [PEType]: PreLPInit and PostLPInit, by each PE for itself.
//   - Config.GVTHook, by each PE for itself.
//   - Config.TypeMap, in a run of several ranks.
//   - the handler of Config.Log.
//
// These are called by one goroutine: Type.Map and the functions of Config.Custom, by Define;
// Type.Final and PEType.Final, after the run; those of Type.Check, in the schedulers that
// compare. Config.Output gets one Write at a time. Ranks are processes, and share
// nothing: each calls all of these for its own LPs, Map, Custom and TypeMap for those of
// all ranks.
//
// # Mappings
//
// Which LP is on which PE decides how fast a run is, not what it computes. Config.NLP LPs
// are on each PE, in blocks or dealt out ([mapping.Linear], [mapping.RoundRobin]), or the model
// says where they are: Config.Custom, or Type.Map. Custom.For gets the number of
// PEs of all ranks; Config.PEs is the number of one rank. [Simulation.Place] and
// [Simulation.LPAt] look up ids and places, of all ranks; [LP.Local] is the local id. The
// example of Config with a mapping is a model of exactly 7 LPs.
//
// # Replications
//
// A run with other Config.Seeds is a replication. It needs seeds that have no pattern in
// common with those of the others, as [rng.SeedsOf] makes them from its number: streams of
// seeds that are multiples of each other, such as 1 1 1 1 and 2 2 2 2, draw multiples of
// the same numbers. Config.CoreSeeds decide the order of simultaneous events and nothing
// else. If a result changes with them, the model leaves an order to chance that matters.
//
// # If a run is not what was meant
//
// The report has a line that begins with "Note:" where the engine sees a likely mistake, and
// Config.Log gets it as a warning.
//
//   - Hardly any event happens, and "Total Events Scheduled Past End Time" is large: Send
//     was given a time. It takes a delay: d, not lp.Now()+d.
//   - More PEs or ranks do not make it faster: look for PEs without LPs. The lines "PE 0:
//     Committed, ..." of the report tell what each PE did.
//   - Replications agree too well: compare their seeds, see above.
//   - Results differ between schedulers or numbers of PEs: with --synch=6 each event is
//     undone and compared. If that finds nothing, go run -race finds Go variables that
//     LPs share.
//   - One event does something odd: have its handler note LP.Signature, and stop the
//     next run just before it ([HookAtSignature]).
//
// # Order
//
// Events are handled in the order of their [Signature]:
//
//  1. time;
//  2. priority, the lower value first. Send gives [DefaultPriority], the highest
//     value;
//  3. tie-breakers. Each send draws one from a stream of the engine that belongs
//     to the sending LP. So the order of simultaneous events is random without
//     bias, and is the same in every run with the same seeds.
//
// An event sent without delay has the tie-breakers of its cause and one more. It
// comes after its cause, and before events of the same time and priority that
// do not descend from it. Such chains may be of any length up to
// Config.MaxChain; a longer one counts as endless ([ErrChain]). An event without
// delay must not have a lower priority value than its cause, because it would
// come before it: that is [ErrOrder]. A delay too small to change the time
// counts as no delay.
//
// The order of a run does not depend on the scheduler, the number of PEs and KPs, the
// mapping, the event queue (--pq), or the order in which LPs are initialised. It
// depends on the number of LPs, since their random streams do. Config.Digest shows
// it: the digest is one number over all committed events, equal for runs that
// committed the same, and a second one is over the states that the last events left,
// before Final. Of an event it takes the message as it was sent. The order of maps and
// addresses do not count for states, those of blocks included; nor does what is behind
// channels and unsafe pointers. Checker.Digest chooses what of a state does.
//
// # Errors
//
// The library never panics for a user's mistake, never exits and prints only to
// Config.Output (but if MPI itself fails, or a rank leaves before its run: then to
// standard error, and MPI ends the program). Every error says what was wrong, where, and what to do.
//
//   - New, Options: an [ErrUsage] for a setting. Nothing has run, and programs exit
//     with status 2.
//   - Define: an [ErrModel], or what kept memory or a folder from being had.
//   - Run: a [*ModelError] for what a handler did: it names the LP, its type and
//     its time, and wraps one of [ErrDelay], [ErrDestination], [ErrPriority],
//     [ErrOrder], [ErrMessageType], [ErrOutsideHandler], [ErrMemory], [ErrLookahead],
//     [ErrSave], [ErrReverse], [ErrBits], [ErrChain], [ErrPanic], or the error that the model gave to
//     [LP.Fail]. If several PEs failed, errors.Is and errors.As find each of theirs.
//     A GVT hook that asks for what it cannot have is [ErrHook].
//
// Send returns nothing, so that models stay readable. A mistake ends the run
// before the next event (in an optimistic run: when it is committed); sends of the
// same handler after it are as void as the run. The first error of a PE is the one
// that is told. [ExitCode] turns an error into an
// exit status.
//
// # Several ranks
//
// In a program built with -tags mpi and started by mpirun all processes, the ranks, run
// one simulation: New finds the others. Each has Config.PEs PEs, and Config.NLP is the number of
// LPs on each of them. A model needs no change. What differs:
//
//   - [Simulation.LP] and [Simulation.PE] return nil for what is in another rank.
//   - Everything that is to be printed once goes to [Simulation.Report]. Stats are those of all
//     ranks, on each of them.
//   - All ranks call New, Define, Run and Close. An error of one of them is returned by
//     all; [Speaks] tells who is to print it, and has to be asked before Close, since
//     mpirun ends the others when the first one exits.
//   - Config.TypeMap is called during the run, too, by several PEs at once.
//   - Messages are plain bytes, as ever; ranks have to be the same program on machines of the same
//     byte order, which New checks.
//   - MPI is started by New, unless it was before, and ended by the last Close.
//     [KeepMPI] keeps it for several simulations.
//
// # Files
//
// Nothing is written unless it was asked for.
//
//	ross.csv                   one row a run, appended           Config.Dir
//	ross_all_lp_stats/pe_0.txt time and events of each LP; pe_1, Config.Dir
//	                           ... for the other PEs
//	stats-output/              --event-trace; package instr      Config.StatsPath
//	checkpoint-000000.rio-md   --io-interval; package rio        Config.IOName
//	                           ... and .rio-lp, .rio-data-0, .txt
//
// Texts and columns are those of ROSS, so that scripts which read them keep
// working; what is new comes after what they expect. If the folder of a trace
// exists, another one is made beside it.
//
// # Checkpoints
//
// A simulation can be stored at a virtual time: its LPs with their states and random
// streams, and the events that wait. What starts from that commits what the simulation
// would have committed, under any scheduler and on any number of PEs.
//
// [Simulation.InitIO], [Simulation.LoadCheckpoint] and [Simulation.StoreCheckpoint] do so
// before and after a run, the options --io-interval and --io-on-exit while it goes on, and
// --io-restart starts from what they have stored. States without pointers need nothing;
// others have Type.SerializedSize, Serialize and Deserialize. Package rio documents the files.
//
// # Memory
//
// Pools grow as a run needs them, up to Config.MaxMemory. No size has to be set
// for a run to end well. Settings such as EventsPerPE are accepted without effect.
//
// An optimistic run needs memory for what is not committed. When it comes to the
// ceiling it goes less far ahead, down to one event at a time, and ends with
// [ErrMemory] only if that finds none either. Twice the memory of the sequential run
// is enough for runs of the tests that would take 72 times as much.
//
// What models allocate in Go is not counted, and not rolled back. Memory that belongs
// to the state of an LP comes from [Alloc]: a [Block] is a handle without pointers,
// [Block.Of] gives the values to handlers, and both Alloc and [Free] are undone with
// their event.
package ross
