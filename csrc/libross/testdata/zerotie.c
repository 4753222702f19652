/* Chains of events without delay, some with priorities: the model of models/zerotie. */
#include <ross.h>

typedef struct state {
	uint64_t hash;
} state;

typedef struct message {
	int32_t hop;
	float priority;
	uint64_t was; /* hash before the event */
} message;

static unsigned int nlp = 8, useprio, maxhop = 3;
static double p = 0.6;

static const tw_optdef options[] = {
	TWOPT_GROUP("zerotie"),
	TWOPT_UINT("nlp", nlp, "number of LPs"),
	TWOPT_UINT("useprio", useprio, "1: priorities differ"),
	TWOPT_UINT("maxhop", maxhop, "most events without delay in a chain"),
	TWOPT_DOUBLE("p", p, "probability of another one"),
	TWOPT_END(),
};

static void send(tw_lp *lp, tw_lpid to, double delay, int hop, float priority)
{
	tw_event *e = tw_event_new_user_prio(to, delay, lp, priority);
	message *m = tw_event_data(e);

	m->hop = hop;
	m->priority = priority;
	tw_event_send(e);
}

static void init(void *sv, tw_lp *lp)
{
	(void)sv;
	send(lp, lp->gid, 1, 0, 1);
}

static void event(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	state *s = sv;
	message *m = msg;
	long last = (long)nlp - 1;

	m->was = s->hash;
	if (tw_now_sig(lp).tie_lineage_length != (unsigned int)m->hop + 1) /* each hop has one more */
		tw_error(TW_LOC, "hop %d has %u tie-breakers", m->hop, tw_now_sig(lp).tie_lineage_length);
	s->hash = s->hash * 6364136223846793005u + 1442695040888963407u + lp->gid + (uint64_t)m->hop;
	if (m->hop == 0) {
		tw_lpid to = (tw_lpid)tw_rand_integer(lp->rng, 0, last);
		double u = tw_rand_unif(lp->rng);

		bf->c0 = 1;
		send(lp, to, 1, 0, !useprio ? 1 : u <= 0.5 ? 0.25f : 0.75f);
	}
	if ((unsigned int)m->hop >= maxhop)
		return;
	bf->c1 = 1;
	if (tw_rand_unif(lp->rng) <= p) {
		bf->c2 = 1;
		send(lp, (tw_lpid)tw_rand_integer(lp->rng, 0, last), 0, m->hop + 1, m->priority);
	}
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	for (unsigned int n = 2 * bf->c0 + bf->c1 + bf->c2; n > 0; n--)
		tw_rand_reverse_unif(lp->rng);
	((state *)sv)->hash = ((message *)msg)->was;
}

static void final(void *sv, tw_lp *lp)
{
	tw_output(lp, "LPHASH %llu %016llx\n", (unsigned long long)lp->gid, (unsigned long long)((state *)sv)->hash);
}

static tw_lptype type = { init, NULL, event, reverse, NULL, final, NULL, sizeof(state) };

/* trace adds hop and priority to the trace. */
static void trace(void *msg, tw_lp *lp, char *buffer, int *collect)
{
	(void)lp;
	(void)collect;
	memcpy(buffer, msg, 8);
}

static st_model_types traced = { .ev_trace = trace, .ev_sz = 8 };

int main(int argc, char **argv)
{
	tw_opt_add(options);
	g_tw_lookahead = 0;
	tw_init(&argc, &argv);
	tw_define_lps(nlp, sizeof(message));
	for (tw_lpid i = 0; i < g_tw_nlp; i++) {
		tw_lp_settype(i, &type);
		st_model_settype(i, &traced);
	}
	tw_run();
	tw_end();
	return 0;
}
