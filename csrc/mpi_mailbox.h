/* Messages of 64-bit words between threads of ranks. */
#ifndef ROSS_MPI_MAILBOX_H
#define ROSS_MPI_MAILBOX_H

#include "mpi_world.h"

enum {
	ROSS_MPI_RECEIVES = 32, /* buffers of a mailbox for receiving */
	ROSS_MPI_SENDS = 64,    /* and for sending */
	ROSS_MPI_WORDS = 2048,  /* words of a buffer; longer messages get a separate one */
	ROSS_MPI_PACE = 16,     /* one in PACE messages to a mailbox is synchronous */
	ROSS_MPI_OPEN = 2       /* synchronous messages to a mailbox that may be incomplete */
};

/* A received message; words are valid until the next poll. */
typedef struct ross_mpi_arrival {
	uint64_t *words;
	uint64_t n;
	int32_t rank;
	int32_t mailbox;
} ross_mpi_arrival;

/* Go reads this and writes nothing. */
typedef struct ross_mpi_mailbox {
	ross_mpi_fault fault;
	uint64_t sent, received;             /* messages */
	uint64_t words_sent, words_received; /* on the wire */
	uint64_t calls;                      /* of MPI */
	uint64_t free;                       /* free buffers for sending, without buffer */
	uint64_t *buffer;                    /* WORDS words that Go fills; 0: ask for one */
	ross_mpi_arrival arrival[ROSS_MPI_RECEIVES];
} ross_mpi_mailbox;

/* All ranks make mailbox i at the same time; 0 if there is not enough memory. */
ross_mpi_mailbox *ross_mpi_mailbox_new(ross_mpi_world *w, int i);
ross_mpi_mailbox ross_mpi_mailbox_free(ross_mpi_mailbox *m); /* returns the final counts */
/* 1: taken, 0: no room, -1: fault. */
int ross_mpi_room(ross_mpi_mailbox *m, int rank, int mailbox);
int ross_mpi_post(ross_mpi_mailbox *m, int rank, int mailbox, const uint64_t *words, int64_t n);
/* ross_mpi_buffer returns m->buffer, if one is available. ross_mpi_post_buffer sends its
 * first n words; then m->buffer is another one, or none. */
uint64_t *ross_mpi_buffer(ross_mpi_mailbox *m);
int ross_mpi_post_buffer(ross_mpi_mailbox *m, int rank, int mailbox, int64_t n);
/* ross_mpi_idle returns 1 if MPI has finished everything that was posted, 0 if not, -1:
 * fault. */
int ross_mpi_idle(ross_mpi_mailbox *m);
/* ross_mpi_poll returns how many of m->arrival are new, oldest first, -1: fault. */
int ross_mpi_poll(ross_mpi_mailbox *m);

#endif
