// Package ross runs discrete-event simulations that give the same results as ROSS 8.1.1,
// Rensselaer's Optimistic Simulation System: with the same model, parameters and seeds it
// handles the same events in the same order.
//
// The same model runs sequentially, conservatively or optimistically (Time Warp), on any
// number of threads and, with MPI, on any number of machines. Every run commits the same
// events.
//
// This is the guide. After its last section, a page (ross.go) has a complete program and says where to read on.
//
// # A model
//
// A model consists of LPs (logical processes) that send each other events. An LP has a state
// of a type that the model chooses, and receives messages of types that it chooses. A [Type]
// connects them with the functions that the engine calls.
//
// Only Event is mandatory: what handles events. [On] makes it from a function that handles messages
// of one type. The engine calls Init of all LPs, then PreRun of all LPs, then the function for each
// event, and at the end Final of all LPs.
//
// A handler reaches the engine through its LP: [LP.Now] is the virtual time, [LP.RNG] the
// LP's random stream, [LP.Stream] one of several (Config.Streams.PerLP), [LP.Printf] prints, [LP.Log] logs,
// and [LP.Stop], or [LP.StopAfter] a while later, ends the run when the model has what it wants.
//
// Four rules make a model deterministic and fit for the parallel schedulers:
//
//   - An LP reads and changes only its own state. It communicates with other LPs through
//     events. Handlers of LPs on different PEs run at the same time, so they must not share
//     package variables that change.
//   - All randomness comes from the LP's streams.
//   - Nothing depends on wall-clock time, on the iteration order of maps, or on goroutines.
//   - Messages are plain bytes: numbers, and arrays and structs of them. Define refuses a
//     message type that holds pointers.
//
// A model may have several types of LPs, each with its own state and messages. Type.LPs says how many
// LPs each has, or Config.TypeMap which type an LP has. The receiver's type must have a handler for the message that is
// sent. The first example of [Config] shows such a model.
//
// The chapter "Your first optimistic model" (docs/first-model.md) builds a model step by step.
//
// # Messages
//
// LPs that receive messages of several types have a handler for each, which [Events] joins: no message
// needs a field that says what it is. A handler made by [OnUndo] has undo data, a value of a type of the
// model's: what its Reverse needs to know is kept there, and messages stay as they were sent. For
// optimistic runs the engine keeps undo data with the event until it is final.
//
// An event has room for a message of up to 72 bytes, or less if all of those messages are smaller;
// so an event takes at most two cache lines. A larger message gets memory of its own, so that it
// does not make the other events large. Only if all messages of the model have more than 72 bytes
// do events have room for larger ones: for those of up to 256 bytes or, if there are none, up to 512 or 1,024.
//
// # Sending
//
// [Send] schedules an event for an LP. It takes a delay in virtual time, not a time.
// [SendPriority] also takes a priority, and [NewEvent] returns the message for the handler to
// fill in place, which avoids copying a large one (it is rarely needed, hence the longer
// name; New makes a simulation). An event at or after Config.End is counted
// but not delivered.
//
// Send returns no error, which keeps models readable. A mistake ends the run before the next
// event; in an optimistic run, when the event that made the mistake is committed. Later sends
// of that handler have no effect.
//
// # Timers
//
// [After] sends an LP an event of its own, for example for a timeout, and returns a [Timer], with
// which a later event of that LP may cancel it. Cancelling is undone with the event that cancels.
// An LP cancels events that it has sent to others by sending them another event.
//
// # Order
//
// Events are handled in the order of their [Signature]:
//
//  1. by time;
//  2. by priority, the lower value first. Send uses [DefaultPriority], the highest value;
//  3. by tie-breakers. Each send draws one from a random stream that the engine keeps for the
//     sending LP. The order of simultaneous events is therefore random without bias, and the
//     same in every run with the same seeds.
//
// An event sent without delay has the tie-breakers of the event that sent it, and one more.
// It comes after that event, and before events of the same time and priority that do not
// descend from that event. Such chains may have any length up to Config.MaxChain; a longer one
// is considered endless ([ErrChain]). An event without delay must not have a lower priority
// value than the event that sends it, since it would come before its own cause ([ErrOrder]). A
// delay too small to change the time counts as no delay if the event would otherwise come before
// its cause.
//
// The order does not depend on the scheduler, the number of PEs and KPs, the mapping, the
// event queue (--pq), or the order in which LPs are initialised. It depends on the number of
// LPs, because their random streams do.
//
// Config.Digest verifies this. It adds two numbers to the report: one over all committed
// events, with their messages as they were sent, and one over the states after the last
// events, before Final. Runs that committed the same events have the same digests. The digest
// of states depends neither on the iteration order of maps nor on addresses, and leaves out
// what channels and unsafe pointers refer to. Checker.Digest chooses the part of a state that
// it covers.
//
// # Undoing events
//
// An optimistic scheduler handles events before it is certain that no earlier one will
// arrive, and undoes them (rolls them back) if one does. The engine undoes what an event sent,
// drew, allocated, printed and reported. What Event did to the state is undone in one of these
// ways, which Type.Saving chooses for each type:
//
//   - [SaveByReverse]: the Reverse handler of the model undoes the change. It receives the
//     state, the message and the undo data as Event left them, and need not undo draws. After it
//     the engine restores the values that Event saved with [Save]. This is the fastest way,
//     and the default of types that have a Reverse handler.
//   - [SaveByLog]: Event calls [Save] for each value before it changes it, or changes it through
//     the pointer that [Write] returns. The cost is that of the values, not of the whole state.
//   - [SaveByDelta]: the engine stores the difference that each event makes. The state must
//     not hold pointers, strings, slices, maps or interfaces; data that grows is kept in
//     memory of [Alloc]. This is the default of types without Reverse.
//   - [SaveNever]: events of the type cannot be undone. Each is handled only when nothing
//     earlier can arrive any more, and all later events of its PE wait for it.
//
// A mistake here gives wrong results, not an error. Run a new model with Config.Synch set to
// [RollbackCheck] (--synch=6), which names each field that is not restored, and compare the
// digests (Config.Digest) of a sequential and an optimistic run. Type.Check says how to compare
// states that may differ after Reverse, for example by rounding errors.
//
// Event may see impossible states, since it also handles events that came too early. It must
// return even then, without an endless loop. It can call [LP.Suspend] if it finds such a
// state: the LP then ignores events until a rollback. The error of [LP.Fail], the error of a
// bad send, the text of [LP.Printf] and the records of [LP.Log] are reported when the event is
// committed, and never if it is undone. The same holds for a panic if the engine saves the
// state (SaveByLog, SaveByDelta); in other types a panic ends the run.
//
// Commit is the place for actions that cannot be undone: writing to files, and statistics in Go
// variables or in fields of the state that no other handler uses. It is called once for each
// event, in the order of the LP's events.
//
// # Memory
//
// Memory grows as a run needs it, up to Config.MaxMemory; no size has to be set. Those of
// Config.AskEvents say what is taken before the first event.
//
// An optimistic run needs memory for events that are not committed. Near the ceiling it runs
// less far ahead, down to one event at a time, and it ends with [ErrMemory] only if even one
// event finds no memory. A model of the project's tests takes more than 100 times the memory of
// its sequential run if nothing limits it, and still runs in twice that memory.
//
// What a model allocates in Go is neither counted nor rolled back. Memory that belongs to the
// state of an LP comes from [Alloc], which returns a [Block]: a handle without pointers.
// [Block.Of] returns its values to handlers. Alloc and [Free] are undone with their event. Package
// container has queues, heaps, maps and others that grow in such memory and undo themselves.
//
// # Hooks
//
// Hooks are functions of the program that belong to no LP. [PEType] holds those that the engine
// calls for each PE before and after the LPs' Init, and at the end of the run. Config.GVTHook is
// called during the run when its trigger fires: at a time ([HookAt]), at the signature of an
// event ([HookAtSignature]), at every n-th GVT computation ([HookEvery]), or when the model asks
// for it ([HookWhenModelCalls]). GVT (global virtual time) is the time before which all events
// are committed.
//
// # Running
//
// [Run] does what most programs need. Others call [New], which checks the settings, then [Simulation.Define], which
// makes the LPs, then [Simulation.Run], and finally [Simulation.Close], which releases the memory. A run is over when
// no event is left before Config.End, when an LP stops it ([LP.Stop], [LP.StopAfter]), or when its context ends.
//
// [Config] holds every setting, and each field names its flag. A program with the command line
// of ROSS registers its own options and the engine's with [Options] and calls Options.Main.
// A program that uses package flag binds the same settings with [Config.RegisterFlags].
//
// After the run, [Simulation.Summary] returns the figures of the report, and [StateOf] the state
// of an LP. [Reduce] makes one result of the states of all LPs, such as a total, and [Gather]
// returns a value of each; in a run of several ranks both include the LPs of all ranks. During
// the run, [Simulation.Snapshot] returns its progress.
//
// # Schedulers
//
// Config.Synch selects the scheduler, and Config.PEs the number of threads:
//
//	1  Sequential          one event after another on one PE; 0, the default, means the same
//	2  Conservative        each PE handles events up to GVT + Config.ConsLookahead
//	3  Optimistic          each PE runs ahead, and rolls back when an earlier event arrives
//	4  OptimisticDebug     sequential: rolls back all events at the end and compares
//	5  OptimisticRealTime  like 3, with GVT every Config.Tuning.GVTInterval milliseconds
//	6  RollbackCheck       sequential: handles, rolls back and compares each event
//	   Auto                1, 2 or 3, whichever is fastest, as the run itself shows
//
// The conservative scheduler needs a lookahead, which the model promises: events for LPs of
// other PEs have at least that delay (Config.ConsLookahead, or Lookahead of all types). An event
// with less is an [ErrLookahead]. The optimistic schedulers need events that can be undone. Auto
// begins sequentially, so a short run pays for nothing, and tries the others once the run takes
// longer; all that has been done until then stays. If Config.LPs is given and the number of PEs is
// not, Auto chooses that as well.
//
// Each LP belongs to a PE (a thread with an event queue) and, on it, to a KP (a group of LPs
// that roll back together). Config.NLP and Config.NKP are numbers per PE. Config.LPs is the
// number of LPs of the model instead, which stays the same on any number of PEs and need not be a
// multiple of it. A run with more PEs than cores is correct but slow.
//
// # Mappings
//
// The mapping of LPs to PEs affects the speed of a run, not its results. With
// [mapping.Linear] and [mapping.RoundRobin], each PE has Config.NLP LPs, in blocks or in turn;
// with Config.LPs, the numbers of LPs on two PEs differ by at most one.
// [mapping.Places] has functions of the model, and [mapping.For] makes them from the numbers of the run: it receives
// the number of PEs of all ranks, whereas Config.PEs is the number of one rank.
// [Simulation.Place] and [Simulation.LPAt] translate between ids and places on all ranks;
// [LP.Local] is the local id.
//
// # Replications
//
// A replication is a run of the same model with other random numbers. Config.Replication is its
// number, and each number draws from other parts of the same streams; no two replications share
// a draw. Config.Seed makes all streams from one number, for a series of replications that is
// independent of others. Package experiment makes replications until a result is precise enough,
// and estimates its confidence interval.
//
// The four numbers of Config.Streams.Seeds are ROSS's way. They need care, because seeds that are
// multiples of each other, such as 1 1 1 1 and 2 2 2 2, draw multiples of the same numbers.
//
// Config.Streams.CoreSeeds affect only the order of simultaneous events. If a result changes with
// them, it depends on an order that the model leaves to chance.
//
// # Concurrency
//
// A parallel run calls these functions of the program from several goroutines at once. Go
// variables that they share must be constant, or protected by a lock:
//
//   - of [Type]: Init, PreRun, Event, Reverse, Commit, Trace, Sample, Point, ReversePoint,
//     SerializedSize, Serialize and Deserialize. Calls for one LP come from its PE, one after
//     another. Type.Label is called for any LP by any PE, and by a
//     goroutine that writes a checkpoint.
//   - of [PEType]: PreLPInit and PostLPInit. Each PE makes its own call.
//   - Config.GVTHook. Each PE makes its own call.
//   - Config.TypeMap, in a run of several ranks.
//   - the handler of Config.Log, and Enabled of Config.ModelLog, whose Handle is called by one
//     PE at a time.
//   - Config.ModelLogOnly.
//
// One goroutine at a time calls Config.Mapping (in Define),
// Type.Final and PEType.Final (after the run), and those of Type.Check (in the schedulers that
// compare). Config.Output receives one Write at a time.
//
// Ranks are processes and share nothing. Each calls the functions for its own LPs, and Mapping
// and TypeMap for the LPs of all ranks.
//
// # Several processes
//
// With Config.Ranks [--ranks] a program runs one simulation in several processes of one machine, the ranks: New in the
// first process starts the others, which run the same program with the same arguments. A program built with -tags mpi
// and started by mpirun does so on any number of machines. Each rank has Config.PEs PEs with Config.NLP LPs each,
// unless Config.LPs sets the number of LPs of all ranks. Models need no change, but the program must know that:
//
//   - All ranks call Run of this package, or New, Define and Simulation.Run, and Close.
//   - [Simulation.LP] and [Simulation.PE] return nil for LPs and PEs of other ranks. Results of
//     all LPs come from [Gather] and [Reduce], which all ranks call.
//   - Output that is to appear once goes to [Simulation.Report]. Summaries are those of all ranks, on
//     each of them.
//   - If a rank fails, all ranks return an error. [ShouldPrint] says which rank prints it; call it
//     before Close, because mpirun ends the other ranks when the first one exits. A rank that is gone is
//     such an error if the program has started it; mpirun ends the others.
//   - Config.TypeMap is also called during the run, by several PEs at once.
//   - All ranks must run the same program on machines of the same byte order. New verifies this.
//   - Whatever a program does before New, all ranks do: those that it has started as well. Their stdin is empty.
//   - Close waits for the ranks that it has started, until they have ended or are in another New.
//   - New starts MPI, unless it has been started before, and the last Close ends it. [KeepMPI]
//     keeps it for several simulations.
//
// # Checkpoints
//
// A checkpoint stores a simulation at a virtual time: its LPs with their states and random
// streams, and the pending events. A run that starts from it commits what the original
// simulation would have committed, under any scheduler and on any number of PEs.
//
// The options --io-interval, --io-virtual-interval and --io-on-exit store checkpoints during a
// run, and --io-restart starts from one. A program can do the same before and after a run with
// Config.Checkpoints.AfterRun, [Simulation.Load] and [Simulation.Store]. States
// without pointers need no preparation, and are stored with the contents of their Blocks; other
// types need SerializedSize, Serialize and Deserialize. Package rio documents the files.
//
// # Instrumentation
//
// Config.Instruments.Engine samples the counters of PEs, KPs and LPs, and Config.Instruments.Model samples
// data of the model (Type.Sample, Type.Point): at GVT computations, at intervals of real time,
// or at virtual times. Config.Instruments.Trace records events ([EventHandler.Trace]).
// [Simulation.CollectionError] says whether the files are complete. Package instr documents and
// reads them.
//
// # Files
//
// A run writes only the files that were asked for; a program.Program asks for the first two unless its command line
// has --report-path=, a folder or nothing:
//
//	ross.csv                    one row for each run, appended     Config.Dir
//	ross_all_lp_stats/pe_0.txt  time and events of each LP; one    Config.Dir
//	                            file for each PE
//	stats-output/               samples and event traces, names    Config.Instruments.Path
//	                            of LPs (Type.Label), records
//	                            of runs (Config.Record)
//	checkpoint-000000.rio-md    checkpoints, also .rio-lp,         Config.Checkpoints.Name
//	                            .rio-data-0 ..., .rio-labels, .txt
//
// Texts and columns are those of ROSS, so that scripts that read them still work, but for the title of the figures of
// GVT, which says how it was reduced; additions follow them. A ross.csv with other columns stays as it is, and the
// row goes to ross-2.csv. If the folder of the instrumentation exists, the run creates another with a similar name.
//
// # Errors
//
// The library does not panic on a user's mistake, never exits, and prints only to Config.Output. There is one
// exception: in a run of several ranks, if MPI or the engine fails, or if a rank leaves before its run, a message
// goes to standard error, and MPI may end the program; and a process that was started as a rank (--ranks) may end
// when another rank is gone. Each error says what was wrong, where, and what to do:
//
//   - New and Options return an [ErrUsage] for a setting. Nothing has run yet; programs exit
//     with status 2.
//   - Define returns an [ErrModel] for a type, an ErrUsage for a setting, or an error about
//     memory or a folder that the run needs.
//   - Run returns a [*ModelError] for a mistake of a handler. It names the LP, its type and its
//     time, and wraps one of [ErrDelay], [ErrDestination], [ErrPriority], [ErrOrder],
//     [ErrMessageType], [ErrOutsideHandler], [ErrMemory], [ErrLookahead], [ErrSave],
//     [ErrReverse], [ErrRecord], [ErrBits], [ErrTimer], [ErrChain], [ErrPanic], or the error given to
//     [LP.Fail]. If several PEs failed, Run returns the mistake that is earliest in virtual time. Type.Label
//     lets it name LPs as the model does. A GVT hook that asks for something impossible is an
//     [ErrHook].
//
// [ExitCode] turns an error into an exit status.
//
// # Troubleshooting
//
// If the engine sees a likely mistake, the report has a line that begins with "Note:", and
// Config.Log receives the same text as a warning.
//
//   - Hardly any event happens, and "Total Events Scheduled Past End Time" is large: Send was
//     given a time. It takes a delay: d, not lp.Now()+d.
//   - More PEs or ranks do not make the run faster: look for PEs without LPs. The lines
//     "PE 0: Committed, ..." of the report show what each PE did.
//   - Replications agree too well: let them differ in Config.Replication, not in Config.Streams.Seeds.
//   - Results differ between schedulers or numbers of PEs: --synch=6 undoes and compares each
//     event. If it finds nothing, go run -race finds Go variables that LPs share.
//   - A single event does something unexpected: have its handler record LP.Signature, and stop the
//     next run just before that event (HookAtSignature).
package ross
