/* Communicators of the ranks that --ranks=N starts, and messages within them, which the operations of mpi/mpi.h are made
 * of. */
#ifndef ROSS_GROUPS_H
#define ROSS_GROUPS_H

#include "libross.h"
#include "mpi/mpi.h"

/* A communicator of n ranks; this process is number me of them. ranks are their numbers in the world, 0 if these are the
 * same. All ranks know a communicator by the same id. */
typedef struct group {
	int n, me, id;
	int *ranks;
} group;

/* group_of returns a communicator, and group_enter does so for a call that may exchange messages. */
group ross_group_of(MPI_Comm comm, const char *call);
group ross_group_enter(MPI_Comm comm, const char *call);

/* The tags of collective operations, which models do not have. */
enum { ROSS_BARRIER = -100, ROSS_BCAST, ROSS_REDUCE, ROSS_SCAN, ROSS_GATHER, ROSS_SPLIT, ROSS_ALLTOALL, ROSS_CALLS };

/* ross_put sends bytes to a rank of a communicator, without waiting. ross_fetch receives those that a rank has sent in the
 * same operation, n at most, and returns how many they are. */
void ross_put(const group *g, int to, int tag, const void *data, size_t n);
size_t ross_fetch(const group *g, int from, int tag, void *data, size_t n, const char *call);

/* ross_check_rank ends the program if a communicator has no such rank. ross_space returns memory. */
void ross_check_rank(const group *g, int rank, const char *call, const char *what);
void *ross_space(size_t n);

#endif
