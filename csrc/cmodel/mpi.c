//go:build cgo && linux

/* What mpi/mpi.h declares, for the ranks that --ranks=N starts: communicators, and collective operations made of messages. */
#include <stdlib.h>
#include <string.h>

#include "groups.h"
#include "libross.h"
#include "mpi/mpi.h"
#include "own.h"

int ross_comm = MPI_COMM_WORLD;
int ross_comm_given;
int ross_rank, ross_nodes; /* 0 nodes: nobody has asked yet */

enum { FIRST = 3 }; /* communicators of the model */
static group *groups;
static int ngroups, next_id = FIRST;

static void look(void)
{
	if (!ross_nodes)
		ross_go_look(&ross_rank, &ross_nodes);
}

group ross_group_of(MPI_Comm comm, const char *call)
{
	look();
	if (comm == MPI_COMM_WORLD)
		return (group){ .n = ross_nodes, .me = ross_rank, .id = comm };
	if (comm == MPI_COMM_SELF)
		return (group){ .n = 1, .id = comm, .ranks = &ross_rank };
	if (comm < FIRST || comm >= FIRST + ngroups || !groups[comm - FIRST].n)
		tw_error(TW_LOC, "%s: there is no communicator %d", call, comm);
	return groups[comm - FIRST];
}

group ross_group_enter(MPI_Comm comm, const char *call)
{
	group g = ross_group_of(comm, call);

	if (g.n == 1)
		return g;
	if (ross_running && !ross_running->call.plain)
		tw_error(TW_LOC, "%s: called by a handler of LP %llu: ranks do not handle the same events: call it in main, init, "
			"final or the GVT hook", call, (unsigned long long)ross_running->call.lp->gid);
	ross_go_connect();
	return g;
}

int ross_ranks_rank(MPI_Comm comm, int *rank)
{
	*rank = ross_group_of(comm, "MPI_Comm_rank").me;
	return MPI_SUCCESS;
}

int ross_ranks_size(MPI_Comm comm, int *size)
{
	*size = ross_group_of(comm, "MPI_Comm_size").n;
	return MPI_SUCCESS;
}

/* Collective operations. In all of them one rank, the root, receives from the others, or sends to them. */

/* spread sends bytes of the root to all. */
static void spread(const group *g, int root, int tag, void *data, size_t n, const char *call)
{
	if (g->me != root) {
		ross_fetch(g, root, tag, data, n, call);
		return;
	}
	for (int i = 0; i < g->n; i++)
		if (i != root)
			ross_put(g, i, tag, data, n);
}

int ross_ranks_barrier(MPI_Comm comm)
{
	group g = ross_group_enter(comm, "MPI_Barrier");
	char none;

	for (int i = 1; i < g.n && g.me == 0; i++)
		ross_fetch(&g, i, ROSS_BARRIER, &none, 0, "MPI_Barrier");
	if (g.me > 0)
		ross_put(&g, 0, ROSS_BARRIER, "", 0);
	spread(&g, 0, ROSS_BARRIER, &none, 0, "MPI_Barrier");
	return MPI_SUCCESS;
}

int ross_ranks_bcast(void *data, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
	group g = ross_group_enter(comm, "MPI_Bcast");

	ross_check_rank(&g, root, "MPI_Bcast", "from");
	spread(&g, root, ROSS_BCAST, data, ross_size_of(n, type, "MPI_Bcast"), "MPI_Bcast");
	return MPI_SUCCESS;
}

/* reduce combines the values of all ranks at the root, in the order of the ranks. */
static void reduce(const group *g, const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, int root, const char *call)
{
	size_t size = ross_size_of(n, type, call);
	const void *own = from == MPI_IN_PLACE ? to : from;
	char *sum, *part;

	ross_check_op(type, op, call);
	if (g->me != root) {
		ross_put(g, root, ROSS_REDUCE, own, size);
		return;
	}
	sum = ross_space(size);
	part = ross_space(size);
	for (int i = 0; i < g->n; i++) {
		if (i != root)
			ross_fetch(g, i, ROSS_REDUCE, part, size, call);
		else if (size)
			memcpy(part, own, size);
		if (i == 0 && size)
			memcpy(sum, part, size);
		else
			ross_combine(sum, part, n, type, op);
	}
	if (size)
		memcpy(to, sum, size);
	free(sum);
	free(part);
}

int ross_ranks_reduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
{
	group g = ross_group_enter(comm, "MPI_Reduce");

	ross_check_rank(&g, root, "MPI_Reduce", "to");
	reduce(&g, from, to, n, type, op, root, "MPI_Reduce");
	return MPI_SUCCESS;
}

int ross_ranks_allreduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
	group g = ross_group_enter(comm, "MPI_Allreduce");

	reduce(&g, from, to, n, type, op, 0, "MPI_Allreduce");
	spread(&g, 0, ROSS_REDUCE, to, ross_size_of(n, type, "MPI_Allreduce"), "MPI_Allreduce");
	return MPI_SUCCESS;
}

