// Scaling measures what ranks cost one another, and says what that makes of GVT with
// many more ranks. docs/scaling.md has the result, and explains the model.
//
//	go build -tags mpi -o bin/ ./bench/scaling
//	for i in 1 2 3 4 5 6; do for n in 1 2 4 8 16; do
//		mpirun -np $n --oversubscribe --bind-to none bin/scaling >>runs.txt
//	done; done
//	bin/scaling -table runs.txt      measured and modelled, with the error
//	bin/scaling -model               the model, up to 1,048,576 ranks
//
// # What a run measures
//
// Under mpirun it measures and prints lines of "np what bytes least median", times in
// nanoseconds, over some twenty stretches of a few milliseconds each:
//
//	wait      a Reduction of a record, MPI_Wait
//	test      a Reduction, tested again and again, as the engine does when it is idle
//	busy      a Reduction, tested after every 10 us of work, as when it is not
//	barrier   MPI_Barrier
//	hop       a token that goes round all ranks, by mailboxes, for each rank
//	latency   a message of so many bytes from rank 0 to rank 1 and back, by 2
//	stream    such messages one after the other, for each
//
// Where there are more ranks than processors a rank that waits yields its processor after
// each look. Then a hop is what it takes to send a message and to have its receiver
// scheduled, and a Reduction is compared with that.
package main
