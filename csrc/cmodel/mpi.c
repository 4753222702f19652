//go:build cgo && linux

/* What mpi/mpi.h declares, for the ranks that --ranks=N starts: communicators, messages, and collective operations made of
 * messages. A message has its communicator and its tag; a receiver keeps those that it does not want yet. */
#include <stdlib.h>
#include <string.h>

#include "libross.h"
#include "mpi/mpi.h"

int ross_comm = MPI_COMM_WORLD;
int ross_comm_given;
int ross_rank, ross_nodes; /* 0 nodes: nobody has asked yet */

/* A communicator of n ranks; this process is number me of them. ranks are their numbers in the world, 0 if these are the
 * same. All ranks know a communicator by the same id. */
typedef struct group {
	int n, me, id;
	int *ranks;
} group;

enum { FIRST = 3 }; /* communicators of the model */
static group *groups;
static int ngroups, next_id = FIRST;

static void look(void)
{
	if (!ross_nodes)
		ross_go_look(&ross_rank, &ross_nodes);
}

static group group_of(MPI_Comm comm, const char *call)
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

static int rank_in(const group *g, int i) { return g->ranks ? g->ranks[i] : i; }

/* enter begins a call that may exchange messages. */
static group enter(MPI_Comm comm, const char *call)
{
	group g = group_of(comm, call);

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
	*rank = group_of(comm, "MPI_Comm_rank").me;
	return MPI_SUCCESS;
}

int ross_ranks_size(MPI_Comm comm, int *size)
{
	*size = group_of(comm, "MPI_Comm_size").n;
	return MPI_SUCCESS;
}

/* Messages. */
typedef struct message {
	struct message *next;
	int comm, tag;
	size_t n;
	void *data;
} message;

static message **kept; /* by the rank in the world that has sent them, in their order */

/* Tags of collective operations, which models do not have. */
enum { BARRIER = -100, BCAST, REDUCE, SCAN, GATHER, SPLIT, CALLS };
static const char *const calls[CALLS - BARRIER] = { "MPI_Barrier", "MPI_Bcast", "a reduction", "a scan", "a gather", "MPI_Comm_split" };

static void *space(size_t n)
{
	void *p = malloc(n ? n : 1);

	if (!p)
		tw_error(TW_LOC, "no memory for %zu bytes of a message", n);
	return p;
}

static message *keep(int from, message *m)
{
	message **at;

	if (!kept)
		kept = tw_calloc(TW_LOC, "messages", sizeof *kept, (size_t)ross_nodes);
	for (at = &kept[from]; *at; at = &(*at)->next)
		;
	*at = m;
	return m;
}

/* put sends bytes to a rank of a communicator, without waiting. */
static void put(const group *g, int to, int tag, const void *data, size_t n)
{
	int rank = rank_in(g, to);
	message *m;

	if (rank != ross_rank) {
		ross_go_send(rank, g->id, tag, (void *)(uintptr_t)data, n);
		return;
	}
	m = space(sizeof *m);
	*m = (message){ .comm = g->id, .tag = tag, .n = n, .data = memcpy(space(n), data, n) };
	keep(rank, m);
}

static int wanted(const message *m, const group *g, int tag)
{
	return m->comm == g->id && (m->tag == tag || (tag == MPI_ANY_TAG && m->tag >= 0));
}

/* take returns the next message of a rank with the tag, which the caller frees. */
static message *take(const group *g, int from, int tag)
{
	int rank = rank_in(g, from);

	if (!kept)
		kept = tw_calloc(TW_LOC, "messages", sizeof *kept, (size_t)ross_nodes);
	for (message **at = &kept[rank];;) {
		message *m = *at;

		if (!m) {
			if (rank == ross_rank)
				tw_error(TW_LOC, "MPI_Recv: rank %d waits for a message of its own that it has not sent", rank);
			m = space(sizeof *m);
			*m = (message){ .next = NULL };
			m->data = ross_go_receive(rank, &m->comm, &m->tag, &m->n);
			*at = m;
		}
		if (wanted(m, g, tag)) {
			*at = m->next;
			return m;
		}
		if (m->comm == g->id && m->tag < 0 && tag < 0)
			tw_error(TW_LOC, "rank %d calls %s and rank %d %s at the same time: let all ranks make the same calls", ross_rank,
				calls[tag - BARRIER], rank, calls[m->tag - BARRIER]);
		at = &m->next;
	}
}

static void drop(message *m)
{
	free(m->data);
	free(m);
}

