/* Memory that the ranks of a machine share. */
#ifndef ROSS_MPI_SHARED_H
#define ROSS_MPI_SHARED_H

#include "mpi_world.h"

/* The ranks of this machine, and memory of each that all of them see. */
typedef struct ross_mpi_shared {
	ross_mpi_fault fault;
	int32_t rank, size; /* among them */
	int32_t *ranks;     /* their numbers in the world, ascending */
	uint64_t **segments; /* where they are mapped here, each at the start of a page */
	int32_t locked;
} ross_mpi_shared;

/* All ranks make it at the same time; 0 if there is not enough memory. The
 * ranks of the machine allocate segments of the same number of bytes: 1, or 0 if that is
 * impossible. They free it; whole is 0 if some of them have no window, and then MPI keeps
 * the windows. */
ross_mpi_shared *ross_mpi_shared_new(ross_mpi_world *w);
int ross_mpi_shared_allocate(ross_mpi_shared *s, int64_t bytes);
void ross_mpi_shared_free(ross_mpi_shared *s, int whole);
/* ross_mpi_shared_room returns how many bytes are left in the file system from which such
 * memory usually comes, INT64_MAX if there is no such file system. */
int64_t ross_mpi_shared_room(void);

#endif
