/* What models call of MPI, on several ranks, compared with loops over what all ranks have. It prints what is wrong. */
#include <ross.h>

enum { MOST = 8, LONG = 30000 };
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

/* All ranks send to all, in one order, and receive in another one: some receives are posted before anything is sent. */
static void check_requests(MPI_Comm comm, const int *ranks, int size, int own)
{
	enum { EACH = 6 };
	long *in[MOST][EACH], *out[MOST][EACH];
	MPI_Request requests[2 * MOST * EACH], none = MPI_REQUEST_NULL;
	MPI_Status status;
	int at = 0, done = 0, n_all = size * EACH; /* at most 48, which 7 does not divide */

	for (int k = 0; k < n_all; k++) {
		int i = (k * 7 + 3) % n_all, from = i % size, tag = i / size, room = tag == 2 ? LONG : tag + 2;

		in[from][tag] = calloc((size_t)room, sizeof(long));
		if (k % 2)
			MPI_Irecv(in[from][tag], room, MPI_LONG, from, tag, comm, &requests[at++]);
	}
	for (int tag = EACH - 1; tag >= 0; tag--)
		for (int to = 0; to < size; to++) {
			int much = tag == 2 ? LONG : tag;

			out[to][tag] = calloc((size_t)much + 1, sizeof(long));
			for (int j = 0; j < much; j++)
				out[to][tag][j] = number(ranks[own], j + to + tag);
			MPI_Isend(out[to][tag], much, MPI_LONG, to, tag, comm, &requests[at++]);
		}
	for (int k = 0; k < n_all; k += 2) {
		int i = (k * 7 + 3) % n_all, from = i % size, tag = i / size, got = 0;

		if (k % 4) {
			MPI_Recv(in[from][tag], tag == 2 ? LONG : tag + 2, MPI_LONG, from, tag, comm, &status);
		} else {
			MPI_Request r;

			MPI_Irecv(in[from][tag], tag == 2 ? LONG : tag + 2, MPI_LONG, from, tag, comm, &r);
			for (done = 0; !done;)
				MPI_Test(&r, &done, &status);
			IS(r == MPI_REQUEST_NULL);
		}
		MPI_Get_count(&status, MPI_LONG, &got);
		IS(status.MPI_SOURCE == from && status.MPI_TAG == tag && got == (tag == 2 ? LONG : tag));
	}
	requests[at++] = none;
	if (own % 2)
		for (done = 0; !done;)
			MPI_Testall(at, requests, &done, MPI_STATUSES_IGNORE);
	else
		MPI_Waitall(at, requests, MPI_STATUSES_IGNORE);
	for (int from = 0; from < size; from++)
		for (int tag = 0; tag < EACH; tag++) {
			int much = tag == 2 ? LONG : tag, right = 0;

			for (int j = 0; j < much; j++)
				right += in[from][tag][j] == number(ranks[from], j + own + tag);
			IS(right == much);
			free(in[from][tag]);
			free(out[from][tag]);
		}
	for (int i = 0; i < at; i++)
		IS(requests[i] == MPI_REQUEST_NULL);
	MPI_Test(&none, &done, &status);
	IS(done);
}

/* Receives from anybody, and of several that want a message the first one has it. A long message to a rank that does not
 * receive it yet, since it waits in tw_define_lps for the others, holds up no other one. */
