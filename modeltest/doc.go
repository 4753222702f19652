// Package modeltest tests whether a model is right under every scheduler, in one line of a test:
//
//	func TestModel(t *testing.T) {
//		modeltest.Run(t, modeltest.Model{Config: ross.Config{End: 100}, Types: types})
//	}
//
// where types returns the types of LPs, as a []ross.LPType. Or, for a program of package program, with a line of
// its options:
//
//	modeltest.Run(t, modeltest.Model{Program: bikes, Args: "--lps=16 --end=100"})
//
// The model should be small and its end early: some hundreds or thousands of events, in which everything happens
// that can happen. The test then takes some tenths of a second. Model.MaxEvents bounds it: by the number of events,
// so that the result does not depend on the speed of the machine.
//
// # What is run
//
// A sequential run first, with which all others are compared. Then, in this order, so that the first error is the
// one that says most:
//
//   - --synch=6, which undoes, compares and repeats each event, and --synch=4, which undoes all of them at the
//     end.
//   - The sequential run again, in the same process, with another event queue.
//   - Optimistic runs on 1 to 4 PEs, with few KPs, with GVT after each event, far ahead of GVT, and with another
//     mapping. In most of them each PE also undoes events at random, up to 128 at a time. So there are many and
//     long rollbacks on any machine. On one PE their order is always the same.
//   - Conservative runs, if the model promises a lookahead (Type.Lookahead of all types, or a Config.ConsLookahead
//     that is not the default), and one with --synch=auto.
//   - Runs that store a checkpoint in the middle, and runs that start from it, under other schedulers and on other
//     numbers of PEs, if the states can be stored.
//   - Replications: the sequential run and an optimistic one with other random numbers.
//
// Model.Short leaves out most of the optimistic runs, auto and the replications.
//
// What cannot be done is left out, and the Report says so, with the reason.
//
// # On ranks
//
// A model that runs under mpirun is tested under mpirun, by the same test:
//
//	go test -c -tags mpi -o model.test
//	mpirun -np 2 ./model.test -test.run '^TestModel$'
//
// The first runs, up to the second sequential one, are then made by each rank for itself, all others by the ranks
// together: a trial with 4 PEs has 2 PEs on each of 2 ranks. All runs of a replication, and those from a checkpoint,
// are compared with a sequential run of each rank. An error names the model and the rank that has found it, and has the
// same text on all ranks:
//
//	modeltest: docks, rank 1 of 2: 2 ranks of --synch=3 --pes=1 --nkp=4: states at the end: not as in the
//	sequential run: ...
//
// What Results and Finish return and print has to be that of rank 0, so they use ross.Gather or ross.Reduce.
// Checkpoints need a folder that all ranks see (TMPDIR). Tests that run one after the other share MPI if TestMain calls
// ross.KeepMPI; tests that call Run must not be parallel there.
//
// Without mpirun, Model.Ranks has goroutines play that many ranks, whose messages are late at random. This finds most
// of what goes wrong on ranks, in each go test: states that another rank does not have, results that are those of one
// rank. All ranks then share the Go variables of the program, which they do not under mpirun.
//
// # What is compared
//
// The digest of events and that of states (Config.Digest), the statistics of package stats of each LP with all
// digits, what Model.Results and Program.Results return, and what Program.Finish prints.
//
// # What an error says
//
// That of --synch=6 names LP, field, and the handler. If runs differ, their committed events are compared: the
// error has the first event that differs, with its LP, message and time, and the event and the handler that sent
// it, which is at fault, or was given a state that is wrong. If only states differ, it has the LP, the field and
// the last event of the LP. Statistics and results are shown as they are in both runs.
//
// A test also fails if the model handles no event, or does not end. The Report has notes if there are few events,
// or if no event goes from one PE to another, since the test then proves little.
//
// # What it does not find
//
// Variables that PEs share show if they change what happens; go test -race finds the others, and rossvet finds many
// without a run. Mistakes that need more events than the test has show in longer runs with --digest.
//
// # Design
//
// The test reads the engine below package ross: the committed events are noted in front of the model's Commit, and
// forced rollbacks use the function that a straggler uses. Neither changes what a right model commits. Package
// testing is not imported, so that a program can call Check as well.
package modeltest
