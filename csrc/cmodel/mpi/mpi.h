/* MPI for programs of one process: what models of ROSS call of it, and no library to link. Collective operations copy,
 * and files are those of the C library. A program that is linked with MPI includes that one's header instead. */
#ifndef ROSS_ONE_PROCESS_MPI_H
#define ROSS_ONE_PROCESS_MPI_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef int MPI_Comm;
typedef int MPI_Datatype; /* the number of bytes */
typedef int MPI_Op;
typedef int MPI_Info;
typedef long MPI_Aint;
typedef long long MPI_Offset;
typedef int MPI_File; /* a file descriptor */
typedef struct MPI_Status {
	int MPI_SOURCE, MPI_TAG, MPI_ERROR;
	size_t ross_bytes;
} MPI_Status;

#define MPI_SUCCESS 0
#define MPI_ERR_OTHER 15
#define MPI_MAX_ERROR_STRING 256
#define MPI_COMM_NULL 0
#define MPI_COMM_WORLD 1
#define MPI_COMM_SELF 2
#define MPI_COMM_ROSS MPI_COMM_WORLD
#define MPI_INFO_NULL 0
#define MPI_FILE_NULL (-1)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_IN_PLACE ((void *)-1)

#define MPI_CHAR ((int)sizeof(char))
#define MPI_BYTE 1
#define MPI_C_BOOL 1
#define MPI_INT ((int)sizeof(int))
#define MPI_UNSIGNED ((int)sizeof(int))
#define MPI_LONG ((int)sizeof(long))
#define MPI_UNSIGNED_LONG ((int)sizeof(long))
#define MPI_LONG_LONG ((int)sizeof(long long))
#define MPI_LONG_LONG_INT MPI_LONG_LONG
#define MPI_UNSIGNED_LONG_LONG ((int)sizeof(long long))
#define MPI_UINT64_T 8
#define MPI_FLOAT ((int)sizeof(float))
#define MPI_DOUBLE ((int)sizeof(double))
#define MPI_LONG_DOUBLE ((int)sizeof(long double))

enum { MPI_SUM = 1, MPI_MAX, MPI_MIN, MPI_LAND, MPI_LOR, MPI_PROD, MPI_BAND, MPI_BOR };

enum {
	MPI_MODE_RDONLY = 1,
	MPI_MODE_WRONLY = 2,
	MPI_MODE_RDWR = 4,
	MPI_MODE_CREATE = 8,
	MPI_MODE_EXCL = 16,
	MPI_MODE_APPEND = 32
};

/* The state of MPI: 1 after MPI_Init, which tw_init calls as well, 2 after MPI_Finalize. The library has it. */
#ifdef __cplusplus
extern "C" {
#endif
extern int ross_mpi_stage;
#ifdef __cplusplus
}
#endif

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

static inline int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
	(void)comm;
	*rank = 0;
	return MPI_SUCCESS;
}

static inline int MPI_Comm_size(MPI_Comm comm, int *size)
{
	(void)comm;
	*size = 1;
	return MPI_SUCCESS;
}

static inline int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *to)
{
	(void)color;
	(void)key;
	*to = comm;
	return MPI_SUCCESS;
}

static inline int MPI_Comm_free(MPI_Comm *comm)
{
	*comm = MPI_COMM_NULL;
	return MPI_SUCCESS;
}

static inline int MPI_Barrier(MPI_Comm comm)
{
	(void)comm;
	return MPI_SUCCESS;
}

static inline int MPI_Bcast(void *data, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
	(void)data;
	(void)n;
	(void)type;
	(void)root;
	(void)comm;
	return MPI_SUCCESS;
}

static inline int MPI_Allreduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
	(void)op;
	(void)comm;
	if (from != MPI_IN_PLACE && from != to)
		memmove(to, from, (size_t)n * (size_t)type);
	return MPI_SUCCESS;
}

static inline int MPI_Reduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
{
	(void)root;
	return MPI_Allreduce(from, to, n, type, op, comm);
}

static inline int MPI_Scan(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
	return MPI_Allreduce(from, to, n, type, op, comm);
}

/* Nobody sends messages in a run of one process. */
static inline int MPI_Send(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
	(void)data;
	(void)n;
	(void)type;
	(void)tag;
	(void)comm;
	fprintf(stderr, "ross: MPI_Send to rank %d: a program of one process has no other ranks\n", to);
	return MPI_Abort(comm, 1);
}

static inline int MPI_Recv(void *data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
	(void)data;
	(void)n;
	(void)type;
	(void)tag;
	(void)status;
	fprintf(stderr, "ross: MPI_Recv from rank %d: a program of one process has no other ranks\n", from);
	return MPI_Abort(comm, 1);
}

static inline int MPI_Error_string(int code, char *text, int *length)
{
	*length = snprintf(text, MPI_MAX_ERROR_STRING, "MPI error %d", code);
	return MPI_SUCCESS;
}

static inline int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file)
{
	int flags = mode & MPI_MODE_RDWR ? O_RDWR : mode & MPI_MODE_WRONLY ? O_WRONLY : O_RDONLY;

	(void)comm;
	(void)info;
	flags |= (mode & MPI_MODE_CREATE ? O_CREAT : 0) | (mode & MPI_MODE_EXCL ? O_EXCL : 0) | (mode & MPI_MODE_APPEND ? O_APPEND : 0);
	*file = open(name, flags, 0666);
	return *file < 0 ? MPI_ERR_OTHER : MPI_SUCCESS;
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
		size_t bytes = (size_t)t->lengths[i] * (size_t)t->unit;

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
	return ross_mpi_file(f, at, (char *)data, (size_t)n * (size_t)type, 0, status);
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
	return ross_mpi_file(f, at, (char *)data, (size_t)n * (size_t)type, 1, status);
}

static inline int MPI_File_write_at_all(MPI_File f, MPI_Offset at, const void *data, int n, MPI_Datatype type, MPI_Status *status)
{
	return MPI_File_write_at(f, at, data, n, type, status);
}

#endif
