/* Counts in static variables, which are those of one process: right where each has one PE. Each LP adds up with the others
 * in final, so that all nodes have as many LPs. --crash=N: LP 1 crashes at time 3 in way N. States have a part elsewhere,
 * which functions of the model store (RIO), and there are functions for traces and samples of all kinds. With NODES_PART=N
 * in the environment the first N processes run a simulation, and the others one of their own. */
#include <ross.h>

enum { LPS = 12 };

typedef struct state {
	long events;
	long points; /* samples at virtual times */
	long *copy;  /* of events; final frees it */
} state;

typedef struct message {
	long events; /* of the LP that has sent it */
} message;

static long handled, undone; /* by all LPs of this process */
static double sums;
static unsigned int crash, spread, cut, io;

static const tw_optdef options[] = {
	TWOPT_GROUP("nodes"),
	TWOPT_UINT("crash", crash, "1: abort, 2: exit with status 3, 3: tw_error, 4: MPI_Barrier in a handler"),
	TWOPT_UINT("spread", spread, "1: LPs are on the nodes in turn, 2: twice, 3: all on the last node"),
	TWOPT_UINT("io", io, "1: store a checkpoint after the run, 2: load it, 3: neither, but keep events beyond the end"),
	TWOPT_UINT("cut", cut, "1: the ranks call different things"),
	TWOPT_END(),
};

static void send(tw_lp *lp)
{
	double delay = 0.25 + tw_rand_exponential(lp->rng, 1);

	tw_event *e = tw_event_new((tw_lpid)tw_rand_integer(lp->rng, 0, LPS - 1), delay, lp);

	((message *)tw_event_data(e))->events = ((state *)lp->cur_state)->events;
	tw_event_send(e);
}

/* sample and point write as many bytes as init says. */
static void sample(void *sv, tw_lp *lp, char *buffer)
{
	const state *s = sv;

	(void)lp;
	memcpy(buffer, &s->events, sizeof s->events);
	memcpy(buffer + sizeof s->events, s->copy, sizeof *s->copy);
}

static void point(void *sv, tw_bf *bf, tw_lp *lp, void *to)
{
	state *s = sv;
	long *values = to;

	(void)bf;
	values[0] = s->events;
	values[1] = ++s->points;
	values[2] = (long)lp->gid;
}

static void unpoint(void *sv, tw_bf *bf, tw_lp *lp, void *to)
{
	(void)bf;
	(void)lp;
	(void)to;
	((state *)sv)->points--;
}

/* trace leaves out the events of LP 5. */
static void trace(void *msg, tw_lp *lp, char *buffer, int *collect)
{
	*collect = lp->gid != 5;
	memcpy(buffer, &((message *)msg)->events, sizeof(long));
}

static st_model_types samples = { trace, sizeof(long), sample, 0, point, unpoint, 0 };

#ifdef USE_RIO

static size_t stored_size(void *sv, tw_lp *lp)
{
	(void)sv;
	return lp->gid % 2 ? 2 * sizeof(long) : 3 * sizeof(long);
}

static void store(void *sv, void *buffer, tw_lp *lp)
{
	const state *s = sv;
	const long values[] = { s->events, s->points, (long)lp->gid };

	memcpy(buffer, values, stored_size(sv, lp));
}

static void load(void *sv, void *buffer, tw_lp *lp)
{
	state *s = sv;
	long values[3] = { 0, 0, (long)lp->gid };

	memcpy(values, buffer, stored_size(sv, lp));
	if (values[2] != (long)lp->gid)
		tw_error(TW_LOC, "LP %ld gets the state of LP %ld", (long)lp->gid, values[2]);
	s->events = values[0];
	s->points = values[1];
	s->copy = tw_calloc(TW_LOC, "copies", sizeof(long), 1);
	*s->copy = s->events;
	lp->model_types->mstat_sz = 2 * sizeof(long);
	lp->model_types->sample_struct_sz = 3 * sizeof(long);
}

static io_lptype stored[] = { { store, load, stored_size } };

#endif

static void init(void *sv, tw_lp *lp)
{
	((state *)sv)->copy = tw_calloc(TW_LOC, "copies", sizeof(long), 1);
	lp->model_types->mstat_sz = 2 * sizeof(long);
	lp->model_types->sample_struct_sz = 3 * sizeof(long);
	send(lp);
}

