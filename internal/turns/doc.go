// Package turns runs the goroutines of a simulation one at a time, in an order that a seed decides, so
// that a test can run the engine in very many interleavings and repeat each of them exactly.
//
//	turns.Play(t, seed, func(w *turns.World) {
//		knobs := settings.Knobs{Turn: w.Turn}                 // of each rank
//		w.Go(settings.Main(rank), func() { sim.Run(ctx) })    // for each rank
//	})
//
// # How it works
//
// Play runs everything in a bubble of package testing/synctest. Its goroutines call World.Turn wherever
// others may run before they go on (settings.Turn), and stand there. When all goroutines stand or
// wait for one another, the World lets one of those that stand go on, as the seed says. A goroutine that
// waits for others, in a channel or for a message, calls Turn as soon as it is free to go on. So at most one
// goroutine does anything at any time, and nothing that it does depends on the machine.
//
// The code that runs is the engine's: the same loops, rings, rounds of GVT, sleeping and waking, and
// the same writing of checkpoints. Only messages and collective operations of ranks are those of package
// worldtest, which delays them.
//
// # Time
//
// The clock of the bubble stands still while goroutines run. Before each turn the World moves it by a
// random time, often 0. So intervals of real time, naps and measured rates, from which the engine chooses
// its pace, follow from the seed too. Counters of processor cycles are real: they are for figures only.
//
// # Orders
//
// How the next goroutine is chosen changes now and then within a run: all alike, one that is preferred or left out
// for long, as if it had lost its processor, or long stretches for each. Each order is a path that a
// scheduler of a real machine may take.
//
// # History
//
// World keeps which goroutine had each turn, and where it stood. A test that fails prints the seed and
// the last turns. Equal seeds have equal histories, whose hash is World.Hash.
package turns
