/* MPI for the engine: what Go calls and reads. Package internal/mpi explains it.
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
#ifndef ROSS_MPI_LAYER_H
#define ROSS_MPI_LAYER_H

#include <stddef.h>
#include <stdint.h>

enum {
	ROSS_MPI_MAILBOXES = 1024,  /* of a rank; they are tags, of which MPI has 32767 */
	ROSS_MPI_RECEIVES = 32,     /* buffers of a mailbox for receiving */
	ROSS_MPI_SENDS = 64,        /* and for sending */
	ROSS_MPI_WORDS = 2048,      /* words of a buffer; longer messages get a separate one */
	ROSS_MPI_PACE = 16,         /* one in PACE messages to a mailbox is synchronous */
	ROSS_MPI_OPEN = 2,          /* synchronous messages to a mailbox that may be incomplete */
	ROSS_MPI_FIRST = 256,       /* bytes of a broadcast that travel at once */
	ROSS_MPI_KEY = 12,          /* words of a record's key */
	ROSS_MPI_LIST = 1 << 16     /* words of a list, at most */
};

/* The first error of an object, and the call that reported it. */
typedef struct ross_mpi_fault {
	int64_t code; /* of MPI; -1: not enough memory */
	const char *call;
} ross_mpi_fault;

typedef struct ross_mpi_world {
	ross_mpi_fault fault;
	int32_t rank, size;
} ross_mpi_world;

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
	uint64_t free;                       /* free buffers for sending, except this: */
	uint64_t *buffer;                    /* WORDS words that Go fills; 0: ask for one */
	ross_mpi_arrival arrival[ROSS_MPI_RECEIVES];
} ross_mpi_mailbox;

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

/* The ranks of this machine, and memory of each that all of them see. */
typedef struct ross_mpi_shared {
	ross_mpi_fault fault;
	int32_t rank, size; /* among them */
	int32_t *ranks;     /* their numbers in the world, ascending */
	uint64_t **segments; /* where they are mapped here, each at the start of a page */
	int32_t locked;
} ross_mpi_shared;

/* mpi_world.c: the life of MPI in the process. */
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

/* mpi_mailbox.c. All ranks make mailbox i at the same time; 0 if there is not enough
 * memory. */
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

/* mpi_reduce.c. All ranks make them at the same time, in one order. test: 1 done,
 * 0 under way, -1 fault; wait is a test that blocks. */
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

/* mpi_shared.c. All ranks make it at the same time; 0 if there is not enough memory. The
 * ranks of the machine allocate segments of equally many bytes: 1, or 0 if that is
 * impossible. They free it; whole is 0 if not all of them have a window, which is then left
 * to MPI. */
ross_mpi_shared *ross_mpi_shared_new(ross_mpi_world *w);
int ross_mpi_shared_allocate(ross_mpi_shared *s, int64_t bytes);
void ross_mpi_shared_free(ross_mpi_shared *s, int whole);
/* ross_mpi_shared_room returns how many bytes are left in the file system from which such
 * memory usually comes, INT64_MAX if there is no such file system. */
int64_t ross_mpi_shared_room(void);

/* ross_mpi_layout returns size or offset i of the record, UINT32_MAX past them. */
uint32_t ross_mpi_layout(uint32_t i);

#endif
