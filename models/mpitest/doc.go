// Package mpitest runs the models on ranks, as users do, and shows that a run of
// several ranks equals that of one rank. It only has tests. With the build tag mpi mpirun starts
// the ranks (make test-mpi-models), and otherwise, on Linux, each program its own (--ranks): then some tests are left
// out, which need MPI.
//
// # What a run of ranks is
//
//	mpirun -np 2 bin/phold --synch=3 --pes=2 --nlp=8
//
//	rank 0: process with PE 0, PE 1       LPs 0-7, 8-15
//	rank 1: process with PE 2, PE 3       LPs 16-23, 24-31
//
// Each rank is one process, with --pes threads. --nlp is the number for one PE, so the run
// above has 32 LPs; for stress it is the total. The same LPs on one rank are
//
//	bin/phold --synch=1 --nlp=32
//
// and both commit the same events: with --digest both reports end with the same digest.
//
// A conservative run (--synch=2) is only as good as its lookahead. Zerotie sends events
// without delay from any LP to any other: with --cons-lookahead=0 the PEs handle the
// events of one time, then agree on the next time. Stress with --lookahead keeps events
// without delay on their LP, and is another simulation with another digest.
//
// # What the tests show
//
//   - Several numbers of ranks and PEs, with each parallel scheduler, give the digest of
//     the sequential run.
//   - The event trace of all ranks equals the one that ROSS wrote for the model.
//   - A different number of ranks can continue from what some ranks stored at the end of a
//     run.
//   - A run that fails on one rank soon ends on all and says why once, and mpirun exits
//     with a status that is not 0. The tests cover mistakes of the model, options and
//     programs that differ, a rank that leaves or is killed, an output that cannot be
//     written, and signals to mpirun. No process remains.
//   - Parts of the ranks can run separate simulations at the same time, on separate
//     communicators, and all ranks can run one simulation after the other.
//   - Report and ross.csv are written once, for all ranks together.
//
// # How to end
//
// When one rank exits with a status that is not 0, mpirun soon kills the others. After a
// signal mpirun kills all ranks, and until then a rank that closes its simulation waits
// for the others in vain. So a program first prints an error, if ross.ShouldPrint reports that
// this rank must, and then closes the simulation; testdata/bad is an example.
//
// # Builds
//
// ROSS_MPITEST_LAUNCHER=--ranks has the programs start their ranks in a build with MPI, too.
//
// The tests build the programs. ROSS_MPITEST_BUILD holds flags for go build that replace
// -tags=mpi: with
//
//	ROSS_MPITEST_BUILD="-tags=mpi,invariants -race" go test -tags mpi ./models/mpitest
//
// the same tests look for data races in the ranks; with ROSS_TEST=few (internal/testing/testlevel), some.
package mpitest
