// Scaling measures the cost of communication between ranks, and computes from it the cost
// of GVT with many more ranks. docs/scaling.md has the result, and explains the model.
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
//	test      a Reduction, tested continuously, as by an idle engine
//	busy      a Reduction, tested after every 10 us of work, as by a busy one
//	barrier   MPI_Barrier
//	hop       a token that goes round all ranks, by mailboxes, for each rank
//	latency   half of a message's round trip from rank 0 to rank 1, by size
//	stream    such messages one after the other, per message
//
// With more ranks than processors a waiting rank yields its processor after each poll. A
// hop is then the time to send a message and to get its receiver scheduled, and a
// Reduction is compared with that.
package main
