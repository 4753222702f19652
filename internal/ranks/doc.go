// Package ranks makes the ranks of a run agree before it starts: on whether it starts,
// on what runs, and on names. It works on a few methods of *mpi.World, is called by all
// ranks together, and blocks. It is for the beginning and the end of a run, not for its
// loop.
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
// Ranks part where one of them returns early: it is gone, and the others wait for it in
// the next collective call. So whatever can go wrong on one rank alone goes through
// [Agree], and all ranks return after it, or none. A rank whose error is from further
// above skips what it cannot do, and still comes to the Agree where the others are. It is
// the calls and their order that have to be the same on all ranks; which of them has an
// error does not matter.
//
// Check comes first of all, or behind an Agree on options that cannot be read. Ranks of
// different byte orders do not understand the lengths of one another's texts, which
// [AllGatherBytes] and [Share] take for granted.
//
// # Telling it once
//
// A mistake in the command line is made on all ranks, and a full disk is seen on one.
// Either is to be printed once, by a rank that knows all about it, and the exit status
// of mpirun is not to depend on who exits first. What Agree and [Check] return is a
// [Failure] on every rank:
//
//	                          Err                     Speaks    exits with
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
//	if ranks.Speaks(err) {
//		fmt.Fprintln(os.Stderr, err)
//	}
//	w.Close()
//	var f *ranks.Failure
//	if errors.As(err, &f) {
//		os.Exit(f.First.Code)
//	}
//
// The order counts. mpirun ends all ranks when one exits with a status that is not 0;
// Close waits until the one that speaks has spoken. Any other error, such as one of MPI,
// is told by everybody who has it, as nothing could be agreed; then Close would wait for
// ever, and World.Abort is what ends the run.
//
// # What is compared
//
// Everything is compared with rank 0. First come byte order, word size and version of
// the protocol, in words that any machine understands (probe.go). Then each rank gives
// the SHA-256 of its description. Only if these differ does the list of rank 0 go
// around; ranks with the same description count as one, the lowest of them finds the
// differences and tells the others. So a check costs one list and three texts in any
// world, and the error on all ranks is
//
//	ross: start: rank 2 differs from rank 0: option --nlp: 16 there, 8 on rank 0: give all ranks the same
//
// Processors need not be alike, as long as these agree. A program for another one has
// another SHA-256, however, so that it is for the caller to leave that out.
//
// # Costs
//
// Two ranks on a machine with two processors, Open MPI 4.1.4 over shared memory:
//
//	Agree, nobody has an error     0.8 us, one reduction of a word
//	Check, all are alike           5 us, a reduction of two words a rank and an AllGather
//	AllGatherBytes of 100 bytes    3 us; the first 4 KiB of each list go in one AllGather,
//	                               the rest in broadcasts of up to 16 MiB
//	Program, a binary of 30 MB     20 ms from the page cache (1.5 GB/s, with SHA
//	                               instructions), once in a process
//
// On a file system of the network the program is read by each machine, as at its start.
package ranks
