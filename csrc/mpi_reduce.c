//go:build mpi && cgo && !purego

/* The non-blocking all-reduce of a record or of a list of words, and the
 * non-blocking broadcast.
 *
 * A list is one element of a datatype, so that MPI never divides it. There is a
 * datatype for every power of two, made when it is first needed. The list begins
 * with its length, which the operation could otherwise learn only from
 * MPI_Type_size. Lists of different lengths become a list without words, which
 * reveals the mistake. */
#include "mpi_reduce.h"

#include "mpi_internal.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTHS = 17 };
_Static_assert(ROSS_MPI_LIST == 1 << (WIDTHS - 1), "every list has a datatype");

typedef struct reduction {
	ross_mpi_reduction head;
	MPI_Comm comm;
	MPI_Datatype type;
	MPI_Op op;
	MPI_Request request;
	MPI_Op lesser;              /* of lists */
	MPI_Datatype lists[WIDTHS]; /* of 1, 2, 4, ... words */
	uint64_t *own;              /* list of this rank; head.least is that of all */
	uint64_t cap;               /* words of both */
} reduction;

/* A broadcast is a block of fixed size with the length and the first bytes, followed
 * if necessary by a second one with the rest. */
typedef struct block {
	uint64_t n;
	char bytes[ROSS_MPI_FIRST];
} block;

typedef struct broadcast {
	ross_mpi_broadcast head;
	MPI_Comm comm;
	MPI_Request request;
	int root;
	int second; /* the rest is under way */
	uint64_t cap;
	block first;
} broadcast;

#define FAILED(o, ...) ROSS_MPI_FAILED(&(o)->head, __VA_ARGS__)

/* least compares like GVT: the key, then the rank, so that the result does not
 * depend on the order in which MPI combines. */
static int least(const ross_mpi_record *a, const ross_mpi_record *b)
{
	for (int i = 0; i < ROSS_MPI_KEY; i++)
		if (a->key[i] != b->key[i])
			return a->key[i] < b->key[i];
	return a->rank < b->rank;
}

static void combine(void *in, void *inout, int *n, MPI_Datatype *type)
{
	const ross_mpi_record *a = in;
	ross_mpi_record *b = inout;

	(void)type;
	for (int i = 0; i < *n; i++, a++, b++) {
		b->balance += a->balance;
		b->flags |= a->flags;
		for (int k = 0; k < 4; k++)
			b->counters[k] += a->counters[k];
		if (least(a, b)) {
			memcpy(b->key, a->key, sizeof b->key);
			b->rank = a->rank;
		}
	}
}

/* words_type makes the datatype of n words. */
static int words_type(reduction *r, int n, MPI_Datatype *type)
{
	return !FAILED(r, MPI_Type_contiguous, n, MPI_UINT64_T, type) && !FAILED(r, MPI_Type_commit, type);
}

/* combine_lists keeps the lesser of two lists. */
static void combine_lists(void *in, void *inout, int *n, MPI_Datatype *type)
{
	const uint64_t *a = in;
	uint64_t *b = inout, length;

	(void)type;
	if (*n < 1)
		return;
	length = a[0] == b[0] ? a[0] : 0;
	b[0] = length;
	for (uint64_t i = 1; i <= length; i++)
		if (a[i] != b[i]) {
			if (a[i] < b[i])
				memcpy(b + i, a + i, (length + 1 - i) * sizeof *b);
			return;
		}
}

ross_mpi_reduction *ross_mpi_reduction_new(ross_mpi_world *w)
{
	reduction *r = calloc(1, sizeof *r);

	if (!r)
		return 0;
	r->comm = MPI_COMM_NULL;
	r->type = MPI_DATATYPE_NULL;
	r->op = r->lesser = MPI_OP_NULL;
	for (int i = 0; i < WIDTHS; i++)
		r->lists[i] = MPI_DATATYPE_NULL;
	r->request = MPI_REQUEST_NULL;
	if (ross_mpi_dup(&r->head.fault, &r->head.calls, ross_mpi_all(w)->comm, &r->comm) &&
	    words_type(r, sizeof(ross_mpi_record) / sizeof(uint64_t), &r->type) &&
	    !FAILED(r, MPI_Op_create, combine, 1, &r->op))
		(void)FAILED(r, MPI_Op_create, combine_lists, 1, &r->lesser);
	r->head.in.rank = (uint64_t)w->rank;
	return &r->head;
}

ross_mpi_reduction ross_mpi_reduction_free(ross_mpi_reduction *head)
{
	reduction *r = (reduction *)(void *)head;

	if (r->request != MPI_REQUEST_NULL)
		return *head; /* MPI may still write to it: it stays */
	MPI_Op *ops[] = { &r->op, &r->lesser };
	for (int i = 0; i < 2; i++)
		if (*ops[i] != MPI_OP_NULL)
			(void)FAILED(r, MPI_Op_free, ops[i]);
	for (int i = -1; i < WIDTHS; i++) {
		MPI_Datatype *type = i < 0 ? &r->type : &r->lists[i];
		if (*type != MPI_DATATYPE_NULL)
			(void)FAILED(r, MPI_Type_free, type);
	}
	if (r->comm != MPI_COMM_NULL)
		(void)FAILED(r, MPI_Comm_free, &r->comm);
	free(r->own);
	free(head->least);
	ross_mpi_reduction left = *head;
	free(r);
	return left;
}

