//go:build cgo && linux

/* The operations of reductions, for mpi.c. */
#include "libross.h"
#include "mpi/mpi.h"

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

int ross_combine(void *to, const void *more, int n, int type, int op)
{
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
