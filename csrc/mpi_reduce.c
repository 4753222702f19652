//go:build mpi && cgo && !purego

/* The non-blocking all-reduce of a record, and the non-blocking broadcast. */
#include "mpi_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct reduction {
	ross_mpi_reduction head;
	MPI_Comm comm;
	MPI_Datatype type;
	MPI_Op op;
	MPI_Request request;
} reduction;

/* A broadcast is a block of fixed size with the length and the first bytes, and,
 * if that is not all, a second one with the rest. */
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

/* FAILED makes a call of MPI, counts it, and notes its error. */
#define FAILED(o, call, ...) ((o)->head.calls++, ross_mpi_failed(&(o)->head.fault, call(__VA_ARGS__), #call))

/* least compares as GVT does: the key, then the rank, so that the result does not
 * depend on the order in which MPI combines. */
static int least(const ross_mpi_record *a, const ross_mpi_record *b)
{
	for (int i = 0; i < 4; i++)
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
			memcpy(b->payload, a->payload, sizeof b->payload);
			b->rank = a->rank;
		}
	}
}

ross_mpi_reduction *ross_mpi_reduction_new(ross_mpi_world *w)
{
	reduction *r = calloc(1, sizeof *r);

	if (!r)
		return 0;
	r->comm = MPI_COMM_NULL;
	r->type = MPI_DATATYPE_NULL;
	r->op = MPI_OP_NULL;
	r->request = MPI_REQUEST_NULL;
	if (ross_mpi_dup(&r->head.fault, ross_mpi_all(w)->comm, &r->comm) &&
	    !FAILED(r, MPI_Type_contiguous, sizeof(ross_mpi_record) / 8, MPI_UINT64_T, &r->type) &&
	    !FAILED(r, MPI_Type_commit, &r->type))
		(void)FAILED(r, MPI_Op_create, combine, 1, &r->op);
	r->head.in.rank = (uint64_t)w->rank;
	return &r->head;
}

void ross_mpi_reduction_free(ross_mpi_reduction *head)
{
	reduction *r = (reduction *)(void *)head;

	if (r->request != MPI_REQUEST_NULL)
		return; /* MPI may still write to it: it stays */
	if (r->op != MPI_OP_NULL)
		MPI_Op_free(&r->op);
	if (r->type != MPI_DATATYPE_NULL)
		MPI_Type_free(&r->type);
	if (r->comm != MPI_COMM_NULL)
		MPI_Comm_free(&r->comm);
	free(r);
}

int ross_mpi_reduction_start(ross_mpi_reduction *head)
{
	reduction *r = (reduction *)(void *)head;

	return FAILED(r, MPI_Iallreduce, &head->in, &head->out, 1, r->type, r->op, r->comm, &r->request) ? -1 : 0;
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
	ross_mpi_dup(&b->head.fault, ross_mpi_all(w)->comm, &b->comm);
	return &b->head;
}

void ross_mpi_broadcast_free(ross_mpi_broadcast *head)
{
	broadcast *b = (broadcast *)(void *)head;

	if (b->request != MPI_REQUEST_NULL)
		return; /* MPI may still write to it: it stays */
	if (b->comm != MPI_COMM_NULL)
		MPI_Comm_free(&b->comm);
	free(head->data);
	free(b);
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
	b->first.n = (uint64_t)n; /* the root's is the one that counts */
	if (data && n > 0) {
		if (!reserve(b, (uint64_t)n))
			return -1;
		memcpy(head->data, data, (size_t)n);
		memcpy(b->first.bytes, data, n < ROSS_MPI_FIRST ? (size_t)n : ROSS_MPI_FIRST);
	}
	return FAILED(b, MPI_Ibcast, &b->first, sizeof b->first, MPI_BYTE, root, b->comm, &b->request) ? -1 : 0;
}

/* rest is called when the first block is there: it returns 1 if that was all. */
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
		sizeof(ross_mpi_record), AT(balance), AT(flags), AT(counters), AT(key), AT(payload), AT(rank),
	};

	return i < sizeof layout / sizeof *layout ? layout[i] : UINT32_MAX;
}
