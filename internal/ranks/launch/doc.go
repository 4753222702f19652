// Package launch lets a program start the ranks of its run by itself, on one machine and without MPI (--ranks). Connect
// in the first process starts the others, which run the same program with the same arguments; they are at the same
// place when they call Connect too. Its World is a world.World, so that the engine does on such ranks what it does
// under MPI, and messages in the loop go through the same rings.
//
//	w, err := launch.Connect(4) // in the process that the user has started, it starts three more
//	if err != nil {
//		return err
//	}
//	defer w.Close() // waits for them
//	err = w.Barrier()
//
// # A start
//
//	rank 0                                     rank 1, 2, ...
//	------                                     --------------
//	main, command line, New: Connect
//	  memory: a file without a name
//	  a pipe, and the processes ------------>  main: the memory, and the end of the pipe
//	  waits until they are there               command line, New: Connect
//	World 1  <------------------------------>  World 1
//	Close: waits until they have ended,        Close
//	  or are at their next Connect             Connect again, or the end of the process
//
// A process that was started has the variable ROSS_RANK=rank/size, and the files 3 and 4. It takes all of them away
// from programs that it starts in turn. It runs the file and the words of /proc/self, whatever language their main
// function is in, with the environment, folder, stdout and stderr of the first process, and with nothing in stdin. What
// the first process does before its first Connect they do, too, as under mpirun. Worlds of a program, one for each run,
// have the same processes.
//
// # Memory
//
// The memory is a file of memfd_create: it has no name, and is gone with the last process, however that ends. Rank 0
// gives out parts of it, tells the others where they are, and gives their memory back to the system when the world that
// had them is closed. Parts that nobody touches take none.
//
//	lines      of each rank: what worlds it has opened and closed, how its process has ended, its bell
//	channels   between each two ranks, of 8 KiB: Barrier, Bcast, AllGather, AllReduce, Send, Receive
//	rings      between each two mailboxes of different ranks (world.Rings)
//	lanes      of 16 KiB between each two of them, too, for messages that are too long for the ring
//	records    of each rank, for the reduction of GVT
//
// Nobody ever holds a lock in it, so a process may end anywhere. Each channel, ring and lane has one writer and one
// reader (transport.StreamWriter). In a reduction each rank writes its record, and then its number; when the numbers of
// all are there, each combines all records by itself. That takes no more messages than one rank has to write, and all
// have the same result.
//
// # Waiting
//
// A rank in a call that waits for others looks some times, gives way, and then sleeps in the system (futex) until the
// bell in its line rings. PEs in the loop do not wait: they spin for a while (package run), less if the machine has
// fewer processors than there are PEs, and then sleep in their mailbox (world.Sleeper). Who sends a message there,
// unless they wait for GVT only, or is the last one in a reduction, or notices a loss, wakes them; this costs a load
// for each message, and a call only if they sleep. A PE of a rank that has more of them than there are processors takes
// naps instead.
//
// # The end of a process
//
// The first process waits for the others, and writes into the line of a rank how its process has ended. If the rank
// still had a world, that is a [Loss], which all learn from the memory: each call that waits ends with it, and so do
// the operations of the loop. The first process may be killed as well: then the others read the end of their pipe. What
// is left of the ranks returns the error, so that files are closed as after any other error; one of them prints it
// (ranks.ShouldPrint). Whoever has not ended five seconds later, because the model is in an event that does not end, is
// killed.
//
// SIGINT and SIGTERM do not end a process that was started. One that comes before the process asks for them
// (ross.WithSignals) is kept until it does. So Ctrl-C, which reaches all processes of a terminal, and a signal to any
// of them stop a run together, at a GVT.
//
// # Costs
//
// Two processors, shared with other programs; PHOLD, workload B of bench/README.md, in turns (tools/ranks.sh 13
// starts): as fast as under mpirun with as many ranks as processors, and 1.2 times as fast with twice as many. What a
// rank adds is the start of a process, 10 ms, and its Go heap.
package launch
