//go:build cgo && linux

/* The operations of reductions, for mpi.c, and those that models make. */
#include <stdlib.h>
#include <string.h>

#include "libross.h"
#include "mpi/mpi.h"
#include "own.h"

#define EACH(T, result)                                 \
	do {                                            \
		T *a = to;                              \
		const T *b = more;                      \
		for (int i = 0; i < n; i++)             \
			a[i] = (T)(result);             \
		return 1;                               \
	} while (0)

#define OF_NUMBERS(T)                                                 \
	switch (op) {                                                 \
	case MPI_SUM: EACH(T, a[i] + b[i]);                           \
	case MPI_PROD: EACH(T, a[i] * b[i]);                          \
	case MPI_MAX: EACH(T, a[i] > b[i] ? a[i] : b[i]);             \
	case MPI_MIN: EACH(T, a[i] < b[i] ? a[i] : b[i]);             \
	}

#define OF_INTEGERS(T)                                                \
	OF_NUMBERS(T)                                                 \
	switch (op) {                                                 \
	case MPI_LAND: EACH(T, a[i] && b[i]);                         \
	case MPI_LOR: EACH(T, a[i] || b[i]);                          \
	case MPI_LXOR: EACH(T, !a[i] != !b[i]);                       \
	case MPI_BAND: EACH(T, a[i] & b[i]);                          \
	case MPI_BOR: EACH(T, a[i] | b[i]);                           \
	case MPI_BXOR: EACH(T, a[i] ^ b[i]);                          \
	}

/* Those of the model. Their numbers are not used again. */
enum { OPS = 64, FIRST_OP = 100 };
static MPI_User_function *ops[OPS];
static int nops;

int ross_ranks_make_op(MPI_User_function *f, int commutes, MPI_Op *op)
{
	(void)commutes; /* the order is that of the ranks in any case */
	if (!f || nops == OPS)
		tw_error(TW_LOC, f ? "MPI_Op_create: there are %d operations: make them once" : "MPI_Op_create: its function is 0: give it one", OPS);
	ops[nops] = f;
	*op = FIRST_OP + nops++;
	return MPI_SUCCESS;
}

int ross_ranks_free_op(MPI_Op *op)
{
	if (*op >= FIRST_OP && *op < FIRST_OP + nops)
		ops[*op - FIRST_OP] = NULL;
	*op = MPI_OP_NULL;
	return MPI_SUCCESS;
}

/* combine_by_model calls an operation of the model, whose result is in its second argument. */
static int combine_by_model(void *to, const void *more, int n, int type, int op)
{
	size_t size = ross_size_of(n, type, "MPI_Op_create");
	void *result;

	if (op >= FIRST_OP + nops || !ops[op - FIRST_OP])
		return 0;
	if (n == 0)
		return 1;
	result = malloc(size);
	if (!result)
		tw_error(TW_LOC, "no memory for %zu bytes of a reduction", size);
	memcpy(result, more, size);
	ops[op - FIRST_OP](to, result, &n, &type);
	memcpy(to, result, size);
	free(result);
	return 1;
}

int ross_combine(void *to, const void *more, int n, int type, int op)
{
	if (op >= FIRST_OP)
		return combine_by_model(to, more, n, type, op);
	switch (type) {
	case ROSS_SIGNED | 1: OF_INTEGERS(int8_t) break;
	case ROSS_SIGNED | 2: OF_INTEGERS(int16_t) break;
	case ROSS_SIGNED | 4: OF_INTEGERS(int32_t) break;
	case ROSS_SIGNED | 8: OF_INTEGERS(int64_t) break;
	case ROSS_UNSIGNED | 1: OF_INTEGERS(uint8_t) break;
	case ROSS_UNSIGNED | 2: OF_INTEGERS(uint16_t) break;
	case ROSS_UNSIGNED | 4: OF_INTEGERS(uint32_t) break;
	case ROSS_UNSIGNED | 8: OF_INTEGERS(uint64_t) break;
	case ROSS_FLOAT | (int)sizeof(float): OF_NUMBERS(float) break;
	case ROSS_FLOAT | (int)sizeof(double): OF_NUMBERS(double) break;
#if __SIZEOF_LONG_DOUBLE__ != __SIZEOF_DOUBLE__
	case ROSS_FLOAT | (int)sizeof(long double): OF_NUMBERS(long double) break;
#endif
	}
	return 0;
}

void ross_check_op(int type, int op, const char *call)
{
	if (!ross_combine(NULL, NULL, 0, type, op))
		tw_error(TW_LOC, "%s: there is no operation %d for values of type %d", call, op, type);
}

size_t ross_size_of(int n, int type, const char *call)
{
	if (type >= ROSS_MPI_FIRST)
		tw_error(TW_LOC, "%s: a type of MPI_Type_create_hindexed is for MPI_File_write_at: give one of the types of MPI", call);
	if (n < 0)
		tw_error(TW_LOC, "%s: %d values: give at least 0", call, n);
	return (size_t)n * ROSS_BYTES(type);
}
