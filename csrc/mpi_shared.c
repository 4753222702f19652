//go:build mpi && cgo && !purego

/* Memory that the ranks of a machine share: an MPI window, in which each rank has a
 * segment and sees all segments. Only Go reads and writes it, with atomic operations, so
 * no C compiler can take it for memory of one thread. As long as the window exists,
 * every rank holds a lock on all of it, as MPI requires if loads and stores replace its
 * own operations. */
#include "mpi_shared.h"

#include "mpi_internal.h"

#include <stdlib.h>
#include <sys/statvfs.h>

enum { PAGE = 4096 };

typedef struct shared {
	ross_mpi_shared head;
	MPI_Comm node;
	MPI_Win window;
} shared;

static shared *shared_of(ross_mpi_shared *s) { return (shared *)(void *)s; }

#define FAILED(s, call, ...) ross_mpi_failed(&(s)->head.fault, call(__VA_ARGS__), #call)

static int lacking(shared *s)
{
	return ross_mpi_failed(&s->head.fault, ROSS_MPI_NO_MEMORY, "calloc");
}

/* meet finds the ranks of this machine, in the order of their numbers. */
static void meet(shared *s, ross_mpi_world_all *w)
{
	if (FAILED(s, MPI_Comm_split_type, w->comm, MPI_COMM_TYPE_SHARED, w->head.rank, MPI_INFO_NULL, &s->node) ||
	    FAILED(s, MPI_Comm_set_errhandler, s->node, MPI_ERRORS_RETURN))
		return;
	MPI_Comm_rank(s->node, &s->head.rank);
	MPI_Comm_size(s->node, &s->head.size);
	s->head.ranks = calloc((size_t)s->head.size, sizeof *s->head.ranks);
	s->head.segments = calloc((size_t)s->head.size, sizeof *s->head.segments);
	if ((!s->head.ranks || !s->head.segments) && lacking(s))
		return;
	(void)FAILED(s, MPI_Allgather, &w->head.rank, 1, MPI_INT32_T, s->head.ranks, 1, MPI_INT32_T, s->node);
}

ross_mpi_shared *ross_mpi_shared_new(ross_mpi_world *w)
{
	shared *s = calloc(1, sizeof *s);

	if (!s)
		return 0;
	s->node = MPI_COMM_NULL;
	s->window = MPI_WIN_NULL;
	meet(s, ross_mpi_all(w));
	return &s->head;
}

/* unified reports whether loads and stores see one memory. */
static int unified(shared *s)
{
	int *model = 0, flag = 0;

	return !FAILED(s, MPI_Win_get_attr, s->window, MPI_WIN_MODEL, &model, &flag) && flag && *model == MPI_WIN_UNIFIED;
}

/* Segments are separate (alloc_shared_noncontig), so that each is in the memory nearest
 * to the processor that touches it first. They have an extra page, so that they can
 * begin at a page: the offset in a page is the same at all addresses where a segment is
 * mapped. */
int ross_mpi_shared_allocate(ross_mpi_shared *head, int64_t bytes)
{
	shared *s = shared_of(head);
	MPI_Info info;
	void *base;

	if (FAILED(s, MPI_Info_create, &info))
		return 0;
	MPI_Info_set(info, "alloc_shared_noncontig", "true");
	int bad = FAILED(s, MPI_Win_allocate_shared, (MPI_Aint)(bytes + PAGE), 1, info, s->node, &base, &s->window);
	MPI_Info_free(&info);
	if (bad || FAILED(s, MPI_Win_set_errhandler, s->window, MPI_ERRORS_RETURN) || !unified(s) ||
	    FAILED(s, MPI_Win_lock_all, MPI_MODE_NOCHECK, s->window))
		return 0;
	head->locked = 1;
	for (int i = 0; i < head->size; i++) {
		MPI_Aint size;
		int unit;
		if (FAILED(s, MPI_Win_shared_query, s->window, i, &size, &unit, &base))
			return 0;
		uintptr_t off = (PAGE - (uintptr_t)base % PAGE) % PAGE;
		if (!base || size < (MPI_Aint)(bytes + PAGE))
			return 0;
		head->segments[i] = (uint64_t *)(void *)((char *)base + off);
	}
	return 1;
}

void ross_mpi_shared_free(ross_mpi_shared *head, int whole)
{
	shared *s = shared_of(head);

	if (whole && s->window != MPI_WIN_NULL) {
		if (head->locked)
			MPI_Win_unlock_all(s->window);
		MPI_Win_free(&s->window);
	}
	if (whole && s->node != MPI_COMM_NULL)
		MPI_Comm_free(&s->node);
	free(head->ranks);
	free(head->segments);
	free(s);
}

int64_t ross_mpi_shared_room(void)
{
	struct statvfs fs;

	if (statvfs("/dev/shm", &fs))
		return INT64_MAX;
	return (int64_t)fs.f_bavail * (int64_t)fs.f_frsize;
}
