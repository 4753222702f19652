// Package verify checks a result that somebody has found: the program runs again, in other ways, and what it gives is
// compared with the record.
//
//	verify.go   the subcommand: its options, and what it says
//	recorded.go the record of a run: what is checked before anything runs
//	program.go  the program, and its command line in another way
//	play.go     a run of it, in a temporary folder
//	compare.go  what a run must have in common with the record
//	locate.go   which LP differs first, when, and in what
//	texts.go    the texts of two watches, compared
//	study.go    a sample of a study's replications
//
// # What proves what
//
// The seal of run.json has a hash of each member and one of the whole text, and the record a hash of each file of the
// folder. It shows what was changed by accident or carelessly, and where. It is no signature: who changes a member can
// also write a new seal. What decides is the new run. It proves digests, statistics and tables; that the program, its
// options, seeds and input files are those that give them; and that the schedulers agree. It cannot prove when and
// where the recorded run was made, and how long it took: there is only the seal for these members (instr.OnlySealed).
//
// # What differs first
//
// The new runs have the digests of single LPs, so those that differ in two runs are known; if these are many, exact
// event traces of both runs say which event differs first, and at which LP. Such LPs are watched in two further
// runs (--watch), and the first lines that differ have the LP, the virtual time and the field. Two runs of a model
// that reads a clock may differ elsewhere than the two before: what is said is true of the two that were watched.
package verify