int ross_mpi_reduction_start(ross_mpi_reduction *head)
{
	reduction *r = (reduction *)(void *)head;

	return FAILED(r, MPI_Iallreduce, &head->in, &head->out, 1, r->type, r->op, r->comm, &r->request) ? -1 : 0;
}

/* lists allocates memory, and makes the datatype, for lists of 1 << i words and their length. */
static int lists(reduction *r, int i)
{
	uint64_t cap = ((uint64_t)1 << i) + 1;

	if (cap > r->cap) {
		free(r->own);
		free(r->head.least);
		r->own = calloc(cap, sizeof *r->own);
		r->head.least = calloc(cap, sizeof *r->own);
		r->cap = r->own && r->head.least ? cap : 0;
		if (!r->cap)
			return !ross_mpi_failed(&r->head.fault, ROSS_MPI_NO_MEMORY, "calloc");
	}
	return r->lists[i] != MPI_DATATYPE_NULL || words_type(r, (int)cap, &r->lists[i]);
}

int ross_mpi_reduction_start_words(ross_mpi_reduction *head, const uint64_t *words, int64_t n)
{
	reduction *r = (reduction *)(void *)head;
	int i = 0;

	while ((int64_t)1 << i < n)
		i++;
	if (!lists(r, i))
		return -1;
	r->own[0] = (uint64_t)n;
	memcpy(r->own + 1, words, (size_t)n * sizeof *words);
	return FAILED(r, MPI_Iallreduce, r->own, head->least, 1, r->lists[i], r->lesser, r->comm, &r->request) ? -1 : 0;
}

int ross_mpi_reduction_test(ross_mpi_reduction *head)
{
	reduction *r = (reduction *)(void *)head;
	int done;

	return FAILED(r, MPI_Test, &r->request, &done, MPI_STATUS_IGNORE) ? -1 : done;
}

int ross_mpi_reduction_wait(ross_mpi_reduction *head)
{
	reduction *r = (reduction *)(void *)head;

	return FAILED(r, MPI_Wait, &r->request, MPI_STATUS_IGNORE) ? -1 : 1;
}

ross_mpi_broadcast *ross_mpi_broadcast_new(ross_mpi_world *w)
{
	broadcast *b = calloc(1, sizeof *b);

	if (!b)
		return 0;
	b->comm = MPI_COMM_NULL;
	b->request = MPI_REQUEST_NULL;
	ross_mpi_dup(&b->head.fault, &b->head.calls, ross_mpi_all(w)->comm, &b->comm);
	return &b->head;
}

ross_mpi_broadcast ross_mpi_broadcast_free(ross_mpi_broadcast *head)
{
	broadcast *b = (broadcast *)(void *)head;

	if (b->request != MPI_REQUEST_NULL)
		return *head; /* MPI may still write to it: it stays */
	if (b->comm != MPI_COMM_NULL)
		(void)FAILED(b, MPI_Comm_free, &b->comm);
	free(head->data);
	ross_mpi_broadcast left = *head;
	free(b);
	return left;
}

static int reserve(broadcast *b, uint64_t n)
{
	if (n <= b->cap)
		return 1;
	free(b->head.data);
	b->head.data = malloc(n);
	b->cap = b->head.data ? n : 0;
	return b->cap || !ross_mpi_failed(&b->head.fault, ROSS_MPI_NO_MEMORY, "malloc");
}

int ross_mpi_broadcast_start(ross_mpi_broadcast *head, int root, const void *data, int64_t n)
{
	broadcast *b = (broadcast *)(void *)head;

	b->root = root;
	b->second = 0;
	b->first.n = (uint64_t)n; /* only that of the root counts */
	if (data && n > 0) {
		if (!reserve(b, (uint64_t)n))
			return -1;
		memcpy(head->data, data, (size_t)n);
		memcpy(b->first.bytes, data, n < ROSS_MPI_FIRST ? (size_t)n : ROSS_MPI_FIRST);
	}
	return FAILED(b, MPI_Ibcast, &b->first, sizeof b->first, MPI_BYTE, root, b->comm, &b->request) ? -1 : 0;
}

/* rest is called when the first block has arrived. It returns 1 if that was all. */
static int rest(broadcast *b)
{
	ross_mpi_broadcast *head = &b->head;
	uint64_t n = head->n = b->first.n;

	if (!reserve(b, n ? n : 1))
		return -1;
	memcpy(head->data, b->first.bytes, n < ROSS_MPI_FIRST ? n : ROSS_MPI_FIRST);
	if (n <= ROSS_MPI_FIRST)
		return 1;
	b->second = 1;
	return FAILED(b, MPI_Ibcast, head->data + ROSS_MPI_FIRST, (int)(n - ROSS_MPI_FIRST), MPI_BYTE, b->root, b->comm,
	              &b->request) ? -1 : 0;
}

int ross_mpi_broadcast_test(ross_mpi_broadcast *head)
{
	broadcast *b = (broadcast *)(void *)head;
	int done;

	if (FAILED(b, MPI_Test, &b->request, &done, MPI_STATUS_IGNORE))
		return -1;
	if (!done || b->second)
		return done;
	return rest(b);
}

#define AT(f) (uint32_t)offsetof(ross_mpi_record, f)

uint32_t ross_mpi_layout(uint32_t i)
{
	static const uint32_t layout[] = {
		sizeof(ross_mpi_record), AT(balance), AT(flags), AT(counters), AT(key), AT(rank),
	};

	return i < sizeof layout / sizeof *layout ? layout[i] : UINT32_MAX;
}
