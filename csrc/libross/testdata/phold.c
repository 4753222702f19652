/* PHOLD: each event sends one event on, to a random LP or to its own, after a random delay (Fujimoto 1990). */
#include <ross.h>

typedef struct state {
	long received;
} state;

typedef struct message {
	long hops;
} message;

static double remote = 0.25, mean = 1, lookahead = 1;
static unsigned int nlp = 8, start_events = 1, stagger;
static char run[1024] = "undefined";

static const tw_optdef options[] = {
	TWOPT_GROUP("PHOLD"),
	TWOPT_DOUBLE("remote", remote, "share of events for random LPs"),
	TWOPT_UINT("nlp", nlp, "number of LPs"),
	TWOPT_STIME("mean", mean, "mean delay"),
	TWOPT_DOUBLE("lookahead", lookahead, "least delay, at most 1"),
	TWOPT_UINT("start-events", start_events, "events that each LP begins with"),
	TWOPT_FLAG("stagger", stagger, "spread the first events over the run"),
	TWOPT_CHAR("run", run, "name of the run"),
	TWOPT_END(),
};

static void send(tw_lp *lp, tw_lpid to, double delay, long hops)
{
	tw_event *e = tw_event_new(to, delay, lp);
	message *m = tw_event_data(e);

	m->hops = hops;
	tw_event_send(e);
}

static void phold_init(void *sv, tw_lp *lp)
{
	(void)sv;
	for (unsigned int i = 0; i < start_events; i++) {
		double delay = tw_rand_exponential(lp->rng, mean) + lookahead;

		send(lp, lp->gid, stagger ? delay + (double)(lp->gid % (unsigned int)g_tw_ts_end) : delay, 0);
	}
}

static void phold_event(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	state *s = sv;
	message *m = msg;
	tw_lpid to = lp->gid;

	s->received++;
	if (tw_rand_unif(lp->rng) <= remote) {
		bf->c1 = 1;
		to = (tw_lpid)tw_rand_integer(lp->rng, 0, (long)g_tw_total_lps - 1);
	}
	send(lp, to, tw_rand_exponential(lp->rng, mean) + lookahead, m->hops + 1);
}

static void phold_reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	state *s = sv;

	(void)msg;
	tw_rand_reverse_unif(lp->rng);
	tw_rand_reverse_unif(lp->rng);
	if (bf->c1)
		tw_rand_reverse_unif(lp->rng);
	s->received--;
}

static long sum;

static void phold_final(void *sv, tw_lp *lp)
{
	const state *s = sv;

	(void)lp;
	sum += s->received;
}

static tw_lptype types[] = {
	{ phold_init, NULL, phold_event, phold_reverse, NULL, phold_final, NULL, sizeof(state) },
	{ 0 },
};

int main(int argc, char **argv)
{
	tw_opt_add(options);
	tw_init(&argc, &argv);
	mean -= lookahead;
	g_tw_lookahead = lookahead;
	tw_define_lps(nlp, sizeof(message));
	for (tw_lpid i = 0; i < g_tw_nlp; i++)
		tw_lp_settype(i, &types[0]);
	tw_run();
	printf("received %ld\n", sum);
	tw_end();
	return 0;
}
