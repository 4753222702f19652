/* Non-blocking reductions and broadcasts. */
#ifndef ROSS_MPI_REDUCE_H
#define ROSS_MPI_REDUCE_H

#include "mpi_world.h"

enum {
	ROSS_MPI_FIRST = 256,   /* bytes of a broadcast that travel at once */
	ROSS_MPI_KEY = 12,      /* words of a record's key */
	ROSS_MPI_LIST = 1 << 16 /* words of a list, at most */
};

/* What a reduction combines; the Go twin is mpi.Record. */
typedef struct ross_mpi_record {
	int64_t balance;            /* sum */
	uint64_t flags;             /* or */
	uint64_t counters[4];       /* sums */
	uint64_t key[ROSS_MPI_KEY]; /* least, compared from the first word on */
	uint64_t rank;              /* that has it, the lowest of several */
} ross_mpi_record;

typedef struct ross_mpi_reduction {
	ross_mpi_fault fault;
	uint64_t calls;
	ross_mpi_record in, out;
	uint64_t *least; /* result of lists: its length, and its words; 0: there was none */
} ross_mpi_reduction;

typedef struct ross_mpi_broadcast {
	ross_mpi_fault fault;
	uint64_t calls;
	uint64_t n; /* bytes, when done */
	char *data;
} ross_mpi_broadcast;

/* All ranks make them at the same time, in one order. A test returns 1 when it is done, 0
 * while it is under way, -1 for a fault; wait is a test that blocks. */
ross_mpi_reduction *ross_mpi_reduction_new(ross_mpi_world *w);
ross_mpi_reduction ross_mpi_reduction_free(ross_mpi_reduction *r);
int ross_mpi_reduction_start(ross_mpi_reduction *r);
int ross_mpi_reduction_start_words(ross_mpi_reduction *r, const uint64_t *words, int64_t n);
int ross_mpi_reduction_test(ross_mpi_reduction *r);
int ross_mpi_reduction_wait(ross_mpi_reduction *r);
ross_mpi_broadcast *ross_mpi_broadcast_new(ross_mpi_world *w);
ross_mpi_broadcast ross_mpi_broadcast_free(ross_mpi_broadcast *b);
int ross_mpi_broadcast_start(ross_mpi_broadcast *b, int root, const void *data, int64_t n);
int ross_mpi_broadcast_test(ross_mpi_broadcast *b);

/* ross_mpi_layout returns size or offset i of the record, UINT32_MAX past them. */
uint32_t ross_mpi_layout(uint32_t i);

#endif
