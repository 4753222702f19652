// Package topology reads which processors a machine has and where they are: in which socket, node of memory and core.
// It also restricts threads to some of them.
//
//	Machine, Core  the processors (topology.go)
//	Read           reads them from sysfs of Linux (sysfs.go)
//	Set            a set of processors, as masks and lists of the system have it (set.go)
//	Own, Bind      the processors of the calling thread (affinity_linux.go)
//	ByCore         which processors each of n threads gets (place.go); BySocket likewise
//
// A processor is what Linux numbers as a CPU: a core, or one of its hardware threads.
//
// # Only what is allowed
//
// mpirun, Slurm, taskset and control groups give a process some of the processors, which sched_getaffinity tells. A
// Machine is cut to those before places are chosen (Machine.Within), so no thread ever gets others.
//
// # The order of places
//
// It is that of hwloc: one thread for each core first, and the second hardware threads of cores only when all cores
// have one; fast cores before slow ones, which are the efficiency cores of hybrid processors. Once it is known which
// places are taken, they are numbered along the machine, socket by socket, so that threads with neighbouring numbers,
// which have most to say to each other, are near one another.
//
// A thread that has a core to itself may use all of its hardware threads, so the system can move it aside for a moment
// when something else has to run there.
//
// # Domains
//
// What BySocket binds to is a socket, or a node where a socket has several, and is called a domain: the processors of a
// domain are equally near to its memory.
package topology
