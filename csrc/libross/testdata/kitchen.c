/* Does what the other models here do not: several streams and normal draws, texts, suspension, events that are
 * made and not sent, types of LPs with and without a reverse handler, a GVT hook, and a check of rollback of its
 * own. Its LPs call nobody's names: what it prints is the same under every scheduler, apart from the order of the
 * lines of different LPs. */
#include "record.h"

enum { LPS = 12, STREAMS = 3, MUCH = 700 };

typedef struct state {
	double sum;
	long events, commits;
	double *copy; /* of sum, elsewhere: the bytes of a state are not all of it */
} state;

typedef struct message {
	double was;
	unsigned int calls;
	char much[MUCH]; /* more than an event of the engine has room for */
} message;

static unsigned int hook, wrong, seed, at = 20;
static double hooked[64]; /* times at which the hook was called */
static unsigned int hooks;

static const tw_optdef options[] = {
	TWOPT_GROUP("kitchen"),
	TWOPT_UINT("hook", hook, "1: the hook is called at times, 2: when LP 1 says so, 3: at every third GVT"),
	TWOPT_UINT("seed", seed, "the engine has an option of this name, too"),
	TWOPT_UINT("wrong", wrong, "1: what is behind the state is not undone"),
	TWOPT_UINT("suspend", at, "time from which LP 3 is suspended"),
	TWOPT_END(),
};

static void send(tw_lp *lp, tw_lpid to, double delay, double priority)
{
	tw_event *e = tw_event_new_user_prio(to, delay, lp, priority);
	message *m = tw_event_data(e);

	for (int i = 0; i < MUCH; i++) /* the message was zero, and arrives as it is now */
		if (m->much[i])
			tw_error(TW_LOC, "byte %d of a new message is %d", i, m->much[i]);
	memset(m->much, (int)to + 1, MUCH);
	tw_event_send(e);
}

static void init(void *sv, tw_lp *lp)
{
	state *s = sv;

	s->copy = tw_calloc(TW_LOC, "copies", sizeof *s->copy, 1);
	for (int i = 0; i < 100; i++) { /* more than a chunk of events */
		tw_event_new(lp->gid, 1, lp);
		if (i % 25 == 0)
			send(lp, lp->gid, 1 + i, 1);
	}
}

static void pre_run(void *sv, tw_lp *lp)
{
	(void)sv;
	tw_output(lp, "LP %llu begins\n", (unsigned long long)lp->gid);
}

static void event(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	state *s = sv;
	message *m = msg;
	double delay = tw_rand_normal_sd(&lp->rng[0], 3, 1, &m->calls);
	tw_lpid to;

	for (int i = 0; i < MUCH; i++)
		if (m->much[i] != (char)lp->gid + 1)
			tw_error(TW_LOC, "byte %d of a message to LP %d is %d", i, (int)lp->gid, m->much[i]);
	if (tw_now_sig(lp).recv_ts != tw_now(lp) || tw_now_sig(lp).event_tiebreaker[0] <= 0)
		tw_error(TW_LOC, "the signature of an event at %g has the time %g", tw_now(lp), tw_now_sig(lp).recv_ts);
	m->was = s->sum;
	s->sum += tw_rand_unif(&lp->rng[2]) + delay;
	*s->copy = s->sum;
	s->events++;
	tw_event_new(0, 1, lp); /* takes a draw, and is not sent */
	to = (tw_lpid)tw_rand_integer(&lp->rng[1], 0, LPS - 1);
	send(lp, to, fmax(delay, 0.5), tw_rand_unif(&lp->rng[1]) < 0.5 ? 0.25 : 1);
	if (s->events % 5 == 0)
		tw_output(lp, "LP %llu at %.17g: %ld events%s", (unsigned long long)lp->gid, tw_now(lp), s->events, "\n");
	if (lp->gid == 3 && tw_now(lp) >= at) {
		tw_lp_suspend(lp, 1, 42);
	}
	if (lp->gid == 1 && s->events % 4 == 0) {
		bf->c3 = 1;
		tw_trigger_gvt_hook_now(lp);
	}
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	state *s = sv;
	const message *m = msg;

	if (bf->c3)
		tw_trigger_gvt_hook_now_rev(lp);
	tw_rand_reverse_unif(&lp->rng[1]);
	tw_rand_reverse_unif(&lp->rng[1]);
	tw_rand_reverse_unif(&lp->rng[2]);
	s->events--;
	s->sum = m->was;
	if (!wrong)
		*s->copy = m->was;
}

