/* LPs with large states, in which an event changes little, and three streams. Deltas undo the events; with --hand=1
 * the reverse handler does it with what the message has. */
#include "record.h"

enum { LPS = 12, STREAMS = 3, ACCOUNTS = 300 };

typedef struct state {
	int64_t account[ACCOUNTS];
	int64_t events;
	double last;
	void *extra; /* 0, or with --pointer an address */
} state;

typedef struct message {
	int64_t amount, was_from, was_to;
	double was_last;
	int32_t from, to;
} message;

static unsigned int hand, pointer, wrong;

static const tw_optdef options[] = {
	TWOPT_GROUP("ledger"),
	TWOPT_UINT("hand", hand, "1: undo by hand, 2: half by hand, and the other half by deltas"),
	TWOPT_UINT("pointer", pointer, "1: states hold an address from the beginning, 2: from time 20 on"),
	TWOPT_UINT("wrong", wrong, "1: restore without a delta, 2: forget an account"),
	TWOPT_END(),
};

static void send(tw_lp *lp, tw_lpid to, double delay, int64_t amount)
{
	tw_event *e = tw_event_new(to, delay, lp);
	message *m = tw_event_data(e);

	m->amount = amount;
	tw_event_send(e);
}

static void init(void *sv, tw_lp *lp)
{
	state *s = sv;

	for (int i = 0; i < ACCOUNTS; i++)
		s->account[i] = tw_rand_integer(&lp->rng[1], 0, 1000);
	if (pointer == 1)
		s->extra = s;
	for (int i = 0; i < 3; i++)
		send(lp, lp->gid, tw_rand_exponential(&lp->rng[0], 1), i);
}

static void event(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	state *s = sv;
	message *m = msg;
	int deltas = hand != 1;

	s->events++; /* always by hand */
	if (deltas)
		tw_snapshot(lp, sizeof(state));
	m->from = (int32_t)tw_rand_integer(&lp->rng[1], 0, ACCOUNTS - 1);
	m->to = (int32_t)tw_rand_integer(&lp->rng[2], 0, ACCOUNTS - 1);
	m->was_last = s->last;
	m->was_from = s->account[m->from];
	m->was_to = s->account[m->to];
	s->account[m->from] -= m->amount;
	s->account[m->to] += m->amount + (int64_t)lp->gid;
	s->last = tw_now(lp);
	if (pointer == 2 && tw_now(lp) > 20)
		s->extra = s;
	bf->c0 = hand == 2 && tw_rand_unif(&lp->rng[2]) < 0.5; /* the delta is there, and the reverse handler leaves it */
	if (deltas && tw_snapshot_delta(lp, sizeof(state)) <= 0)
		tw_error(TW_LOC, "an event has changed the state, and its delta is empty");
	send(lp, (tw_lpid)tw_rand_integer(&lp->rng[0], 0, LPS - 1), 0.1 + tw_rand_exponential(&lp->rng[1], 1), s->account[m->from] % 100);
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	state *s = sv;
	const message *m = msg;

	tw_rand_reverse_unif(&lp->rng[1]);
	tw_rand_reverse_unif(&lp->rng[0]);
	if (hand == 2)
		tw_rand_reverse_unif(&lp->rng[2]);
	if (hand == 1 || bf->c0) {
		s->last = m->was_last;
		if (wrong != 2)
			s->account[m->to] = m->was_to;
		s->account[m->from] = m->was_from;
	} else {
		tw_snapshot_restore(lp, sizeof(state));
		if (wrong)
			tw_snapshot_restore(lp, sizeof(state));
	}
	tw_rand_reverse_unif(&lp->rng[2]);
	tw_rand_reverse_unif(&lp->rng[1]);
	s->events--;
}

static void commit(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	(void)sv;
	(void)bf;
	record_event(lp, lp->gid, 0, (int)((const message *)msg)->amount);
}

static tw_lptype types[] = { { init, NULL, event, reverse, commit, NULL, NULL, sizeof(state) }, { 0 } };

static void show(FILE *to, tw_lp *lp)
{
	const state *s = lp->cur_state;
	uint64_t hash = 1469598103934665603u;

	for (int i = 0; i < ACCOUNTS; i++)
		hash = (hash ^ (uint64_t)s->account[i]) * 1099511628211u;
	fprintf(to, "%llx %lld %.17g", (unsigned long long)hash, (long long)s->events, s->last);
}

int main(int argc, char **argv)
{
	tw_opt_add(options);
	tw_opt_add(record_options);
	g_tw_ts_end = 60;
	g_tw_nRNG_per_lp = STREAMS;
	tw_init(&argc, &argv);
	g_tw_lookahead = 0.1;
	g_tw_lp_types = types;
	tw_define_lps(record_share(LPS), sizeof(message));
	tw_lp_setup_types();
	record_begin();
	tw_run();
	record_finish(show);
	tw_end();
	return 0;
}
