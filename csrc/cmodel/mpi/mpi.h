/* MPI for models of ROSS without MPI: what they call of it, for one process and for the ranks that --ranks=N starts. The
 * library has the functions, and files are those of the C library. A program that is linked with MPI includes that one's
 * header instead. */
#ifndef ROSS_RANKS_MPI_H
#define ROSS_RANKS_MPI_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef int MPI_Comm;
typedef int MPI_Datatype; /* its bytes, and above them what it is, see below */
typedef int MPI_Op;
typedef void MPI_User_function(void *in, void *inout, int *n, MPI_Datatype *type);
typedef struct ross_request *MPI_Request;
typedef int MPI_Info;
typedef long MPI_Aint;
typedef long long MPI_Offset;
typedef int MPI_File; /* a file descriptor */
typedef struct MPI_Status {
	int MPI_SOURCE, MPI_TAG, MPI_ERROR;
	size_t ross_bytes; /* read, written or received */
} MPI_Status;

#define MPI_SUCCESS 0
#define MPI_ERR_OTHER 15
#define MPI_MAX_ERROR_STRING 256
#define MPI_COMM_NULL 0
#define MPI_COMM_WORLD 1
#define MPI_COMM_SELF 2
#define MPI_COMM_ROSS ross_comm
#define MPI_ANY_TAG (-1)
#define MPI_ANY_SOURCE (-1)
#define MPI_PROC_NULL (-2)
#define MPI_UNDEFINED (-32766)
#define MPI_INFO_NULL 0
#define MPI_FILE_NULL (-1)
#define MPI_OP_NULL 0
#define MPI_REQUEST_NULL ((MPI_Request)0)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
#define MPI_IN_PLACE ((void *)-1)

/* The kinds of types, above their sizes. */
enum { ROSS_SIGNED = 1 << 8, ROSS_UNSIGNED = 2 << 8, ROSS_FLOAT = 3 << 8, ROSS_SIZE = 255 };
#define ROSS_BYTES(type) ((size_t)((type) & ROSS_SIZE))

#define MPI_CHAR (ROSS_SIGNED | (int)sizeof(char))
#define MPI_UNSIGNED_CHAR (ROSS_UNSIGNED | 1)
#define MPI_BYTE (ROSS_UNSIGNED | 1)
#define MPI_C_BOOL (ROSS_UNSIGNED | 1)
#define MPI_SHORT (ROSS_SIGNED | (int)sizeof(short))
#define MPI_INT (ROSS_SIGNED | (int)sizeof(int))
#define MPI_UNSIGNED (ROSS_UNSIGNED | (int)sizeof(int))
#define MPI_LONG (ROSS_SIGNED | (int)sizeof(long))
#define MPI_UNSIGNED_LONG (ROSS_UNSIGNED | (int)sizeof(long))
#define MPI_LONG_LONG (ROSS_SIGNED | (int)sizeof(long long))
#define MPI_LONG_LONG_INT MPI_LONG_LONG
#define MPI_UNSIGNED_LONG_LONG (ROSS_UNSIGNED | (int)sizeof(long long))
#define MPI_INT32_T (ROSS_SIGNED | 4)
#define MPI_UINT32_T (ROSS_UNSIGNED | 4)
#define MPI_INT64_T (ROSS_SIGNED | 8)
#define MPI_UINT64_T (ROSS_UNSIGNED | 8)
#define MPI_FLOAT (ROSS_FLOAT | (int)sizeof(float))
#define MPI_DOUBLE (ROSS_FLOAT | (int)sizeof(double))
#define MPI_LONG_DOUBLE (ROSS_FLOAT | (int)sizeof(long double))

enum { MPI_SUM = 1, MPI_MAX, MPI_MIN, MPI_LAND, MPI_LOR, MPI_PROD, MPI_BAND, MPI_BOR, MPI_LXOR, MPI_BXOR };

