/* What models call of MPI, in a program of one process. It prints what is wrong, and nothing else. --abort and --send=1 end
 * the program. */
#include <ross.h>

static unsigned int ends, sends;
static const tw_optdef options[] = {
	TWOPT_GROUP("mpi"),
	TWOPT_UINT("abort", ends, "status to end with"),
	TWOPT_UINT("send", sends, "1: MPI_Send, 2: MPI_Recv, 3: MPI_Wait, 4: a type for files, 5: an operation that was freed"),
	TWOPT_END(),
};

#define IS(what) ((what) ? (void)0 : (void)printf("line %d: %s\n", __LINE__, #what))

static void check_collectives(void)
{
	MPI_Comm part;
	int rank = 1, size = 0, n = 3;
	long a[2] = { 5, 7 }, b[2] = { 0, 0 };
	long long much = 1LL << 40, most = 0;
	unsigned long u = 9, v = 0;
	double x = 2.5, y = 0, before = MPI_Wtime();
	long double far = 3, near = 0;
	char yes = 1, all = 0;

	IS(MPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS && rank == 0);
	IS(MPI_Comm_size(MPI_COMM_ROSS, &size) == MPI_SUCCESS && size == 1);
	IS(MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &part) == MPI_SUCCESS);
	IS(MPI_Comm_size(part, &size) == MPI_SUCCESS && size == 1);
	IS(MPI_Comm_size(MPI_COMM_SELF, &size) == MPI_SUCCESS && size == 1);
	IS(MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS);
	IS(MPI_Reduce(a, b, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD) == MPI_SUCCESS && b[0] == 5 && b[1] == 7);
	IS(MPI_Reduce(&much, &most, 1, MPI_LONG_LONG, MPI_MAX, 0, MPI_COMM_WORLD) == MPI_SUCCESS && most == much);
	IS(MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD) == MPI_SUCCESS && y == 2.5);
	IS(MPI_Allreduce(&yes, &all, 1, MPI_C_BOOL, MPI_LAND, MPI_COMM_WORLD) == MPI_SUCCESS && all == 1);
	IS(MPI_Allreduce(&far, &near, 1, MPI_LONG_DOUBLE, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS && near == 3);
	IS(MPI_Scan(&u, &v, 1, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS && v == 9);
	IS(sizeof(unsigned long long) == ROSS_BYTES(MPI_UNSIGNED_LONG_LONG));
	IS(MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD) == MPI_SUCCESS && n == 3);
	IS(MPI_Wtime() >= before);
}

static void check_files(void)
{
	MPI_File f = MPI_FILE_NULL;
	MPI_Offset size = 0;
	MPI_Status status;
	MPI_Datatype type = MPI_BYTE;
	char text[MPI_MAX_ERROR_STRING], from[] = "abcdefgh", to[8] = "";
	int length = 0, lengths[2] = { 2, 3 };
	MPI_Aint places[2] = { 4, 0 };

	IS(MPI_File_open(MPI_COMM_WORLD, "none", MPI_MODE_RDONLY, MPI_INFO_NULL, &f) != MPI_SUCCESS);
	IS(MPI_Error_string(15, text, &length) == MPI_SUCCESS && length > 0);
	IS(MPI_File_open(MPI_COMM_WORLD, "file", MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY, MPI_INFO_NULL, &f) == MPI_SUCCESS);
	IS(MPI_File_write_at(f, 2, from, 6, MPI_CHAR, &status) == MPI_SUCCESS);
	IS(MPI_File_write_at_all(f, 0, "AB", 2, MPI_BYTE, &status) == MPI_SUCCESS);
	IS(MPI_File_close(&f) == MPI_SUCCESS && f == MPI_FILE_NULL);
	IS(MPI_File_open(MPI_COMM_WORLD, "file", MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY, MPI_INFO_NULL, &f) != MPI_SUCCESS);
	IS(MPI_File_open(MPI_COMM_SELF, "file", MPI_MODE_RDWR, MPI_INFO_NULL, &f) == MPI_SUCCESS);
	IS(MPI_File_get_size(f, &size) == MPI_SUCCESS && size == 8);
	IS(MPI_File_read_all(f, to, 8, MPI_BYTE, &status) == MPI_SUCCESS && !memcmp(to, "ABabcdef", 8));
	IS(MPI_File_read_at(f, 3, to, 2, MPI_BYTE, &status) == MPI_SUCCESS && !memcmp(to, "bc", 2));
	IS(MPI_File_read_at_all(f, 6, to, 2, MPI_BYTE, &status) == MPI_SUCCESS && !memcmp(to, "ef", 2));
	IS(MPI_Type_create_hindexed(2, lengths, places, MPI_BYTE, &type) == MPI_SUCCESS && MPI_Type_commit(&type) == MPI_SUCCESS);
	IS(MPI_File_write_at(f, 0, from, 1, type, &status) == MPI_SUCCESS && MPI_Type_free(&type) == MPI_SUCCESS);
	IS(MPI_File_read_at(f, 0, to, 8, MPI_BYTE, &status) == MPI_SUCCESS && !memcmp(to, "efabcdef", 8));
	MPI_File_close(&f);
}

static void nothing(void *in, void *inout, int *n, MPI_Datatype *type)
{
	(void)in;
	(void)inout;
	(void)n;
	(void)type;
}

int main(int argc, char **argv)
{
	int is = 1;
	MPI_Request request;
	MPI_Datatype type;
	MPI_Aint place = 0;

	IS(MPI_Initialized(&is) == MPI_SUCCESS && !is);
	MPI_Init(&argc, &argv);
	IS(MPI_Initialized(&is) == MPI_SUCCESS && is);
	tw_comm_set(MPI_COMM_WORLD);
	tw_opt_add(options);
	tw_init(&argc, &argv);
	check_collectives();
	check_files();
	if (ends)
		MPI_Abort(MPI_COMM_WORLD, (int)ends);
	if (sends == 1)
		MPI_Send(&is, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
	if (sends == 2)
		MPI_Recv(&is, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, NULL);
	if (sends == 3) {
		MPI_Irecv(&is, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
		MPI_Test(&request, &is, MPI_STATUS_IGNORE);
		IS(!is);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	if (sends == 4) {
		MPI_Type_create_hindexed(0, &is, &place, MPI_BYTE, &type);
		MPI_Send(&is, 1, type, 0, 0, MPI_COMM_WORLD);
	}
	if (sends == 5) {
		MPI_Op op, copy;

		MPI_Op_create(nothing, 1, &op);
		copy = op;
		MPI_Op_free(&op);
		MPI_Allreduce(MPI_IN_PLACE, &is, 1, MPI_INT, copy, MPI_COMM_WORLD);
	}
	IS(MPI_Finalized(&is) == MPI_SUCCESS && !is);
	MPI_Finalize();
	IS(MPI_Finalized(&is) == MPI_SUCCESS && is);
	return 0;
}
