// Package bench measures ross against alternatives. Each benchmark is a struct
// that describes and runs one cell of a table, so that tests of this package and
// other programs run the same code.
//
// # Tables
//
// [Hold] is the hold model of a pending-event set: the least key is taken out and
// put back later, at a constant number of keys. It compares the ladder queue, in C
// and in Go, with a 4-ary heap of keys (the strongest simple queue for small
// entries) and with container/heap (which most Go programs use). Times come from
// the [Distributions].
//
// [Phold] is PHOLD in the sequential engine, with either queue; "std": the same
// model on a container/heap, without the engine; and "floor": the handler and its
// draws alone, on LPs of the engine's size in random order. The difference to the
// floor is the cost of the engine.
//
// [TimeWarp] is PHOLD under each scheduler, on one PE and on two; its baseline is
// the sequential one. [Saving] is the cost of each way to undo events, on LPs with
// a state of 64 bytes; its baseline is a Reverse handler. [Router] is the same for a state of
// 2.7 KB. [Sizes] has messages of 8 to 1,024 bytes and states of 64 bytes to 64 KiB; "bare", its
// baseline, is the same model on a heap without the engine.
//
// [Scaling] is PHOLD's rate under each scheduler while one parameter grows: pending events, LPs,
// the share of remote events, lookahead or PEs. Program picture draws it as scaling.svg.
//
// [Memory] is the bytes of an LP, a KP, a pending and an uncommitted event, as differences of two runs.
//
//	go test -run '^$' -bench Hold -count 6 ./bench
//	go test -run '^$' -bench 'Phold/impl=(floor|std|c)/pending=16384' -count 6 ./bench
//	go test -run '^$' -bench 'TimeWarp|Saving' -benchtime 3000000x -count 6 ./bench
//
// Program balance, in a folder of its own, compares runs whose KPs stay with runs whose KPs move. Program machine
// measures how the models of TimeWarp, Sizes and others scale on a machine: `make machine`.
//
// # Names
//
// Names are key=value, as in impl=c/n=1024/dist=exp, so that benchstat can put the
// implementations side by side (-col /impl), as `make bench` does. Figures are
// nanoseconds for one operation: a pop and a push, or one event. The baseline is
// always in the same benchmark, because only figures from the same machine and
// time are comparable.
//
// # What is not measured
//
// A hold model has a steady state, and its keys all differ in their first 64 bits
// except with dist=equal. Models with bursts, cancellations or many simultaneous
// events are covered by tests that count steps (package pq), not by these tables.
package bench