/* fetch takes a message of n bytes at most, into data, and returns its length. */
static size_t fetch(const group *g, int from, int tag, void *data, size_t n, MPI_Status *status, const char *call)
{
	message *m = take(g, from, tag);
	size_t length = m->n;

	if (length > n)
		tw_error(TW_LOC, "%s: rank %d has sent %zu bytes, and there is room for %zu", call, from, length, n);
	if (length)
		memcpy(data, m->data, length);
	if (status)
		*status = (MPI_Status){ .MPI_SOURCE = from, .MPI_TAG = m->tag, .ross_bytes = length };
	drop(m);
	return length;
}

static void check(const group *g, int rank, const char *call, const char *what)
{
	if (g->n == 1 && rank != 0)
		tw_error(TW_LOC, "%s %s rank %d: a program of one process has no other ranks", call, what, rank);
	if (rank < 0 || rank >= g->n)
		tw_error(TW_LOC, "%s %s rank %d: the communicator has ranks 0 to %d", call, what, rank, g->n - 1);
}

int ross_ranks_send(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
	group g = enter(comm, "MPI_Send");

	if (to == MPI_PROC_NULL)
		return MPI_SUCCESS;
	check(&g, to, "MPI_Send", "to");
	if (tag < 0)
		tw_error(TW_LOC, "MPI_Send: tag %d: give at least 0", tag);
	put(&g, to, tag, data, (size_t)n * ROSS_BYTES(type));
	return MPI_SUCCESS;
}

int ross_ranks_receive(void *data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
	group g = enter(comm, "MPI_Recv");

	if (from == MPI_PROC_NULL)
		return MPI_SUCCESS;
	check(&g, from, "MPI_Recv", "from");
	if (tag < MPI_ANY_TAG)
		tw_error(TW_LOC, "MPI_Recv: tag %d: give at least 0, or MPI_ANY_TAG", tag);
	fetch(&g, from, tag, data, (size_t)n * ROSS_BYTES(type), status, "MPI_Recv");
	return MPI_SUCCESS;
}

int ross_ranks_exchange(const void *data, int n, MPI_Datatype type, int to, int tag, void *into, int room, MPI_Datatype of, int from,
	int from_tag, MPI_Comm comm, MPI_Status *status)
{
	ross_ranks_send(data, n, type, to, tag, comm);
	return ross_ranks_receive(into, room, of, from, from_tag, comm, status);
}

/* Collective operations. In all of them one rank, the root, receives from the others, or sends to them. */

/* spread sends bytes of the root to all. */
static void spread(const group *g, int root, int tag, void *data, size_t n)
{
	if (g->me != root) {
		fetch(g, root, tag, data, n, NULL, calls[tag - BARRIER]);
		return;
	}
	for (int i = 0; i < g->n; i++)
		if (i != root)
			put(g, i, tag, data, n);
}

int ross_ranks_barrier(MPI_Comm comm)
{
	group g = enter(comm, "MPI_Barrier");
	char none;

	for (int i = 1; i < g.n && g.me == 0; i++)
		drop(take(&g, i, BARRIER));
	if (g.me > 0)
		put(&g, 0, BARRIER, "", 0);
	spread(&g, 0, BARRIER, &none, 0);
	return MPI_SUCCESS;
}

int ross_ranks_bcast(void *data, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
	group g = enter(comm, "MPI_Bcast");

	check(&g, root, "MPI_Bcast", "from");
	spread(&g, root, BCAST, data, (size_t)n * ROSS_BYTES(type));
	return MPI_SUCCESS;
}

/* reduce combines the values of all ranks at the root, in the order of the ranks. */
static void reduce(const group *g, const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, int root, const char *call)
{
	size_t size = (size_t)n * ROSS_BYTES(type);
	const void *own = from == MPI_IN_PLACE ? to : from;
	char *sum, *part;

	ross_check_op(type, op, call);
	if (g->me != root) {
		put(g, root, REDUCE, own, size);
		return;
	}
	sum = space(size);
	part = space(size);
	for (int i = 0; i < g->n; i++) {
		if (i != root)
			fetch(g, i, REDUCE, part, size, NULL, call);
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
	group g = enter(comm, "MPI_Reduce");

	check(&g, root, "MPI_Reduce", "to");
	reduce(&g, from, to, n, type, op, root, "MPI_Reduce");
	return MPI_SUCCESS;
}

int ross_ranks_allreduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
	group g = enter(comm, "MPI_Allreduce");

	reduce(&g, from, to, n, type, op, 0, "MPI_Allreduce");
	spread(&g, 0, REDUCE, to, (size_t)n * ROSS_BYTES(type));
	return MPI_SUCCESS;
}

/* scan combines the values of the ranks up to this one; each sends the result to the next one. What is before is
 * returned in to if own values do not count, on ranks other than the first. */
