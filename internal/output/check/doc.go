// Package check finds mistakes in the undoing of events, and names the field that is wrong. A
// Reverse that forgets something shows in an optimistic run only as another digest, far from its
// cause, and only if a rollback happens to hit it.
//
// There are two schedulers, both on one PE, and both use the functions of package timewarp that an
// optimistic run uses: HandleOptimistic, Rollback, FossilCollectKP.
//
//	--synch=6   handles each event, takes it back, handles it again   check.go, commit.go
//	--synch=4   handles all events, then takes all of them back       debug.go
//
// # Types
//
//	Checker    what a PE keeps for the comparison
//	lpCopy     an LP between two events: state, streams, suspension (debug.go)
//	effects    what an event did besides its state, read from the history (effects.go)
//	image      a block of Alloc, outside the Go heap, as compared (blocks.go)
//
// # Order of things
//
// Package run makes a Checker with the PE ([New]), which wraps the Reverse handlers. Its loop for --synch=6 calls
// [Checker.Begin], then [Checker.Event] for each event, then [Checker.End]; that for --synch=4 calls Begin,
// InitialEvents, and after the rollback CompareAll and ComparePending (its check.go). Errors are composed in check.go.
//
// # Comparison by reflection, compiled once
//
// States are Go values of any type, so they are compared by package deep, which compiles a type
// once. ROSS compares bytes, which shows that something differs but not what.
//
// # Each event runs forward, back, and forward
//
// With --synch=6 GVT is at infinity, so each event commits as soon as it has been checked. It is
// compared three times:
//
//   - After the undo, with what was before: the state with all that it refers to, blocks of Alloc,
//     streams, suspension, message.
//   - After the second run, with what the first one left and sent. A handler that depends on
//     anything that is not rolled back (a package variable, the clock) does something else then.
//   - Before the LP's next event, and at the end, with what its last event left: only the LP's own
//     handlers may change it. The GVT hook may, too; what it leaves is accepted, because the hook
//     comes at the same virtual time in every scheduler.
//
// PHOLD then takes some 1.0 us per event, 12 times what it takes otherwise.
//
// # Commit must not matter to other handlers
//
// Commit may change fields of its own. Since it comes at other times in other schedulers, no other
// handler may use what it changes. If the Commit of an event has changed the state, the LP's next
// event is handled once more from the state before that Commit. It must send, draw and leave the
// same: the states before and after must differ in the same fields by the same values, and none of
// these fields may be in a record of Save. Where Reverse undoes, both may add to a number, and
// Commit may shorten what Event lengthens, as models do with what only Reverse needs.
//
// Limits: what Event reads shows only if the last Commit alone makes a difference to the event
// after it, and types with Checker.Save are not checked for this.
//
// # Statistics must not be read
//
// Statistics of package stats have what is committed, and when that is depends on the scheduler. While a
// handler runs, its LP's statistics are put aside, and a mark lies in their place (statistic.Hidden).
// A method that reads finds the mark, changes it, and returns what an empty statistic returns. The
// mark is in the state itself, so a read costs the other schedulers one comparison, a recording costs
// them nothing, and simulations share nothing. Commit and Final may read.
//
// # Messages must not be written after the handler returns
//
// A message is kept as it was when its sender's handler returned, and must be the same when it is
// handled. Otherwise the model has kept the pointer that NewEvent returned. Later writes are not
// noticed.
//
// # Streams are examined before the engine restores them
//
// Restoring would hide a wrong number of draws taken back by hand. After Reverse the number must be
// what it was before the event, or Reverse must have left the stream alone.
//
// # The message need not be as before
//
// Models of ROSS often leave in the message what Reverse needs. Only what the second run makes of
// it counts, and that is enough: if a second run on what the undo left does the same as the first,
// so does every later one. Checker.Message requests the comparison all the same, and messages that
// the engine saves are always compared.
//
// # Statistics are no state, and recordings are effects
//
// Scratch, and with it the statistics of a state, is not compared. What an event has recorded in
// statistics is in its history, and must be the same in the second run.
//
// # Addresses of blocks do not count
//
// An event that runs again may get other memory. While a state is compared, addresses of blocks are
// replaced by the order in which the blocks are found.
//
// A state may keep a Block that it has freed, as long as nobody reads it. It is compared as freed,
// whoever has its memory now: a Block's word has the address, and how often that was handed out.
//
// # Everything is rolled back at once
//
// With --synch=4 events are handled without GVT until none is left or memory is short; then KP
// after KP is rolled back, so that cancelled events meet all states that they can be in: waiting,
// handled, undone already. Every LP and every event must then be as after Init. This finds what the
// check of single events cannot: what goes wrong only if many events are undone, and out of order.
// A type that cannot be undone is refused. The GVT hook never fires, because nothing commits.
package check
