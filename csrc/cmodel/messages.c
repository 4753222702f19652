//go:build cgo && linux

/* Messages between the ranks that --ranks=N starts. A message has its communicator and its tag. Whenever this rank waits
 * for one, it takes all that come, from any rank, so that none holds up others: the first posted receive that wants a
 * message gets it, and what nobody wants yet is kept. */
#include <stdlib.h>
#include <string.h>

#include "groups.h"
#include "libross.h"
#include "mpi/mpi.h"
#include "own.h"

typedef struct message {
	struct message *next;
	int from, comm, tag; /* from: the number in the world */
	size_t n;
	void *data;
} message;

/* A receive that may wait for its message; those of sends are done at once. */
struct ross_request {
	struct ross_request *next;
	const char *call;
	group g;
	int from, tag; /* from: the number in the communicator, or MPI_ANY_SOURCE */
	int done, posted;
	void *data;
	size_t n; /* bytes: room for them, and those that have come when it is done */
};

static message *kept;
static struct ross_request *posted;

static const char *const calls[ROSS_CALLS - ROSS_BARRIER] = { "MPI_Barrier", "MPI_Bcast", "a reduction", "a scan", "a gather",
	"MPI_Comm_split", "MPI_Alltoall" };

void *ross_space(size_t n)
{
	void *p = malloc(n ? n : 1);

	if (!p)
		tw_error(TW_LOC, "no memory for %zu bytes of a message", n);
	return p;
}

void ross_check_rank(const group *g, int rank, const char *call, const char *what)
{
	if (g->n == 1 && rank != 0)
		tw_error(TW_LOC, "%s %s rank %d: a program of one process has no other ranks", call, what, rank);
	if (rank < 0 || rank >= g->n)
		tw_error(TW_LOC, "%s %s rank %d: the communicator has ranks 0 to %d", call, what, rank, g->n - 1);
}

static int rank_in(const group *g, int i) { return g->ranks ? g->ranks[i] : i; }

static int index_of(const group *g, int rank)
{
	int i = 0;

	while (i < g->n && rank_in(g, i) != rank)
		i++;
	return i;
}

static int wants(const struct ross_request *r, const message *m)
{
	return m->comm == r->g.id && (m->tag == r->tag || (r->tag == MPI_ANY_TAG && m->tag >= 0)) &&
		(r->from == MPI_ANY_SOURCE || rank_in(&r->g, r->from) == m->from);
}

/* deliver gives a message to the receive that wants it, and frees it. */
static void deliver(struct ross_request *r, message *m)
{
	r->from = index_of(&r->g, m->from);
	r->tag = m->tag;
	if (m->n > r->n)
		tw_error(TW_LOC, "%s: rank %d has sent %zu bytes, and there is room for %zu", r->call, r->from, m->n, r->n);
	r->n = m->n;
	if (m->n)
		memcpy(r->data, m->data, m->n);
	r->done = 1;
	free(m->data);
	free(m);
}

/* arrived gives a message to the first receive that wants it, or keeps it. */
static void arrived(message *m)
{
	message **at;

	for (struct ross_request **r = &posted; *r; r = &(*r)->next)
		if (wants(*r, m)) {
			struct ross_request *got = *r;

			*r = got->next;
			got->posted = 0;
			deliver(got, m);
			return;
		}
	for (at = &kept; *at; at = &(*at)->next)
		;
	*at = m;
}

/* next takes the next message from another rank, and reports whether there was one. */
static int next(int wait)
{
	message *m = ross_space(sizeof *m);

	*m = (message){ .next = NULL };
	m->data = ross_go_receive(wait, &m->from, &m->comm, &m->tag, &m->n);
	if (m->from < 0) {
		free(m);
		return 0;
	}
	arrived(m);
	return 1;
}

/* post lets a receive have a message that has come, or wait for it. */
static void post(struct ross_request *r)
{
	struct ross_request **last;

	for (message **at = &kept; *at; at = &(*at)->next)
		if (wants(r, *at)) {
			message *m = *at;

			*at = m->next;
			deliver(r, m);
			return;
		}
	for (last = &posted; *last; last = &(*last)->next)
		;
	*last = r;
	r->posted = 1;
}

/* see_that_all_make_the_same_calls ends the program if the rank that a collective operation waits for is in another one. */
static void see_that_all_make_the_same_calls(const struct ross_request *r)
{
	if (r->tag >= MPI_ANY_TAG)
		return;
	for (const message *m = kept; m; m = m->next)
		if (m->comm == r->g.id && m->tag < 0 && rank_in(&r->g, r->from) == m->from)
			tw_error(TW_LOC, "rank %d calls %s and rank %d %s at the same time: let all ranks make the same calls", ross_rank,
				calls[r->tag - ROSS_BARRIER], m->from, calls[m->tag - ROSS_BARRIER]);
}

/* finish waits for a receive. */
static void finish(struct ross_request *r, MPI_Status *status)
{
	while (!r->done) {
		see_that_all_make_the_same_calls(r);
		if (r->g.n == 1 || ross_nodes == 1 || (r->from != MPI_ANY_SOURCE && rank_in(&r->g, r->from) == ross_rank))
			tw_error(TW_LOC, "%s: rank %d waits for a message of its own that it has not sent", r->call, ross_rank);
		next(1);
	}
	if (status)
		*status = (MPI_Status){ .MPI_SOURCE = r->from, .MPI_TAG = r->tag, .ross_bytes = r->n };
}