/* scan combines the values of the ranks up to this one; each sends the result to the next one. What is before is
 * returned in to if own values do not count, on ranks other than the first. */
static int scan(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm, int with_own, const char *call)
{
	group g = ross_group_enter(comm, call);
	size_t size = ross_size_of(n, type, call);
	char *own = ross_space(size), *before = ross_space(size);

	ross_check_op(type, op, call);
	if (size)
		memcpy(own, from == MPI_IN_PLACE ? to : from, size);
	if (g.me > 0) {
		ross_fetch(&g, g.me - 1, ROSS_SCAN, before, size, call);
		if (size && !with_own)
			memcpy(to, before, size);
		ross_combine(before, own, n, type, op);
	} else if (size) {
		memcpy(before, own, size);
	}
	if (size && with_own)
		memcpy(to, before, size);
	if (g.me + 1 < g.n)
		ross_put(&g, g.me + 1, ROSS_SCAN, before, size);
	free(own);
	free(before);
	return MPI_SUCCESS;
}

int ross_ranks_scan(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
	return scan(from, to, n, type, op, comm, 1, "MPI_Scan");
}

int ross_ranks_exscan(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
	return scan(from, to, n, type, op, comm, 0, "MPI_Exscan");
}

/* own_size returns how many bytes a rank gives, 0 if they are in their place. */
static size_t own_size(const void *from, int n, MPI_Datatype type, const char *call)
{
	return from == MPI_IN_PLACE ? 0 : ross_size_of(n, type, call);
}

/* gather collects at the root each[i] values of rank i at place at[i]; both are 0 if all ranks have as many. */
static void gather(const group *g, const void *from, size_t own, char *to, const int *each, const int *at, int one, size_t unit, int root,
	const char *call)
{
	if (g->me != root) {
		ross_put(g, root, ROSS_GATHER, from, own);
		return;
	}
	for (int i = 0; i < g->n; i++) {
		size_t n = (size_t)(each ? each[i] : one) * unit;
		char *into = to + (at ? (size_t)at[i] : (size_t)i * (size_t)one) * unit;

		if (i != root)
			ross_fetch(g, i, ROSS_GATHER, into, n, call);
		else if (from != MPI_IN_PLACE && own > n)
			tw_error(TW_LOC, "%s: rank %d has %zu bytes, and there is room for %zu", call, i, own, n);
		else if (from != MPI_IN_PLACE && own)
			memmove(into, from, own);
	}
}

int ross_ranks_gather(const void *from, int n, MPI_Datatype type, void *to, int each, MPI_Datatype of, int root, MPI_Comm comm)
{
	group g = ross_group_enter(comm, "MPI_Gather");

	ross_check_rank(&g, root, "MPI_Gather", "to");
	gather(&g, from, own_size(from, n, type, "MPI_Gather"), to, NULL, NULL, each, ross_size_of(1, of, "MPI_Gather"), root,
		"MPI_Gather");
	return MPI_SUCCESS;
}

int ross_ranks_gatherv(const void *from, int n, MPI_Datatype type, void *to, const int *each, const int *at, MPI_Datatype of, int root,
	MPI_Comm comm)
{
	group g = ross_group_enter(comm, "MPI_Gatherv");

	ross_check_rank(&g, root, "MPI_Gatherv", "to");
	gather(&g, from, own_size(from, n, type, "MPI_Gatherv"), to, each, at, 0, ross_size_of(1, of, "MPI_Gatherv"), root,
		"MPI_Gatherv");
	return MPI_SUCCESS;
}

/* allgather lets each rank collect: a rank may have a place of its own for the values of each other. */
static int allgather(const void *from, size_t own, char *to, const int *each, const int *at, int one, size_t unit, MPI_Comm comm,
	const char *call)
{
	group g = ross_group_enter(comm, call);

	if (from == MPI_IN_PLACE) {
		from = to + (at ? (size_t)at[g.me] : (size_t)g.me * (size_t)one) * unit;
		own = (size_t)(each ? each[g.me] : one) * unit;
	}
	for (int root = 0; root < g.n; root++)
		gather(&g, from, own, to, each, at, one, unit, root, call);
	return MPI_SUCCESS;
}

int ross_ranks_allgather(const void *from, int n, MPI_Datatype type, void *to, int each, MPI_Datatype of, MPI_Comm comm)
{
	return allgather(from, own_size(from, n, type, "MPI_Allgather"), to, NULL, NULL, each,
		ross_size_of(1, of, "MPI_Allgather"), comm, "MPI_Allgather");
}

int ross_ranks_allgatherv(const void *from, int n, MPI_Datatype type, void *to, const int *each, const int *at, MPI_Datatype of,
	MPI_Comm comm)
{
	return allgather(from, own_size(from, n, type, "MPI_Allgatherv"), to, each, at, 0,
		ross_size_of(1, of, "MPI_Allgatherv"), comm, "MPI_Allgatherv");
}

