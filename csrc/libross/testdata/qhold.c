/* A hold model with whole numbers as times and a checksum of all that happens: the events of the model qhold of
 * ROSS. */
#include "record.h"

typedef struct state {
	double last; /* time of the last event */
	uint64_t value;
	uint64_t hash, events, scheduled, ties, zeros; /* for the sums at the end */
} state;

typedef struct message {
	uint64_t value;
	tw_lpid from;
	double sent;
	uint64_t was_value; /* of the LP before the event, and the number of draws for the destination */
	double was_last;
	unsigned long loops;
} message;

static unsigned int nlp = 16, population = 16, memory;
static double lookahead = 0.005, share = 0.1, rsv;
static uint64_t threshold;

static const tw_optdef options[] = {
	TWOPT_GROUP("QHold Model"),
	TWOPT_UINT("nlp_per_pe", nlp, "number of LPs"),
	TWOPT_UINT("population", population, "events of each LP at the beginning"),
	TWOPT_DOUBLE("lookahead", lookahead, "least delay"),
	TWOPT_DOUBLE("remote", share, "share of events for other LPs"),
	TWOPT_DOUBLE("RSV", rsv, "without effect"),
	TWOPT_UINT("memory", memory, "without effect"),
	TWOPT_END(),
};

static void send(state *s, tw_lp *lp, tw_lpid to, uint64_t delay)
{
	tw_event *e = tw_event_new(to, (double)delay + lookahead, lp);
	message *m = tw_event_data(e);

	m->value = s->value;
	m->from = lp->gid;
	m->sent = tw_now(lp);
	tw_event_send(e);
	s->scheduled++;
}

static void init(void *sv, tw_lp *lp)
{
	state *s = sv;

	s->value = tw_rand_ulong(lp->rng, 0, ULONG_MAX - 1);
	s->hash += s->value;
	for (unsigned int i = 0; i < population; i++)
		send(s, lp, lp->gid, tw_rand_ulong(lp->rng, 0, UINT_MAX - 1));
}

static void event(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	state *s = sv;
	message *m = msg;
	tw_lpid to = lp->gid;
	uint64_t delay;

	m->was_last = s->last;
	m->was_value = s->value;
	m->loops = 0;
	s->events++;
	if (tw_now(lp) == s->last) {
		bf->c0 = 1;
		s->ties++;
	}
	s->value = (s->value + m->value) ^ tw_rand_ulong(lp->rng, 0, ULONG_MAX - 1);
	s->hash += s->value;
	delay = tw_rand_ulong(lp->rng, 0, UINT_MAX - 1);
	if (delay == 0) {
		bf->c1 = 1;
		s->zeros++;
	}
	if (tw_rand_ulong(lp->rng, 0, ULONG_MAX - 1) < threshold)
		for (; to == lp->gid; m->loops++)
			to = tw_rand_ulong(lp->rng, 0, g_tw_total_lps - 1);
	send(s, lp, to, delay);
	s->last = tw_now(lp);
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	state *s = sv;
	message *m = msg;

	for (unsigned long i = 0; i < 3 + m->loops; i++)
		tw_rand_reverse_unif(lp->rng);
	s->scheduled--;
	s->zeros -= bf->c1;
	s->hash -= s->value;
	s->ties -= bf->c0;
	s->events--;
	s->last = m->was_last;
	s->value = m->was_value;
}

static void commit(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	const message *m = msg;

	(void)sv;
	(void)bf;
	record_event(lp, m->from, m->sent, 0);
}

static state sums;

static void final(void *sv, tw_lp *lp)
{
	const state *s = sv;

	(void)lp;
	sums.hash += s->hash;
	sums.events += s->events;
	sums.scheduled += s->scheduled;
	sums.ties += s->ties;
	sums.zeros += s->zeros;
}

static tw_lptype types[] = { { init, NULL, event, reverse, commit, final, NULL, sizeof(state) }, { 0 } };

static void show(FILE *to, tw_lp *lp)
{
	const state *s = tw_getstate(lp);

	fprintf(to, "state=%llu last=%.17g", (unsigned long long)s->value, s->last);
}

int main(int argc, char **argv)
{
	unsigned long long all;

	tw_opt_add(options);
	tw_opt_add(record_options);
	g_tw_ts_end = 1e12; /* the default of --end */
	tw_init(&argc, &argv);
	threshold = (uint64_t)(share * UINT_MAX) << 32;
	g_tw_lookahead = lookahead;
	g_tw_lp_types = types;
	tw_define_lps(nlp, sizeof(message));
	tw_lp_setup_types();
	record_begin();
	tw_run();
	MPI_Reduce(&sums.hash, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_ROSS);
	printf("\nStatistics:\nglobalHash: %llu\nglobalEvents: %llu\nglobalEventsScheduled: %llu\nglobalTies: %llu\nglobalZeroDelays: %llu\n",
		all, (unsigned long long)sums.events, (unsigned long long)sums.scheduled, (unsigned long long)sums.ties,
		(unsigned long long)sums.zeros);
	record_finish(show);
	tw_end();
	return 0;
}