static int scan(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm, int with_own, const char *call)
{
	group g = enter(comm, call);
	size_t size = (size_t)n * ROSS_BYTES(type);
	char *own = space(size), *before = space(size);

	ross_check_op(type, op, call);
	if (size)
		memcpy(own, from == MPI_IN_PLACE ? to : from, size);
	if (g.me > 0) {
		fetch(&g, g.me - 1, SCAN, before, size, NULL, call);
		if (size && !with_own)
			memcpy(to, before, size);
		ross_combine(before, own, n, type, op);
	} else if (size) {
		memcpy(before, own, size);
	}
	if (size && with_own)
		memcpy(to, before, size);
	if (g.me + 1 < g.n)
		put(&g, g.me + 1, SCAN, before, size);
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

/* gather collects at the root each[i] values of rank i at place at[i]; both are 0 if all ranks have as many. */
static void gather(const group *g, const void *from, size_t own, char *to, const int *each, const int *at, int one, size_t unit, int root,
	const char *call)
{
	if (g->me != root) {
		put(g, root, GATHER, from, own);
		return;
	}
	for (int i = 0; i < g->n; i++) {
		size_t n = (size_t)(each ? each[i] : one) * unit;
		char *into = to + (at ? (size_t)at[i] : (size_t)i * (size_t)one) * unit;

		if (i != root)
			fetch(g, i, GATHER, into, n, NULL, call);
		else if (from != MPI_IN_PLACE && own > n)
			tw_error(TW_LOC, "%s: rank %d has %zu bytes, and there is room for %zu", call, i, own, n);
		else if (from != MPI_IN_PLACE && own)
			memmove(into, from, own);
	}
}

int ross_ranks_gather(const void *from, int n, MPI_Datatype type, void *to, int each, MPI_Datatype of, int root, MPI_Comm comm)
{
	group g = enter(comm, "MPI_Gather");

	check(&g, root, "MPI_Gather", "to");
	gather(&g, from, (size_t)n * ROSS_BYTES(type), to, NULL, NULL, each, ROSS_BYTES(of), root, "MPI_Gather");
	return MPI_SUCCESS;
}

int ross_ranks_gatherv(const void *from, int n, MPI_Datatype type, void *to, const int *each, const int *at, MPI_Datatype of, int root,
	MPI_Comm comm)
{
	group g = enter(comm, "MPI_Gatherv");

	check(&g, root, "MPI_Gatherv", "to");
	gather(&g, from, (size_t)n * ROSS_BYTES(type), to, each, at, 0, ROSS_BYTES(of), root, "MPI_Gatherv");
	return MPI_SUCCESS;
}

/* allgather lets each rank collect: a rank may have a place of its own for the values of each other. */
static int allgather(const void *from, size_t own, char *to, const int *each, const int *at, int one, size_t unit, MPI_Comm comm,
	const char *call)
{
	group g = enter(comm, call);

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
	return allgather(from, (size_t)n * ROSS_BYTES(type), to, NULL, NULL, each, ROSS_BYTES(of), comm, "MPI_Allgather");
}

int ross_ranks_allgatherv(const void *from, int n, MPI_Datatype type, void *to, const int *each, const int *at, MPI_Datatype of,
	MPI_Comm comm)
{
	return allgather(from, (size_t)n * ROSS_BYTES(type), to, each, at, 0, ROSS_BYTES(of), comm, "MPI_Allgatherv");
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
	group g = enter(comm, "MPI_Comm_split"), part = { .n = 0 };
	member own = { color, key, ross_rank, next_id }, *all = space((size_t)g.n * sizeof own);

	if (color < 0 && color != MPI_UNDEFINED)
		tw_error(TW_LOC, "MPI_Comm_split: color %d: give at least 0, or MPI_UNDEFINED", color);
	allgather(&own, sizeof own, (char *)all, NULL, NULL, 1, sizeof own, comm, "MPI_Comm_split");
	for (int i = 0; i < g.n; i++) /* an id that is new on all ranks */
		if (all[i].id > part.id)
			part.id = all[i].id;
	next_id = part.id + 1;
	qsort(all, (size_t)g.n, sizeof *all, by_key);
	part.ranks = space((size_t)g.n * sizeof *part.ranks);
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
	if (*comm >= FIRST && *comm < FIRST + ngroups) {
		free(groups[*comm - FIRST].ranks);
		groups[*comm - FIRST] = (group){ .n = 0 };
	}
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

int ross_comm_size(void) { return group_of(ross_comm, "tw_comm_set").n; }

int ross_start_mpi(void) { return ross_go_start_mpi(); }
void ross_ranks_end(void) { ross_go_leave(1); }
