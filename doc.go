// Package ross runs discrete-event simulations whose results are those of ROSS,
// Rensselaer's Optimistic Simulation System: same seeds, same model, same
// parameters, same events in the same order (ROSS 8.1.1).
//
// This version has the sequential scheduler. Models are written as for the
// parallel ones; what the guide says about rollback and PEs holds for those.
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
// Four rules keep a model deterministic, and fit for schedulers that roll back:
//
//   - An LP changes its own state only. What it wants of another LP it sends.
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
// chooses ([HookAt], [HookAtSignature], [HookWhenModelCalls]).
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
// do not descend from it. Such chains may be of any length. An event without
// delay must not have a lower priority value than its cause, because it would
// come before it: that is [ErrOrder]. A delay too small to change the time
// counts as no delay.
//
// The order of a run does not depend on the event queue (--pq), the mapping, the
// number of KPs, or the order in which LPs are initialised. Config.Digest shows
// it: the digest is one number over all committed events, equal for runs that
// committed the same.
//
// # Errors
//
// The library never panics for a user's mistake, never exits and prints only to
// Config.Output. Every error says what was wrong, where, and what to do.
//
//   - New, Options: an [ErrUsage] for a setting. Nothing has run, and programs exit
//     with status 2.
//   - Define: an [ErrModel], or what kept memory or a folder from being had.
//   - Run: a [*ModelError] for what a handler did: it names the LP, its type and
//     its time, and wraps one of [ErrDelay], [ErrDestination], [ErrPriority],
//     [ErrOrder], [ErrMessageType], [ErrOutsideHandler], [ErrMemory], [ErrPanic],
//     or the error that the model gave to [LP.Fail].
//
// Send returns nothing, so that models stay readable. A mistake ends the run
// before the next event; sends of the same handler after it are as void as the
// run. The first error is the one that is told. [ExitCode] turns an error into an
// exit status.
//
// # Files
//
// Nothing is written unless it was asked for.
//
//	ross.csv                   one row a run, appended           Config.Dir
//	ross_all_lp_stats/pe_0.txt time and events of each LP        Config.Dir
//	stats-output/              --event-trace; package instr      Config.StatsPath
//
// Texts and columns are those of ROSS, so that scripts which read them keep
// working; what is new comes after what they expect. If the folder of a trace
// exists, another one is made beside it.
//
// # Memory
//
// Pools grow as a run needs them, up to Config.MaxMemory. No size has to be set
// for a run to end well. Settings such as EventsPerPE are first sizes at most.
package ross