static void event(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	(void)bf;
	(void)msg;
	*((state *)sv)->copy = ++((state *)sv)->events;
	handled++;
	if (crash && lp->gid == 1 && tw_now(lp) > 3) {
		if (crash == 1)
			abort();
		if (crash == 2)
			_exit(3);
		if (crash == 3)
			tw_error(TW_LOC, "LP 1 gives up");
		MPI_Barrier(MPI_COMM_WORLD);
	}
	send(lp);
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	(void)bf;
	(void)msg;
	tw_rand_reverse_unif(lp->rng);
	tw_rand_reverse_unif(lp->rng);
	*((state *)sv)->copy = --((state *)sv)->events;
	undone++;
}

static void final(void *sv, tw_lp *lp)
{
	double own = (double)((state *)sv)->events, all = own;

	(void)lp;
	free(((state *)sv)->copy);
	((state *)sv)->copy = NULL;
	if (spread != 3)
		MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_ROSS);
	sums += all;
}

static tw_lptype types[] = { { init, NULL, event, reverse, NULL, final, NULL, sizeof(state) } };

/* map is one of the model's own: node n has LPs n, n + the number of nodes, ..., the last ones first. */
static void map(void)
{
	tw_lpid own = spread == 2 ? 0 : g_tw_mynode, nodes = spread == 3 ? 1 : tw_nnodes();

	tw_kp_onpe(0, g_tw_pe);
	for (tw_lpid i = 0; i < g_tw_nlp; i++) {
		tw_lp_onpe(i, g_tw_pe, (spread == 3 ? 0 : own) + (g_tw_nlp - 1 - i) * nodes);
		tw_lp_onkp(tw_getlp(i), tw_getkp(0));
	}
}

int main(int argc, char **argv)
{
	tw_lptype *type = malloc(sizeof *type); /* not a static variable */
	const char *part = getenv("NODES_PART");
	tw_lpid n;
	double before = 0;
	long count, total;

	MPI_Init(&argc, &argv);
	part = part && *part ? part : NULL;
	if (part) {
		MPI_Comm mine;
		int rank;

		MPI_Comm_rank(MPI_COMM_WORLD, &rank);
		MPI_Comm_split(MPI_COMM_WORLD, rank >= atoi(part), rank, &mine);
		tw_comm_set(mine);
	}
	tw_opt_add(options);
	g_tw_ts_end = 20;
	g_tw_nkp = 1;
	tw_init(&argc, &argv);
	if (cut && tw_ismaster())
		MPI_Barrier(MPI_COMM_WORLD);
	else if (cut)
		MPI_Reduce(&before, &before, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	g_tw_lookahead = 0.25;
	n = LPS / tw_nnodes();
	if (spread) {
		g_tw_mapping = CUSTOM;
		g_tw_custom_initial_mapping = map;
		if (spread == 3)
			n = g_tw_mynode + 1 == tw_nnodes() ? LPS : 0;
	}
	tw_define_lps(n, sizeof(message));
	*type = types[0];
	for (tw_lpid i = 0; i < g_tw_nlp; i++) {
		tw_lp_settype(i, spread == 1 ? type : &types[0]);
		st_model_settype(i, &samples);
	}
	for (tw_lpid i = 0; i < LPS; i++)
		if (tw_getlocal_lp(i) && tw_getlocal_lp(i)->gid != i)
			tw_error(TW_LOC, "LP %d has id %d", (int)i, (int)tw_getlocal_lp(i)->gid);
#ifdef USE_RIO
	g_io_lp_types = stored;
	if (io)
		io_init();
	if (io == 2)
		io_load_checkpoint("kept", INIT);
#endif
	tw_run();
#ifdef USE_RIO
	if (io == 1)
		io_store_checkpoint("kept", 0);
#endif
	count = handled - undone;
	MPI_Reduce(&count, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_ROSS);
	if (tw_ismaster())
		printf("nodes %d, events %ld, by states %.0f\n", (int)tw_nnodes(), total, sums);
	tw_end();
	if (part)
		MPI_Finalize(); /* otherwise tw_end has ended MPI */
	return 0;
}
