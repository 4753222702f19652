/* PHOLD that stores its state in the end, or continues from there: as ROSS's model of this name. */
#include <ross.h>

typedef struct state {
	long dummy;
} state;

typedef struct message {
	long unused;
} message;

static double remote = 0.25, mean = 1, mult = 4, lookahead = 1;
static unsigned int nlp = 8, start_events = 1, stagger, memory = 100, io_store, mode = INIT, appends;
static char run[1024] = "undefined", name[1024] = "pholdio_checkpoint";

static const tw_optdef options[] = {
	TWOPT_GROUP("PHOLDIO"),
	TWOPT_DOUBLE("remote", remote, "share of events for random LPs"),
	TWOPT_UINT("nlp", nlp, "number of LPs"),
	TWOPT_DOUBLE("mean", mean, "mean delay"),
	TWOPT_DOUBLE("mult", mult, "without effect"),
	TWOPT_DOUBLE("lookahead", lookahead, "least delay, at most 1"),
	TWOPT_UINT("start-events", start_events, "events that each LP begins with"),
	TWOPT_UINT("stagger", stagger, "spread the first events over the run"),
	TWOPT_UINT("memory", memory, "without effect"),
	TWOPT_CHAR("run", run, "name of the run"),
	TWOPT_UINT("io-store", io_store, "0: load the checkpoint, 1: store it after the run, 2: neither"),
	TWOPT_UINT("mode", mode, "1: PRE_INIT, 2: INIT, 3: POST_INIT"),
	TWOPT_UINT("appends", appends, "1: add to the checkpoint"),
	TWOPT_CHAR("name", name, "of the checkpoint"),
	TWOPT_END(),
};

static void pholdio_init(void *sv, tw_lp *lp)
{
	(void)sv;
	for (unsigned int i = 0; i < start_events; i++) {
		double delay = tw_rand_exponential(lp->rng, mean) + lookahead;

		tw_event_send(tw_event_new(lp->gid, stagger ? delay + (double)(lp->gid % (unsigned int)g_tw_ts_end) : delay, lp));
	}
}

static void pholdio_event(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	tw_lpid to = lp->gid;

	(void)sv;
	(void)msg;
	if (tw_rand_unif(lp->rng) <= remote) {
		bf->c1 = 1;
		to = (tw_lpid)tw_rand_integer(lp->rng, 0, (long)g_tw_total_lps - 1);
	}
	tw_event_send(tw_event_new(to, tw_rand_exponential(lp->rng, mean) + lookahead, lp));
}

static void pholdio_reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	(void)sv;
	(void)msg;
	tw_rand_reverse_unif(lp->rng);
	tw_rand_reverse_unif(lp->rng);
	if (bf->c1)
		tw_rand_reverse_unif(lp->rng);
}

static size_t size(void *sv, tw_lp *lp)
{
	(void)sv;
	(void)lp;
	return sizeof(long);
}

static void serialize(void *sv, void *buffer, tw_lp *lp)
{
	long dummy = (long)lp->gid + 100 * (long)g_tw_mynode;

	(void)sv;
	memcpy(buffer, &dummy, sizeof dummy);
	printf("Storing Dummy %ld on %llu\n", dummy, (unsigned long long)lp->gid);
}

static void deserialize(void *sv, void *buffer, tw_lp *lp)
{
	state *s = sv;

	memcpy(&s->dummy, buffer, sizeof s->dummy);
	printf("Found Dummy %ld on %llu\n", s->dummy, (unsigned long long)lp->gid);
}

static tw_lptype types[] = {
	{ pholdio_init, NULL, pholdio_event, pholdio_reverse, NULL, NULL, NULL, sizeof(state) },
	{ 0 },
};
static io_lptype io_types[] = { { serialize, deserialize, size }, { 0 } };

int main(int argc, char **argv)
{
	tw_opt_add(options);
	tw_init(&argc, &argv);
	mean -= lookahead;
	g_tw_lookahead = lookahead;
	io_init();
	g_io_events_buffered_per_rank = (int)(4 * nlp * start_events);
	tw_define_lps(nlp, sizeof(message));
	g_tw_lp_types = types;
	g_io_lp_types = io_types;
	tw_lp_setup_types();
	io_register_model_version("1");
	if (io_store == 0)
		io_load_checkpoint(name, (io_load_type)mode);
	tw_run();
	if (appends)
		io_appending_job();
	if (io_store == 1)
		io_store_checkpoint(name, 0);
	printf("%d files\n", g_io_number_of_files);
	tw_end();
	return 0;
}
