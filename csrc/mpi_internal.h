/* The private half of mpi_world.h: the communicators, and how calls record errors. */
#ifndef ROSS_MPI_INTERNAL_H
#define ROSS_MPI_INTERNAL_H

#include "mpi_world.h"

#include <mpi.h>

enum { ROSS_MPI_NO_MEMORY = -1 };

/* A mailbox is two communicators: one for messages, one for the words of long
 * ones. Any mailbox of the process sends on those of the one it sends to. */
typedef struct ross_mpi_world_all {
	ross_mpi_world head;
	MPI_Comm comm;
	MPI_Comm messages[ROSS_MPI_MAILBOXES];
	MPI_Comm bulk[ROSS_MPI_MAILBOXES];
} ross_mpi_world_all;

static inline ross_mpi_world_all *ross_mpi_all(ross_mpi_world *w) { return (ross_mpi_world_all *)(void *)w; }

/* ross_mpi_failed records the first error, and reports whether code is one. */
static inline int ross_mpi_failed(ross_mpi_fault *f, int code, const char *call)
{
	if (code == MPI_SUCCESS)
		return 0;
	if (!f->code)
		*f = (ross_mpi_fault){ code, call };
	return 1;
}

/* ROSS_MPI_FAILED makes an MPI call for an object, counts it, and records its
 * error. */
#define ROSS_MPI_FAILED(head, call, ...) ((head)->calls++, ross_mpi_failed(&(head)->fault, call(__VA_ARGS__), #call))

/* ross_mpi_dup duplicates a communicator, and counts its calls; errors on the
 * duplicate are returned. */
int ross_mpi_dup(ross_mpi_fault *f, uint64_t *calls, MPI_Comm from, MPI_Comm *to);

#endif
