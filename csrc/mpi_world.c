//go:build mpi && cgo && !purego

/* Initialization and end of MPI in the process, the duplicate of a communicator,
 * and the blocking collective operations.
 *
 * MPI libraries catch signals: Open MPI and UCX catch those of faults. Go uses
 * them itself (a nil dereference becomes a panic, SIGTERM goes to signal.Notify),
 * so whatever MPI_Init and MPI_Finalize change is restored. */
#include "mpi_internal.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { SIGNALS = 65, PATIENCE = 2 /* seconds that MPI_Abort may take */ };

static struct sigaction kept[SIGNALS]; /* actions before MPI_Init or MPI_Finalize */
static int keeps[SIGNALS];             /* which of them are known */
static MPI_Errhandler kept_handler;    /* of MPI_COMM_WORLD */

void ross_mpi_signals(int keep)
{
	for (int s = 1; s < SIGNALS; s++) {
		struct sigaction now;
		if (keep)
			keeps[s] = sigaction(s, 0, &kept[s]) == 0;
		else if (keeps[s] && sigaction(s, 0, &now) == 0 &&
		         (now.sa_sigaction != kept[s].sa_sigaction || now.sa_flags != kept[s].sa_flags))
			sigaction(s, &kept[s], 0);
	}
}

int ross_mpi_level(int standard)
{
	static const int level[] = { MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE };

	return level[standard];
}

void ross_mpi_state(int *initialized, int *finalized, int *level)
{
	int provided = MPI_THREAD_SINGLE;

	MPI_Initialized(initialized);
	MPI_Finalized(finalized);
	if (*initialized && !*finalized)
		MPI_Query_thread(&provided);
	for (*level = 3; *level > 0 && ross_mpi_level(*level) > provided;)
		--*level;
}

int ross_mpi_init(int level)
{
	int provided;

	return MPI_Init_thread(0, 0, ross_mpi_level(level), &provided);
}

int ross_mpi_finalize(void) { return MPI_Finalize(); }

/* The default of MPI is to end the program. Errors that belong to no
 * communicator go to the handler of MPI_COMM_WORLD, and new communicators
 * inherit it. */
void ross_mpi_errors(int returned)
{
	if (returned) {
		MPI_Comm_get_errhandler(MPI_COMM_WORLD, &kept_handler);
		MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
		return;
	}
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, kept_handler);
	MPI_Errhandler_free(&kept_handler);
}

void ross_mpi_error_text(int64_t code, char *text, int size)
{
	char whole[MPI_MAX_ERROR_STRING] = "there is not enough memory";
	int n = 0;

	if (code != ROSS_MPI_NO_MEMORY)
		MPI_Error_string((int)code, whole, &n);
	for (n = 0; n < size - 1 && whole[n]; n++)
		text[n] = whole[n];
	text[n] = 0;
}

static void *exits(void *code)
{
	sleep(PATIENCE);
	_exit((int)(intptr_t)code);
}

/* The thread level may forbid this call during that of another thread, which may
 * also hold a lock of MPI for ever. So if MPI_Abort does not end the process, a
 * thread that does not use MPI does, and mpirun then ends the other ranks. The
 * thread blocks all signals, which belong to Go. */
int ross_mpi_abort(int code)
{
	pthread_t thread;
	sigset_t all, before;
	int status = code & 0xff ? code & 0xff : 1;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_create(&thread, 0, exits, (void *)(intptr_t)status) == 0)
		pthread_detach(thread);
	pthread_sigmask(SIG_SETMASK, &before, 0);
	return MPI_Abort(MPI_COMM_WORLD, code);
}

