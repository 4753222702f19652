/* MPI for the engine: its start and end in the process, and blocking operations. Package
 * internal/ranks/mpi explains it.
 *
 *   world      a duplicate of a communicator, for blocking operations
 *   mailbox    messages of 64-bit words between threads of ranks, non-blocking
 *   reduction  an all-reduce of one record, or of a list of words, non-blocking
 *   broadcast  bytes from one rank to all, non-blocking
 *   shared     memory of the ranks of a machine
 *
 * Each has its own communicators, so that none matches another's messages. Unless they say
 * otherwise, functions that can fail return an MPI error code, 0 for none, and store it in
 * the object's fault. mpi.h is not included, so that Go does not see its names and types. */
#ifndef ROSS_MPI_WORLD_H
#define ROSS_MPI_WORLD_H

#include <stdint.h>

enum { ROSS_MPI_MAILBOXES = 1024 }; /* of a rank; they are tags, and MPI has 32767 of these */

/* The first error of an object, and the call that reported it. */
typedef struct ross_mpi_fault {
	int64_t code; /* of MPI; -1: not enough memory */
	const char *call;
} ross_mpi_fault;

typedef struct ross_mpi_world {
	ross_mpi_fault fault;
	int32_t rank, size;
} ross_mpi_world;

void ross_mpi_state(int *initialized, int *finalized, int *level);
int ross_mpi_init(int level);
int ross_mpi_finalize(void);
void ross_mpi_signals(int keep);    /* 1: note all handlers; 0: put them back */
void ross_mpi_errors(int returned); /* those of MPI_COMM_WORLD; 0: as before */
int ross_mpi_abort(int code);       /* any thread, at any time */
void ross_mpi_error_text(int64_t code, char *text, int size);
int ross_mpi_level(int standard); /* MPI's number of level 0 single to 3 multiple */

/* ross_mpi_world_new duplicates MPI_COMM_WORLD, or the communicator with the
 * Fortran handle that is given; 0 if there is not enough memory. */
ross_mpi_world *ross_mpi_world_new(int given, int32_t handle);
void ross_mpi_world_free(ross_mpi_world *w);
int ross_mpi_split(ross_mpi_world *w, int color, int key, int32_t *handle);
/* ross_mpi_node counts the ranks on this machine. */
int ross_mpi_node(ross_mpi_world *w, int *rank, int *size);

/* These block. Numbers are int64_t, or double if real; op is 0 sum, 1 min, 2 max. */
int ross_mpi_barrier(ross_mpi_world *w);
int ross_mpi_bcast(ross_mpi_world *w, void *data, int64_t n, int root);
int ross_mpi_gather(ross_mpi_world *w, void *all, const void *own, int64_t n);
int ross_mpi_allgather(ross_mpi_world *w, void *all, const void *own, int64_t n);
int ross_mpi_allgatherv(ross_mpi_world *w, void *all, const int *lengths, const int *offsets, const void *own);
int ross_mpi_send(ross_mpi_world *w, const void *data, int64_t n, int to);
int ross_mpi_receive(ross_mpi_world *w, void *data, int64_t n, int from);
int ross_mpi_allreduce(ross_mpi_world *w, void *values, int64_t n, int real, int op);

#endif
