/* The communicator on which a model runs: MPI_COMM_ROSS, and tw_comm_set before tw_init. mpi.h is ours (mpi/mpi.h) or that
 * of MPI, which the library then starts and ends if it was built with it. */
#ifndef ROSS_COMM_H
#define ROSS_COMM_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

extern int ross_comm;       /* its number, which MPI_Comm_c2f gives */
extern int ross_comm_given; /* tw_comm_set was called */
void ross_comm_set(int comm);
int ross_start_mpi(void); /* returns 0 if the library was built without MPI */
void ross_ranks_end(void);

#ifdef ROSS_RANKS_MPI_H

#define tw_comm_set(comm) ross_comm_set(comm)

#else

#define MPI_COMM_ROSS (ross_comm_given ? MPI_Comm_f2c((MPI_Fint)ross_comm) : MPI_COMM_WORLD)
#define tw_comm_set(comm) ross_comm_set((int)MPI_Comm_c2f(comm))

/* The engine needs MPI for several threads. */
static inline int ross_mpi_init_for_model(int *argc, char ***argv)
{
	return ross_start_mpi() ? MPI_SUCCESS : MPI_Init(argc, argv);
}

static inline int ross_mpi_finalize_for_model(void)
{
	int ended = 0;

	ross_ranks_end();
	MPI_Finalized(&ended);
	return ended ? MPI_SUCCESS : MPI_Finalize();
}

#define MPI_Init ross_mpi_init_for_model
#define MPI_Finalize ross_mpi_finalize_for_model

#endif

#ifdef __cplusplus
}
#endif

#endif