int ross_mpi_dup(ross_mpi_fault *f, uint64_t *calls, MPI_Comm from, MPI_Comm *to)
{
	++*calls;
	if (ross_mpi_failed(f, MPI_Comm_dup(from, to), "MPI_Comm_dup"))
		return 0;
	++*calls;
	return !ross_mpi_failed(f, MPI_Comm_set_errhandler(*to, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
}

ross_mpi_world *ross_mpi_world_new(int given, int32_t handle)
{
	ross_mpi_world_all *w = calloc(1, sizeof *w);

	if (!w)
		return 0;
	uint64_t calls = 0;
	w->comm = MPI_COMM_NULL;
	for (int i = 0; i < ROSS_MPI_MAILBOXES; i++)
		w->messages[i] = w->bulk[i] = MPI_COMM_NULL;
	if (ross_mpi_dup(&w->head.fault, &calls, given ? MPI_Comm_f2c(handle) : MPI_COMM_WORLD, &w->comm)) {
		MPI_Comm_rank(w->comm, &w->head.rank);
		MPI_Comm_size(w->comm, &w->head.size);
	}
	return &w->head;
}

static void comm_free(MPI_Comm *c)
{
	if (*c != MPI_COMM_NULL)
		MPI_Comm_free(c);
}

void ross_mpi_world_free(ross_mpi_world *head)
{
	ross_mpi_world_all *w = ross_mpi_all(head);

	for (int i = 0; i < ROSS_MPI_MAILBOXES; i++) {
		comm_free(&w->messages[i]);
		comm_free(&w->bulk[i]);
	}
	comm_free(&w->comm);
	free(w);
}

/* DO is the body of a function that makes one call of MPI. */
#define DO(call, ...) \
	int code = call(__VA_ARGS__); \
	ross_mpi_failed(&w->fault, code, #call); \
	return code

int ross_mpi_split(ross_mpi_world *w, int color, int key, int32_t *handle)
{
	MPI_Comm part;
	int code = MPI_Comm_split(ross_mpi_all(w)->comm, color, key, &part);

	if (!ross_mpi_failed(&w->fault, code, "MPI_Comm_split"))
		*handle = MPI_Comm_c2f(part);
	return code;
}

int ross_mpi_node(ross_mpi_world *w, int *rank, int *size)
{
	MPI_Comm node;
	int code = MPI_Comm_split_type(ross_mpi_all(w)->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);

	if (ross_mpi_failed(&w->fault, code, "MPI_Comm_split_type"))
		return code;
	MPI_Comm_rank(node, rank);
	MPI_Comm_size(node, size);
	return MPI_Comm_free(&node);
}

int ross_mpi_barrier(ross_mpi_world *w) { DO(MPI_Barrier, ross_mpi_all(w)->comm); }

int ross_mpi_bcast(ross_mpi_world *w, void *data, int64_t n, int root)
{
	DO(MPI_Bcast, data, (int)n, MPI_BYTE, root, ross_mpi_all(w)->comm);
}

int ross_mpi_gather(ross_mpi_world *w, void *all, const void *own, int64_t n)
{
	DO(MPI_Gather, own, (int)n, MPI_BYTE, all, (int)n, MPI_BYTE, 0, ross_mpi_all(w)->comm);
}

int ross_mpi_allgather(ross_mpi_world *w, void *all, const void *own, int64_t n)
{
	DO(MPI_Allgather, own, (int)n, MPI_BYTE, all, (int)n, MPI_BYTE, ross_mpi_all(w)->comm);
}

int ross_mpi_allgatherv(ross_mpi_world *w, void *all, const int *lengths, const int *offsets, const void *own)
{
	DO(MPI_Allgatherv, own, lengths[w->rank], MPI_BYTE, all, lengths, offsets, MPI_BYTE, ross_mpi_all(w)->comm);
}

int ross_mpi_allreduce(ross_mpi_world *w, void *values, int64_t n, int real, int op)
{
	MPI_Op ops[] = { MPI_SUM, MPI_MIN, MPI_MAX };

	DO(MPI_Allreduce, MPI_IN_PLACE, values, (int)n, real ? MPI_DOUBLE : MPI_INT64_T, ops[op], ross_mpi_all(w)->comm);
}

int ross_mpi_send(ross_mpi_world *w, const void *data, int64_t n, int to)
{
	DO(MPI_Send, data, (int)n, MPI_BYTE, to, 0, ross_mpi_all(w)->comm);
}

int ross_mpi_receive(ross_mpi_world *w, void *data, int64_t n, int from)
{
	DO(MPI_Recv, data, (int)n, MPI_BYTE, from, 0, ross_mpi_all(w)->comm, MPI_STATUS_IGNORE);
}
