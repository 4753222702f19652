// Package mpitest runs the models under mpirun, as users do, and shows that a run of
// several ranks is the run that one rank has had. It has tests only, under the build
// tag mpi: make test-mpi-models runs them.
//
// # What a run of ranks is
//
//	mpirun -np 2 bin/phold --synch=3 --pes=2 --nlp=8
//
//	rank 0: process with PE 0, PE 1       LPs 0-7, 8-15
//	rank 1: process with PE 2, PE 3       LPs 16-23, 24-31
//
// Each rank is one process, with --pes threads. --nlp is for one PE, so that the run above
// has 32 LPs; that of stress is the total. The same LPs on one rank are
//
//	bin/phold --synch=1 --nlp=32
//
// and both commit the same events: with --digest both reports end in one digest.
//
// A conservative run (--synch=2) is only as good as its lookahead. Zerotie sends events
// without delay from any LP to any other: --cons-lookahead=0 lets it handle what
// happens at one time, then find the next time together. Stress with --lookahead keeps
// events without delay on their LP, and is another simulation with another digest.
//
// # What the tests show
//
//   - Every number of ranks and PEs, with every parallel scheduler, gives the digest of
//     the sequential run.
//   - The event trace of all ranks is the one that ROSS wrote for the model.
//   - What some ranks have stored at the end of a run, others go on from.
//   - A run that goes wrong on one rank ends on all, soon, says why once, and mpirun
//     exits with a status that is not 0. That is so for mistakes of the model, for
//     options and programs that differ, for a rank that leaves or is killed, for an
//     output that cannot be written, and for signals to mpirun. No process stays.
//   - Parts of the ranks can run simulations of their own at one time, on communicators
//     of their own; and all ranks can run one simulation after the other.
//   - Report and ross.csv are written once, for all ranks together.
//
// # How to end
//
// When one rank exits with a status that is not 0, mpirun soon kills the others. After
// a signal mpirun kills all, and until then a rank that closes its simulation waits for
// the others in vain. So a program tells an error first, if ross.Speaks says that this
// rank is to, and closes the simulation after that; testdata/bad does it so.
//
// # Builds
//
// The tests build the programs anew. ROSS_MPITEST_BUILD holds flags for go build, in
// place of -tags=mpi: with
//
//	ROSS_MPITEST_BUILD="-tags=mpi,invariants -race" go test -tags mpi ./models/mpitest
//
// the same tests look for data races in the ranks.
package mpitest
