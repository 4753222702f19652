/* What models call of MPI, on several ranks, compared with loops over what all ranks have. It prints what is wrong. */
#include <ross.h>

enum { MOST = 8, LONG = 100000 };
#define IS(what) ((what) ? (void)0 : (void)printf("line %d: %s\n", __LINE__, #what))

static int me, n;

/* number is what a rank gives, so that each rank knows what all others have. */
static long number(int rank, int i) { return (rank * 7919L + i * 104729L) % 1000 - 300; }

static void check_reductions(MPI_Comm comm, const int *ranks, int size, int own)
{
	long in[3], out[3], want[3][4], first[3];
	unsigned char bits = (unsigned char)(1 << own), all = 0;
	float f = (float)own, most = -1;
	int any = own == 1, some = 0;

	for (int i = 0; i < 3; i++) {
		in[i] = number(ranks[own], i);
		for (int op = 0; op < 4; op++) {
			want[i][op] = number(ranks[0], i);
			for (int r = 1; r < size; r++) {
				long x = number(ranks[r], i), *w = &want[i][op];

				*w = op == 0 ? *w + x : op == 1 ? (x > *w ? x : *w) : op == 2 ? (x < *w ? x : *w) : *w * x;
			}
		}
	}
	for (int op = 0; op < 4; op++) {
		const MPI_Op ops[] = { MPI_SUM, MPI_MAX, MPI_MIN, MPI_PROD };
		int root = op % size;

		memset(out, 0, sizeof out);
		MPI_Reduce(in, out, 3, MPI_LONG, ops[op], root, comm);
		for (int i = 0; i < 3; i++)
			IS(out[i] == (own == root ? want[i][op] : 0));
		memcpy(out, in, sizeof out);
		MPI_Allreduce(MPI_IN_PLACE, out, 3, MPI_LONG, ops[op], comm);
		for (int i = 0; i < 3; i++)
			IS(out[i] == want[i][op]);
	}
	MPI_Allreduce(&bits, &all, 1, MPI_BYTE, MPI_BOR, comm);
	IS(all == (1 << size) - 1);
	MPI_Allreduce(&f, &most, 1, MPI_FLOAT, MPI_MAX, comm);
	IS(most == (float)(size - 1));
	MPI_Allreduce(&any, &some, 1, MPI_INT, MPI_LOR, comm);
	IS(some == (size > 1));
	MPI_Scan(in, out, 3, MPI_LONG, MPI_SUM, comm);
	memset(first, 0, sizeof first);
	MPI_Exscan(in, first, 3, MPI_LONG, MPI_SUM, comm);
	for (int i = 0; i < 3; i++) {
		long sum = 0;

		for (int r = 0; r <= own; r++) {
			if (r == own)
				IS(first[i] == sum);
			sum += number(ranks[r], i);
		}
		IS(out[i] == sum);
	}
}

static void check_gathers(MPI_Comm comm, const int *ranks, int size, int own)
{
	long in[MOST] = { 0 }, out[MOST * MOST], root = size - 1;
	int each[MOST], at[MOST], places = 0;

	for (int r = 0; r < size; r++) { /* rank r gives r + 1 numbers, with a gap behind them */
		each[r] = r + 1;
		at[r] = places;
		places += r + 2;
	}
	for (int i = 0; i <= own; i++)
		in[i] = number(ranks[own], i);
	memset(out, 0, sizeof out);
	MPI_Gather(in, 1, MPI_LONG, out, 1, MPI_LONG, (int)root, comm);
	for (int r = 0; r < size; r++)
		IS(out[r] == (own == root ? number(ranks[r], 0) : 0));
	memset(out, 0, sizeof out);
	out[own] = in[0];
	MPI_Allgather(MPI_IN_PLACE, 1, MPI_LONG, out, 1, MPI_LONG, comm);
	for (int r = 0; r < size; r++)
		IS(out[r] == number(ranks[r], 0));
	for (int everywhere = 0; everywhere < 2; everywhere++) {
		memset(out, 0, sizeof out);
		if (everywhere)
			MPI_Allgatherv(in, own + 1, MPI_LONG, out, each, at, MPI_LONG, comm);
		else
			MPI_Gatherv(in, own + 1, MPI_LONG, out, each, at, MPI_LONG, 0, comm);
		for (int r = 0; r < size; r++)
			for (int i = 0; i < r + 2; i++)
				IS(out[at[r] + i] == (i <= r && (everywhere || own == 0) ? number(ranks[r], i) : 0));
	}
}