void ross_put(const group *g, int to, int tag, const void *data, size_t n)
{
	int rank = rank_in(g, to);
	message *m;

	if (rank != ross_rank) {
		ross_go_send(rank, g->id, tag, (void *)(uintptr_t)data, n);
		return;
	}
	m = ross_space(sizeof *m);
	*m = (message){ .from = rank, .comm = g->id, .tag = tag, .n = n, .data = ross_space(n) };
	if (n)
		memcpy(m->data, data, n);
	arrived(m);
}

size_t ross_fetch(const group *g, int from, int tag, void *data, size_t n, const char *call)
{
	struct ross_request r = { .call = call, .g = *g, .from = from, .tag = tag, .data = data, .n = n };

	post(&r);
	finish(&r, NULL);
	return r.n;
}

/* What models call. */

/* send sends, unless it is to nobody. */
static void send(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, const char *call)
{
	group g = ross_group_enter(comm, call);

	if (to == MPI_PROC_NULL)
		return;
	ross_check_rank(&g, to, call, "to");
	if (tag < 0)
		tw_error(TW_LOC, "%s: tag %d: give at least 0", call, tag);
	ross_put(&g, to, tag, data, ross_size_of(n, type, call));
}

/* receive posts a receive, which is done if it is from nobody. */
static void receive(struct ross_request *r, void *data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, const char *call)
{
	*r = (struct ross_request){ .call = call, .g = ross_group_enter(comm, call), .from = from, .tag = tag, .data = data };
	r->n = ross_size_of(n, type, call);
	if (from == MPI_PROC_NULL) {
		r->tag = MPI_ANY_TAG;
		r->n = 0;
		r->done = 1;
		return;
	}
	if (from != MPI_ANY_SOURCE)
		ross_check_rank(&r->g, from, call, "from");
	if (tag < MPI_ANY_TAG)
		tw_error(TW_LOC, "%s: tag %d: give at least 0, or MPI_ANY_TAG", call, tag);
	post(r);
}

int ross_ranks_send(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
	send(data, n, type, to, tag, comm, "MPI_Send");
	return MPI_SUCCESS;
}

int ross_ranks_receive(void *data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
	struct ross_request r;

	receive(&r, data, n, type, from, tag, comm, "MPI_Recv");
	finish(&r, status);
	return MPI_SUCCESS;
}

int ross_ranks_exchange(const void *data, int n, MPI_Datatype type, int to, int tag, void *into, int room, MPI_Datatype of, int from,
	int from_tag, MPI_Comm comm, MPI_Status *status)
{
	struct ross_request r;

	receive(&r, into, room, of, from, from_tag, comm, "MPI_Sendrecv");
	send(data, n, type, to, tag, comm, "MPI_Sendrecv");
	finish(&r, status);
	return MPI_SUCCESS;
}

int ross_ranks_start_send(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request)
{
	send(data, n, type, to, tag, comm, "MPI_Isend");
	*request = ross_space(sizeof **request);
	**request = (struct ross_request){ .from = MPI_PROC_NULL, .tag = MPI_ANY_TAG, .done = 1 };
	return MPI_SUCCESS;
}

int ross_ranks_start_receive(void *data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request)
{
	*request = ross_space(sizeof **request);
	receive(*request, data, n, type, from, tag, comm, "MPI_Irecv");
	return MPI_SUCCESS;
}

/* check_caller ends the program if a handler of events waits for a receive. */
static void check_caller(const struct ross_request *r, const char *call)
{
	if (r->posted)
		ross_group_enter(MPI_COMM_WORLD, call);
}

int ross_ranks_wait(MPI_Request *request, MPI_Status *status)
{
	if (!*request) {
		if (status)
			*status = (MPI_Status){ .MPI_SOURCE = MPI_ANY_SOURCE, .MPI_TAG = MPI_ANY_TAG };
		return MPI_SUCCESS;
	}
	check_caller(*request, "MPI_Wait");
	finish(*request, status);
	free(*request);
	*request = MPI_REQUEST_NULL;
	return MPI_SUCCESS;
}

int ross_ranks_wait_for_all(int n, MPI_Request *requests, MPI_Status *statuses)
{
	for (int i = 0; i < n; i++)
		ross_ranks_wait(&requests[i], statuses ? &statuses[i] : NULL);
	return MPI_SUCCESS;
}

int ross_ranks_test(MPI_Request *request, int *done, MPI_Status *status)
{
	if (*request) {
		check_caller(*request, "MPI_Test");
		while (!(*request)->done && ross_nodes > 1 && next(0))
			;
		*done = (*request)->done;
		if (!*done)
			return MPI_SUCCESS;
	}
	*done = 1;
	return ross_ranks_wait(request, status);
}

int ross_ranks_test_all(int n, MPI_Request *requests, int *done, MPI_Status *statuses)
{
	*done = 1;
	for (int i = 0; i < n && *done; i++)
		if (requests[i]) {
			check_caller(requests[i], "MPI_Testall");
			while (!requests[i]->done && ross_nodes > 1 && next(0))
				;
			*done = requests[i]->done;
		}
	return *done ? ross_ranks_wait_for_all(n, requests, statuses) : MPI_SUCCESS;
}