/* alltoall lets each rank send a part of from to each other, and put what it gets into a part of to. */
typedef struct parts {
	char *data;
	const int *each, *at; /* by rank; 0: all have one, in their order */
	int one;
	size_t unit;
} parts;

static size_t length(const parts *p, int i) { return (size_t)(p->each ? p->each[i] : p->one) * p->unit; }
static char *place(const parts *p, int i) { return p->data + (p->at ? (size_t)p->at[i] : (size_t)i * (size_t)p->one) * p->unit; }

static void alltoall(parts from, parts to, MPI_Comm comm, const char *call)
{
	group g = ross_group_enter(comm, call);

	if (from.data == MPI_IN_PLACE)
		from = to;
	for (int i = 0; i < g.n; i++) /* all are sent before anything comes: from may be to */
		ross_put(&g, i, ROSS_ALLTOALL, place(&from, i), length(&from, i));
	for (int i = 0; i < g.n; i++)
		ross_fetch(&g, i, ROSS_ALLTOALL, place(&to, i), length(&to, i), call);
}

int ross_ranks_alltoall(const void *from, int n, MPI_Datatype type, void *to, int each, MPI_Datatype of, MPI_Comm comm)
{
	alltoall((parts){ (char *)(uintptr_t)from, NULL, NULL, n, ross_size_of(1, type, "MPI_Alltoall") },
		(parts){ to, NULL, NULL, each, ross_size_of(1, of, "MPI_Alltoall") }, comm, "MPI_Alltoall");
	return MPI_SUCCESS;
}

int ross_ranks_alltoallv(const void *from, const int *n, const int *from_at, MPI_Datatype type, void *to, const int *each, const int *at,
	MPI_Datatype of, MPI_Comm comm)
{
	alltoall((parts){ (char *)(uintptr_t)from, n, from_at, 0, ross_size_of(1, type, "MPI_Alltoallv") },
		(parts){ to, each, at, 0, ross_size_of(1, of, "MPI_Alltoallv") }, comm, "MPI_Alltoallv");
	return MPI_SUCCESS;
}

/* Communicators of the model. */

typedef struct member {
	int color, key, rank, id;
} member;

static int by_key(const void *a, const void *b)
{
	const member *x = a, *y = b;

	return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->rank > y->rank) - (x->rank < y->rank);
}

static MPI_Comm add(group g)
{
	group *more = realloc(groups, (size_t)(ngroups + 1) * sizeof *groups);

	if (!more)
		tw_error(TW_LOC, "no memory for %d communicators", ngroups + 1);
	groups = more;
	groups[ngroups] = g;
	return FIRST + ngroups++;
}

int ross_ranks_split(MPI_Comm comm, int color, int key, MPI_Comm *to)
{
	group g = ross_group_enter(comm, "MPI_Comm_split"), part = { .n = 0 };
	member own = { color, key, ross_rank, next_id }, *all = ross_space((size_t)g.n * sizeof own);

	if (color < 0 && color != MPI_UNDEFINED)
		tw_error(TW_LOC, "MPI_Comm_split: color %d: give at least 0, or MPI_UNDEFINED", color);
	allgather(&own, sizeof own, (char *)all, NULL, NULL, 1, sizeof own, comm, "MPI_Comm_split");
	for (int i = 0; i < g.n; i++) /* an id that is new on all ranks */
		if (all[i].id > part.id)
			part.id = all[i].id;
	next_id = part.id + 1;
	qsort(all, (size_t)g.n, sizeof *all, by_key);
	part.ranks = ross_space((size_t)g.n * sizeof *part.ranks);
	for (int i = 0; i < g.n; i++)
		if (all[i].color == color) {
			if (all[i].rank == ross_rank)
				part.me = part.n;
			part.ranks[part.n++] = all[i].rank;
		}
	free(all);
	if (color == MPI_UNDEFINED) {
		free(part.ranks);
		*to = MPI_COMM_NULL;
	} else {
		*to = add(part);
	}
	return MPI_SUCCESS;
}

int ross_ranks_dup(MPI_Comm comm, MPI_Comm *to)
{
	int rank;

	ross_ranks_rank(comm, &rank);
	return ross_ranks_split(comm, 0, rank, to);
}

int ross_ranks_free(MPI_Comm *comm)
{
	if (*comm >= FIRST && *comm < FIRST + ngroups)
		groups[*comm - FIRST] = (group){ .n = 0 }; /* receives that are posted have its ranks */
	*comm = MPI_COMM_NULL;
	return MPI_SUCCESS;
}

void ross_comm_set(int comm)
{
	if (g_tw_pe)
		tw_error(TW_LOC, "tw_comm_set: call it before tw_init");
	ross_comm = comm;
	ross_comm_given = 1;
}

int ross_comm_size(void) { return ross_group_of(ross_comm, "tw_comm_set").n; }

int ross_start_mpi(void) { return ross_go_start_mpi(); }
void ross_ranks_end(void) { ross_go_leave(1); }
