// Package ranks makes the ranks of a run agree before it starts: on whether it starts, on what
// runs, and on names. It uses a few methods of *mpi.World. All ranks call its functions together,
// and they block. It is for the beginning and the end of a run, not for its loop. [Cluster] is the
// engine's handle: a rank among the others, or alone, from New to Close.
//
// # A start
//
//	err := ranks.Check(w, ranks.Description{
//		{"program", "SHA-256", hash}, // of Program
//		{"option", "--nlp", "8"},
//		{"LP type 0", "message size (bytes)", "24"},
//	})
//	if err == nil {
//		err = ranks.Agree(w, openFiles(), 1) // each rank's own
//	}
//
// If one rank returns early, the others wait for it in the next collective call. So any error that
// can occur on one rank alone goes through [Agree], after which either all ranks return, or none. A
// rank with an earlier error skips what it cannot do, but still calls the same Agree as the others.
// The calls and their order must be the same on all ranks; it does not matter which rank has an
// error.
//
// Call Check first, or after an Agree on options that cannot be read. Ranks of different byte
// orders do not understand the lengths of each other's texts, as [AllGatherBytes] and [Share]
// require.
//
// # Reporting an error once
//
// A mistake in the command line occurs on all ranks, a full disk on one. Either must be printed
// once, by a rank that knows the error, and the exit status of mpirun must not depend on which rank
// exits first. Agree and [Check] therefore return a [Failure] on every rank:
//
//	                          Err                     Prints    exits with
//	all have "bad option"
//	  rank 0                  its own                 yes       status of rank 0
//	  the others              their own               no        the same
//	rank 1 alone has an error
//	  rank 1                  its own                 yes       status of rank 1
//	  the others              RemoteError of rank 1   no        the same
//	rank 1 "no file", rank 3 "disk full"
//	  rank 1                  its own; and rank 3's   yes       status of rank 1
//	  rank 3                  its own                 no        the same
//	  the others              RemoteError of rank 1   no        the same
//
// errors.Is and errors.As find a rank's own error in it. A program ends like this:
//
//	if ranks.ShouldPrint(err) {
//		fmt.Fprintln(os.Stderr, err)
//	}
//	w.Close()
//	var f *ranks.Failure
//	if errors.As(err, &f) {
//		os.Exit(f.First.Code)
//	}
//
// The order matters. mpirun ends all ranks when one exits with a status that is not 0; Close waits
// until the rank that prints it has done so. Any other error, such as one of MPI, is printed by every
// rank that has it, because the ranks could not agree; then Close would wait for ever, and
// World.Abort must end the run.
//
// # Ranks agree, or end
//
// Before the start ranks compare byte order, the SHA-256 of the program, options, LP types and
// sizes (ranks.go of package ross); what concerns a rank alone (--max-memory, --pq) may
// differ. An error of one rank becomes an error of all at fixed points: New, Define, after Init, at
// the GVT that ends the run, after Final. One rank prints it (ross.ShouldPrint), and all exit with the
// same status. A rank that dies is a matter for the launcher, which ends the others; ranks that a program has started
// get an error (launch.Loss). If MPI itself
// fails nothing can be agreed on: the rank prints the error and calls MPI_Abort.
//
// A program may call different things on its ranks, by mistake. So each call of the API that all ranks make
// begins with [Cluster.Call], one reduction of three words: whether a rank has an error, and a hash of what it
// calls. If these differ, all ranks learn what each of them calls, and get the same error:
//
//	ross: Run: rank 1 calls Close at the same time: let all ranks make the same calls in the same order
//
// Close is such a call as well. So a rank that leaves reports it, and one that waits for it gets an error.
//
// A failure of MPI, which a rank that is gone may cause, ends all ranks (BreakDown), since whatever they call
// next would wait for each other.
//
// # What is compared
//
// Everything is compared with rank 0. First come byte order, word size and version of the protocol,
// in words that any machine understands (check.go). Then each rank sends the SHA-256 of its
// description. Only if these differ does rank 0 send its list; among ranks with the same
// description the lowest finds the differences and informs the others. So a check costs at most one
// list and three texts, and the error on all ranks is
//
//	ross: start: rank 2 differs from rank 0: option --nlp: 16 there, 8 on rank 0: give all ranks the same
//
// Processors may differ, as long as these agree. A program for another processor has another
// SHA-256, however; the caller may leave it out.
//
// # Costs
//
// Two ranks on a machine with two processors, Open MPI 4.1.4 over shared memory:
//
//	Agree, nobody has an error     0.8 us, one reduction of a word
//	Check, all are alike           5 us, two reductions, of 4 words and of 8
//	AllGatherBytes of 100 bytes    3 us; the first 4 KiB of each list go in one AllGather,
//	                               the rest in broadcasts of up to 16 MiB
//	Program, a binary of 30 MB     20 ms from the page cache (1.5 GB/s, with SHA
//	                               instructions), once in a process
//
// On a network file system each machine reads the program, as at its start.
package ranks