enum {
	MPI_MODE_RDONLY = 1,
	MPI_MODE_WRONLY = 2,
	MPI_MODE_RDWR = 4,
	MPI_MODE_CREATE = 8,
	MPI_MODE_EXCL = 16,
	MPI_MODE_APPEND = 32
};

#ifdef __cplusplus
extern "C" {
#endif
/* The state of MPI: 1 after MPI_Init, which tw_init calls as well, 2 after MPI_Finalize. */
extern int ross_mpi_stage;
extern int ross_comm; /* on which the model runs */
void ross_ranks_end(void);

/* Call these in main, in init and final, and in the GVT hook, where all ranks make the same calls, but in no handler of
 * events: they end the program there. Messages that are sent arrive without help of the receiver, so MPI_Send does not
 * wait. What goes wrong ends the program with a message. */
#define MPI_Comm_rank ross_ranks_rank
#define MPI_Comm_size ross_ranks_size
#define MPI_Comm_dup ross_ranks_dup
#define MPI_Comm_split ross_ranks_split
#define MPI_Comm_free ross_ranks_free
#define MPI_Send ross_ranks_send
#define MPI_Recv ross_ranks_receive
#define MPI_Sendrecv ross_ranks_exchange
#define MPI_Isend ross_ranks_start_send
#define MPI_Irecv ross_ranks_start_receive
#define MPI_Wait ross_ranks_wait
#define MPI_Waitall ross_ranks_wait_for_all
#define MPI_Test ross_ranks_test
#define MPI_Testall ross_ranks_test_all
#define MPI_Barrier ross_ranks_barrier
#define MPI_Bcast ross_ranks_bcast
#define MPI_Reduce ross_ranks_reduce
#define MPI_Allreduce ross_ranks_allreduce
#define MPI_Scan ross_ranks_scan
#define MPI_Exscan ross_ranks_exscan
#define MPI_Gather ross_ranks_gather
#define MPI_Gatherv ross_ranks_gatherv
#define MPI_Allgather ross_ranks_allgather
#define MPI_Allgatherv ross_ranks_allgatherv
#define MPI_Alltoall ross_ranks_alltoall
#define MPI_Alltoallv ross_ranks_alltoallv
#define MPI_Op_create ross_ranks_make_op
#define MPI_Op_free ross_ranks_free_op
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *to);
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *to);
int MPI_Comm_free(MPI_Comm *comm);
int MPI_Send(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Recv(void *data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status);
int MPI_Sendrecv(const void *data, int n, MPI_Datatype type, int to, int tag, void *into, int room, MPI_Datatype of, int from,
	int from_tag, MPI_Comm comm, MPI_Status *status);
int MPI_Isend(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Irecv(void *data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Wait(MPI_Request *request, MPI_Status *status);
int MPI_Waitall(int n, MPI_Request *requests, MPI_Status *statuses);
int MPI_Test(MPI_Request *request, int *done, MPI_Status *status);
int MPI_Testall(int n, MPI_Request *requests, int *done, MPI_Status *statuses);
int MPI_Barrier(MPI_Comm comm);
int MPI_Bcast(void *data, int n, MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Reduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm);
int MPI_Allreduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Scan(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Exscan(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Gather(const void *from, int n, MPI_Datatype type, void *to, int each, MPI_Datatype of, int root, MPI_Comm comm);
int MPI_Gatherv(const void *from, int n, MPI_Datatype type, void *to, const int *each, const int *at, MPI_Datatype of, int root,
	MPI_Comm comm);
int MPI_Allgather(const void *from, int n, MPI_Datatype type, void *to, int each, MPI_Datatype of, MPI_Comm comm);
int MPI_Allgatherv(const void *from, int n, MPI_Datatype type, void *to, const int *each, const int *at, MPI_Datatype of,
	MPI_Comm comm);
int MPI_Alltoall(const void *from, int n, MPI_Datatype type, void *to, int each, MPI_Datatype of, MPI_Comm comm);
int MPI_Alltoallv(const void *from, const int *n, const int *from_at, MPI_Datatype type, void *to, const int *each, const int *at,
	MPI_Datatype of, MPI_Comm comm);
int MPI_Op_create(MPI_User_function *f, int commutes, MPI_Op *op);
int MPI_Op_free(MPI_Op *op);
#ifdef __cplusplus
}
#endif

static inline int MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *n)
{
	size_t each = ROSS_BYTES(type);

	*n = each && status->ross_bytes % each == 0 ? (int)(status->ross_bytes / each) : MPI_UNDEFINED;
	return MPI_SUCCESS;
}

static inline int MPI_Init(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	ross_mpi_stage = 1;
	return MPI_SUCCESS;
}

static inline int MPI_Initialized(int *flag)
{
	*flag = ross_mpi_stage > 0;
	return MPI_SUCCESS;
}

static inline int MPI_Finalized(int *flag)
{
	*flag = ross_mpi_stage > 1;
	return MPI_SUCCESS;
}

static inline int MPI_Finalize(void)
{
	ross_mpi_stage = 2;
	ross_ranks_end();
	return MPI_SUCCESS;
}

static inline int MPI_Abort(MPI_Comm comm, int status)
{
	(void)comm;
	fflush(NULL);
	_exit(status ? status : 1);
}

static inline double MPI_Wtime(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int MPI_Error_string(int code, char *text, int *length)
{
	*length = snprintf(text, MPI_MAX_ERROR_STRING, "MPI error %d", code);
	return MPI_SUCCESS;
}

/* The first rank makes the file, and the others open it then. */
static inline int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file)
{
	int flags = mode & MPI_MODE_RDWR ? O_RDWR : mode & MPI_MODE_WRONLY ? O_WRONLY : O_RDONLY;
	int make = (mode & MPI_MODE_CREATE ? O_CREAT : 0) | (mode & MPI_MODE_EXCL ? O_EXCL : 0);
	int rank = 0, size = 1, ok = 1;

	(void)info;
	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	flags |= mode & MPI_MODE_APPEND ? O_APPEND : 0;
	*file = MPI_FILE_NULL;
	if (rank == 0)
		ok = (*file = open(name, flags | make, 0666)) >= 0;
	if (size > 1)
		MPI_Bcast(&ok, 1, MPI_INT, 0, comm);
	if (rank > 0 && ok)
		ok = (*file = open(name, flags, 0666)) >= 0;
	return ok ? MPI_SUCCESS : MPI_ERR_OTHER;
}

static inline int MPI_File_close(MPI_File *file)
{
	int failed = close(*file);

	*file = MPI_FILE_NULL;
	return failed ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static inline int MPI_File_get_size(MPI_File file, MPI_Offset *size)
{
	struct stat is;

	if (fstat(file, &is))
		return MPI_ERR_OTHER;
	*size = is.st_size;
	return MPI_SUCCESS;
}

/* ross_mpi_file reads or writes n values, at an offset or, if that is below 0, where the file is. */
static inline int ross_mpi_file(MPI_File file, MPI_Offset at, char *data, size_t n, int writes, MPI_Status *status)
{
	size_t done = 0;

	while (done < n) {
		ssize_t more;

		if (writes)
			more = at < 0 ? write(file, data + done, n - done) : pwrite(file, data + done, n - done, (off_t)(at + (MPI_Offset)done));
		else
			more = at < 0 ? read(file, data + done, n - done) : pread(file, data + done, n - done, (off_t)(at + (MPI_Offset)done));
		if (more < 0)
			return MPI_ERR_OTHER;
		if (more == 0)
			break;
		done += (size_t)more;
	}
	if (status)
		status->ross_bytes = done;
	return MPI_SUCCESS;
}

/* Types of blocks that lie apart, for writing. Those that MPI_Type_free has not freed have a number of 2^30 or more. */
enum { ROSS_MPI_TYPES = 64, ROSS_MPI_FIRST = 1 << 30 };
typedef struct ross_mpi_type {
	int n, unit; /* blocks; bytes of what their lengths count; 0: not in use */
	int *lengths;
	MPI_Aint *places;
} ross_mpi_type;
static ross_mpi_type ross_mpi_types[ROSS_MPI_TYPES];

static inline int MPI_Type_create_hindexed(int n, const int *lengths, const MPI_Aint *places, MPI_Datatype of, MPI_Datatype *type)
{
	for (int i = 0; i < ROSS_MPI_TYPES; i++) {
		ross_mpi_type *t = &ross_mpi_types[i];

		if (t->unit)
			continue;
		t->lengths = (int *)malloc((size_t)(n + 1) * sizeof *t->lengths);
		t->places = (MPI_Aint *)malloc((size_t)(n + 1) * sizeof *t->places);
		if (!t->lengths || !t->places)
			return MPI_ERR_OTHER;
		memcpy(t->lengths, lengths, (size_t)n * sizeof *lengths);
		memcpy(t->places, places, (size_t)n * sizeof *places);
		t->n = n;
		t->unit = of;
		*type = ROSS_MPI_FIRST + i;
		return MPI_SUCCESS;
	}
	return MPI_ERR_OTHER;
}

static inline int MPI_Type_commit(MPI_Datatype *type)
{
	(void)type;
	return MPI_SUCCESS;
}

static inline int MPI_Type_free(MPI_Datatype *type)
{
	if (*type >= ROSS_MPI_FIRST) {
		ross_mpi_type *t = &ross_mpi_types[*type - ROSS_MPI_FIRST];

		free(t->lengths);
		free(t->places);
		t->unit = 0;
	}
	*type = 0;
	return MPI_SUCCESS;
}

/* ross_mpi_blocks writes one value of such a type. */
static inline int ross_mpi_blocks(MPI_File f, MPI_Offset at, char *data, const ross_mpi_type *t, MPI_Status *status)
{
	size_t done = 0;

	for (int i = 0; i < t->n; i++) {
		size_t bytes = (size_t)t->lengths[i] * ROSS_BYTES(t->unit);

		if (ross_mpi_file(f, at + (MPI_Offset)done, data + t->places[i], bytes, 1, NULL))
			return MPI_ERR_OTHER;
		done += bytes;
	}
	if (status)
		status->ross_bytes = done;
	return MPI_SUCCESS;
}

static inline int MPI_File_read_at(MPI_File f, MPI_Offset at, void *data, int n, MPI_Datatype type, MPI_Status *status)
{
	return ross_mpi_file(f, at, (char *)data, (size_t)n * ROSS_BYTES(type), 0, status);
}

static inline int MPI_File_read_at_all(MPI_File f, MPI_Offset at, void *data, int n, MPI_Datatype type, MPI_Status *status)
{
	return MPI_File_read_at(f, at, data, n, type, status);
}

static inline int MPI_File_read_all(MPI_File f, void *data, int n, MPI_Datatype type, MPI_Status *status)
{
	return MPI_File_read_at(f, -1, data, n, type, status);
}

static inline int MPI_File_write_at(MPI_File f, MPI_Offset at, const void *data, int n, MPI_Datatype type, MPI_Status *status)
{
	if (type >= ROSS_MPI_FIRST)
		return n == 1 ? ross_mpi_blocks(f, at, (char *)data, &ross_mpi_types[type - ROSS_MPI_FIRST], status) : MPI_ERR_OTHER;
	return ross_mpi_file(f, at, (char *)data, (size_t)n * ROSS_BYTES(type), 1, status);
}

static inline int MPI_File_write_at_all(MPI_File f, MPI_Offset at, const void *data, int n, MPI_Datatype type, MPI_Status *status)
{
	return MPI_File_write_at(f, at, data, n, type, status);
}

#endif