static void check_any(void)
{
	long x = number(me, 1), *much = calloc(LONG, sizeof *much), two[2] = { 0, 0 };
	int seen[MOST] = { 0 };
	MPI_Request requests[MOST], pair[2];
	MPI_Status status;

	for (int to = 0; to < n; to++)
		if (to != me)
			MPI_Isend(&x, 1, MPI_LONG, to, 9, MPI_COMM_WORLD, &requests[to]);
		else
			requests[to] = MPI_REQUEST_NULL;
	for (int i = 1; i < n; i++) {
		MPI_Recv(&two[0], 1, MPI_LONG, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &status);
		IS(two[0] == number(status.MPI_SOURCE, 1) && !seen[status.MPI_SOURCE]++ && status.MPI_SOURCE != me);
	}
	MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
	for (int i = 0; i < 2; i++)
		MPI_Irecv(&two[i], 1, MPI_LONG, me, 4, MPI_COMM_WORLD, &pair[i]);
	for (x = 1; x <= 2; x++)
		MPI_Send(&x, 1, MPI_LONG, me, 4, MPI_COMM_WORLD);
	MPI_Wait(&pair[1], MPI_STATUS_IGNORE);
	MPI_Wait(&pair[0], MPI_STATUS_IGNORE);
	IS(two[0] == 1 && two[1] == 2);
	if (n > 2 && me == 0) {
		for (int i = 0; i < LONG; i++)
			much[i] = number(0, i);
		MPI_Isend(much, LONG, MPI_LONG, 1, 6, MPI_COMM_WORLD, &requests[0]);
		MPI_Isend(&x, 1, MPI_LONG, 2, 6, MPI_COMM_WORLD, &requests[1]);
		tw_define_lps(1, sizeof x);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	} else if (n > 2 && me == 2) {
		MPI_Recv(&x, 1, MPI_LONG, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(&x, 1, MPI_LONG, 1, 7, MPI_COMM_WORLD);
		tw_define_lps(1, sizeof x);
	} else if (n > 2 && me == 1) {
		tw_define_lps(1, sizeof x);
		MPI_Recv(&x, 1, MPI_LONG, 2, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(much, LONG, MPI_LONG, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		IS(much[LONG - 1] == number(0, LONG - 1));
	} else {
		tw_define_lps(1, sizeof x);
	}
	IS(g_tw_total_lps == (tw_lpid)n);
	MPI_Recv(&x, 1, MPI_LONG, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	free(much);
}

static void check_all_to_all(MPI_Comm comm, const int *ranks, int size, int own)
{
	long in[MOST * MOST * 2], out[MOST * MOST * 2];
	int n_in[MOST], n_out[MOST], at_in[MOST], at_out[MOST], places[2] = { 0, 0 };

	for (int r = 0; r < size; r++)
		for (int i = 0; i < 2; i++)
			out[2 * r + i] = number(ranks[own], 10 * r + i);
	MPI_Alltoall(out, 2, MPI_LONG, in, 2, MPI_LONG, comm);
	for (int again = 0; again < 2; again++) {
		for (int r = 0; r < size; r++)
			for (int i = 0; i < 2; i++)
				IS(in[2 * r + i] == number(ranks[r], 10 * own + i));
		memcpy(in, out, sizeof in);
		MPI_Alltoall(MPI_IN_PLACE, 2, MPI_LONG, in, 2, MPI_LONG, comm);
	}
	for (int r = 0; r < size; r++) { /* rank a sends b numbers to rank b, and has a gap behind them; b has two */
		n_out[r] = r;
		n_in[r] = own;
		at_out[r] = places[0];
		at_in[r] = places[1];
		places[0] += r + 1;
		places[1] += own + 2;
		for (int i = 0; i < r; i++)
			out[at_out[r] + i] = number(ranks[own], 10 * r + i);
	}
	memset(in, 0, sizeof in);
	MPI_Alltoallv(out, n_out, at_out, MPI_LONG, in, n_in, at_in, MPI_LONG, comm);
	for (int r = 0; r < size; r++)
		for (int i = 0; i < own + 2; i++)
			IS(in[at_in[r] + i] == (i < own ? number(ranks[r], 10 * own + i) : 0));
}

/* after combines functions x -> a * x + b. There are n / 2 of them, and the order matters. */
static void after(void *in, void *inout, int *of, MPI_Datatype *type)
{
	const long *first = in;
	long *then = inout;

	IS(*type == MPI_LONG);
	for (int i = 0; i + 1 < *of; i += 2) {
		then[i + 1] += then[i] * first[i + 1];
		then[i] *= first[i];
	}
}

static void check_own_operations(MPI_Comm comm, const int *ranks, int size, int own)
{
	long mine[4], all[4] = { 1, 0, 1, 0 }, out[4], sum[4];
	MPI_Op op;

	MPI_Op_create(after, 0, &op);
	for (int r = 0; r < size; r++) {
		long next[4], before[4];

		for (int i = 0; i < 4; i++) {
			next[i] = number(ranks[r], i) % 7;
			if (r == own)
				mine[i] = next[i];
			before[i] = all[i];
		}
		for (int i = 0; i < 4; i += 2) {
			all[i] = next[i] * before[i];
			all[i + 1] = next[i] * before[i + 1] + next[i + 1];
		}
		if (r == own)
			memcpy(sum, all, sizeof sum);
	}
	MPI_Allreduce(mine, out, 4, MPI_LONG, op, comm);
	IS(!memcmp(out, all, sizeof out));
	memset(out, 0, sizeof out);
	MPI_Reduce(mine, out, 4, MPI_LONG, op, size - 1, comm);
	IS(own != size - 1 || !memcmp(out, all, sizeof out));
	MPI_Scan(mine, out, 4, MPI_LONG, op, comm);
	IS(!memcmp(out, sum, sizeof out));
	MPI_Op_free(&op);
	IS(op == MPI_OP_NULL);
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
	check_requests(MPI_COMM_WORLD, all, n, me);
	check_any();
	check_all_to_all(MPI_COMM_WORLD, all, n, me);
	check_own_operations(MPI_COMM_WORLD, all, n, me);
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
	check_requests(half, part, size, own);
	check_all_to_all(half, part, size, own);
	check_own_operations(half, part, size, own);
	MPI_Comm_split(MPI_COMM_WORLD, me == 0 ? 0 : MPI_UNDEFINED, 0, &none);
	IS((none == MPI_COMM_NULL) == (me > 0));
	MPI_Comm_free(&half);
	MPI_Barrier(MPI_COMM_WORLD);
	if (me == 0)
		printf("ranks %d\n", n);
	MPI_Finalize();
	return 0;
}