static void commit(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	state *s = sv;

	(void)bf;
	(void)msg;
	s->commits++;
	record_event(lp, lp->gid, 0, 0);
}

static void final(void *sv, tw_lp *lp)
{
	const state *s = sv;

	if (s->sum != *s->copy || s->commits > s->events)
		tw_error(TW_LOC, "LP %d: %g and %g, %ld events and %ld commits", (int)lp->gid, s->sum, *s->copy, s->events, s->commits);
	tw_output(lp, "LP %llu ends: %.17g after %ld events\n", (unsigned long long)lp->gid, s->sum, s->commits);
}

static tw_lptype types[] = {
	{ init, pre_run, event, reverse, commit, final, NULL, sizeof(state) },
	{ init, pre_run, event, NULL, commit, final, NULL, sizeof(state) }, /* nobody undoes its events */
	{ 0 },
};

static tw_lpid type_of(tw_lpid gid) { return gid % 4 == 2; }

static void save(void *into, const void *from)
{
	const state *s = from;

	*(state *)into = *s;
	((state *)into)->copy = tw_calloc(TW_LOC, "copies", sizeof(double), 1);
	*((state *)into)->copy = *s->copy;
}

static void clean(void *saved) { free(((state *)saved)->copy); }

static bool same(void *sv, const void *saved)
{
	const state *a = sv, *b = saved;

	return a->sum == b->sum && *a->copy == *b->copy && a->events == b->events;
}

static void print(FILE *to, const char *prefix, void *sv) { fprintf(to, "%ssum %g\n", prefix, ((state *)sv)->sum); }

static crv_checkpointer checks[] = {
	{ .lptype = &types[0], .sz_storage = sizeof(state), .save_lp = save, .clean_lp = clean, .check_lps = same, .print_lp = print },
	{ .lptype = &types[1], .sz_storage = sizeof(state), .save_lp = save, .clean_lp = clean, .check_lps = same },
};

/* The hook sees all LPs, as their events before GVT have left them, and all of these are committed. */
static void on_hook(tw_pe *pe, bool past_end)
{
	double times[2] = { pe->GVT_sig.recv_ts, -pe->GVT_sig.recv_ts }, most[2];

	(void)past_end;
	MPI_Allreduce(times, most, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_ROSS);
	if (most[0] != -most[1])
		tw_error(TW_LOC, "nodes have called the hook at %g and %g", most[0], -most[1]);
	for (tw_lpid i = 0; i < g_tw_nlp; i++) {
		const state *s = g_tw_lp[i]->cur_state;

		if (s->commits != s->events || *s->copy != s->sum)
			tw_error(TW_LOC, "LP %d in the hook: %ld events and %ld commits", (int)i, s->events, s->commits);
	}
	tw_scheduler_rollback_and_cancel_events_pe(pe);
	if (hooks < 64)
		hooked[hooks++] = pe->GVT_sig.recv_ts;
	if (hook == 1)
		tw_trigger_gvt_hook_at(pe->GVT_sig.recv_ts * 2);
}

static void show(FILE *to, tw_lp *lp)
{
	fprintf(to, "%.17g", ((state *)lp->cur_state)->sum);
}

int main(int argc, char **argv)
{
	tw_opt_add(options);
	tw_opt_add(record_options);
	g_tw_ts_end = 60;
	g_tw_nRNG_per_lp = STREAMS;
	tw_init(&argc, &argv);
	g_tw_lookahead = 0.5;
	g_tw_lp_types = types;
	g_tw_lp_typemap = type_of;
	g_tw_mapping = ROUND_ROBIN;
	tw_define_lps(record_share(LPS), sizeof(message));
	tw_lp_setup_types();
	for (int i = 0; i < 2; i++)
		crv_add_custom_state_checkpoint(&checks[i]);
	if (hook) {
		g_tw_gvt_hook = on_hook;
		if (hook == 1)
			tw_trigger_gvt_hook_at(4);
		else if (hook == 2)
			tw_trigger_gvt_hook_when_model_calls();
		else
			tw_trigger_gvt_hook_every(3);
	}
	if (seed)
		printf("seed %u\n", seed);
	record_begin();
	tw_run();
	for (unsigned int i = 0; i < hooks && tw_ismaster(); i++)
		printf("hook at %.17g\n", hooked[i]);
	record_finish(show);
	tw_end();
	return 0;
}