/* Long messages in a ring, all at a time, and short ones that are received in another order than sent. */
static void check_messages(void)
{
	long *out = malloc(LONG * sizeof *out), *in = malloc(LONG * sizeof *in), x;
	int next = (me + 1) % n, last = (me + n - 1) % n;
	MPI_Status status;

	for (int i = 0; i < LONG; i++)
		out[i] = number(me, i);
	MPI_Sendrecv(out, LONG, MPI_LONG, next, 5, in, LONG, MPI_LONG, last, 5, MPI_COMM_WORLD, &status);
	IS(status.MPI_SOURCE == last && status.MPI_TAG == 5);
	for (int i = 0; i < LONG; i++)
		IS(in[i] == number(last, i));
	for (int tag = 0; tag < 4; tag++) {
		x = number(me, tag);
		MPI_Send(&x, 1, MPI_LONG, next, tag, MPI_COMM_WORLD);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	for (int tag = 3; tag > 0; tag--) {
		MPI_Recv(&x, 1, MPI_LONG, last, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		IS(x == number(last, tag));
	}
	MPI_Recv(&x, 1, MPI_LONG, last, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
	IS(x == number(last, 0) && status.MPI_TAG == 0);
	memset(in, 0, LONG * sizeof *in);
	if (me == n - 1)
		memcpy(in, out, LONG * sizeof *in);
	MPI_Bcast(in, LONG, MPI_LONG, n - 1, MPI_COMM_WORLD);
	for (int i = 0; i < LONG; i++)
		IS(in[i] == number(n - 1, i));
	free(out);
	free(in);
}

static void check_files(void)
{
	MPI_File f;
	char own = (char)('a' + me), all[MOST + 1] = "";
	MPI_Status status;

	IS(MPI_File_open(MPI_COMM_WORLD, "letters", MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR, MPI_INFO_NULL, &f) == MPI_SUCCESS);
	IS(MPI_File_write_at_all(f, me, &own, 1, MPI_CHAR, &status) == MPI_SUCCESS);
	MPI_Barrier(MPI_COMM_WORLD);
	IS(MPI_File_read_at_all(f, 0, all, n, MPI_CHAR, &status) == MPI_SUCCESS && !strncmp(all, "abcdefgh", (size_t)n));
	MPI_File_close(&f);
}

int main(int argc, char **argv)
{
	int all[MOST], part[MOST], size, own;
	MPI_Comm other, half, none;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	for (int i = 0; i < n; i++)
		all[i] = i;
	check_reductions(MPI_COMM_WORLD, all, n, me); /* before tw_init as well */
	MPI_Comm_dup(MPI_COMM_WORLD, &other);
	tw_comm_set(other);
	tw_init(&argc, &argv);
	IS((int)g_tw_mynode == me && (int)tw_nnodes() == n && tw_ismaster() == (me == 0));
	check_reductions(MPI_COMM_ROSS, all, n, me);
	check_gathers(MPI_COMM_WORLD, all, n, me);
	check_messages();
	check_files();
	MPI_Comm_split(other, me % 2, -me, &half); /* the last ones first */
	size = 0;
	for (int i = n - 1; i >= 0; i--)
		if (i % 2 == me % 2) {
			if (i == me)
				own = size;
			part[size++] = i;
		}
	MPI_Comm_rank(half, &own);
	IS(part[own] == me);
	MPI_Comm_size(half, &own);
	IS(own == size);
	MPI_Comm_rank(half, &own);
	check_reductions(half, part, size, own);
	check_gathers(half, part, size, own);
	MPI_Comm_split(MPI_COMM_WORLD, me == 0 ? 0 : MPI_UNDEFINED, 0, &none);
	IS((none == MPI_COMM_NULL) == (me > 0));
	MPI_Comm_free(&half);
	MPI_Barrier(MPI_COMM_WORLD);
	if (me == 0)
		printf("ranks %d\n", n);
	MPI_Finalize();
	return 0;
}
