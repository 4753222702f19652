/* Reaches into the queue in its GVT hook, as models do that replace a part of them for a while: it takes all pending
 * events out, keeps some of them until a later call, which puts them back with another time, frees some, changes some, and
 * sends events in the names of LPs. The states tell in which order events came. It is written for ROSS, and has its
 * results. */
#define ROSS_REFUSE_AT_CALL /* for pe->cur_event, which hooks set for ROSS */
#include "record.h"

enum { LPS = 24, KINDS = 8, STREAMS = 2 };
static const double least = 0.5; /* delay to other LPs */

typedef struct state {
	uint64_t hash, events, kept;
	double last;
} state;

typedef struct message {
	uint32_t kind, hops;
	state before;
	unsigned int draws;
} message;

static tw_event *frozen; /* a list */
static double frozen_at;
static unsigned int wrong, all, calls, ordered = 1;
static double step = 5;

static const tw_optdef options[] = {
	TWOPT_GROUP("frozen"),
	TWOPT_UINT("wrong", wrong, "a mistake, see hook and event"),
	TWOPT_UINT("all", all, "1: it keeps all events, and sends none"),
	TWOPT_DOUBLE("step", step, "time from a call of the hook to the next"),
	TWOPT_END(),
};

static uint64_t mixed(uint64_t a, uint64_t b) { return (a ^ b) * 0x9E3779B97F4A7C15u ^ a >> 29; }

static uint64_t bits(double x)
{
	uint64_t b;

	memcpy(&b, &x, sizeof b);
	return b;
}

static void send(tw_lp *lp, tw_lpid to, double delay, uint32_t kind, uint32_t hops)
{
	tw_event *e = tw_event_new(to, delay, lp);
	message *m = tw_event_data(e);

	memset(m, 0, sizeof *m);
	m->kind = kind;
	m->hops = hops;
	tw_event_send(e);
}

static void init(void *sv, tw_lp *lp)
{
	memset(sv, 0, sizeof(state));
	for (uint32_t i = 0; i < 3; i++)
		send(lp, lp->gid, least + tw_rand_unif(lp->rng), (uint32_t)(lp->gid + i) % KINDS, 0);
}

static void event(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	state *s = sv;
	message *m = msg;

	(void)bf;
	m->before = *s;
	m->draws = 0;
	s->hash = mixed(mixed(s->hash, bits(tw_now(lp))), m->kind << 16 | m->hops);
	s->events++;
	s->last = tw_now(lp);
	if (wrong == 1)
		tw_pq_dequeue(lp->pe->pq);
	if (m->kind == KINDS) /* of the hook */
		return;
	send(lp, (lp->gid * 7 + m->kind) % LPS, least + tw_rand_exponential(lp->rng, 1), (m->kind + 1) % KINDS, m->hops + 1);
	m->draws = 1;
	if (m->hops % 4 == 0)
		send(lp, lp->gid, 0, KINDS, m->hops); /* at the same time */
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	message *m = msg;

	(void)bf;
	*(state *)sv = m->before;
	for (unsigned int i = 0; i < m->draws; i++)
		tw_rand_reverse_unif(lp->rng);
}

static void put_back(tw_pe *pe, tw_event *e, double time)
{
	e->recv_ts = time;
	if (wrong != 2)
		e->sig.recv_ts = time;
	e->prev = NULL;
	tw_pq_enqueue(pe->pq, e);
	if (e->event_id && e->state.remote)
		tw_hash_insert(pe->hash_t, e, e->send_pe);
}

/* freeze takes all events. What others do not want it puts back at once. */
static void freeze(tw_pe *pe, double gvt)
{
	tw_event *back = NULL, *e;
	double last = 0;

	frozen_at = gvt;
	while ((e = tw_pq_dequeue(pe->pq))) {
		message *m = tw_event_data(e);
		tw_lp *to = e->dest_lp;

		if (e->recv_ts < last || e->recv_ts != e->sig.recv_ts || tw_event_sig_compare_ptr(&e->sig, &pe->GVT_sig) < 0)
			ordered = 0;
		last = e->recv_ts;
		if (e->event_id && e->state.remote)
			tw_hash_remove(pe->hash_t, e, e->send_pe);
		((state *)to->cur_state)->kept += m->kind + bits(e->send_ts) % 1000;
		if (!all && m->kind == 2 && m->hops > 3) {
			tw_event_free(pe, e);
			if (wrong == 3)
				tw_event_free(pe, e);
			continue;
		}
		if (all || m->kind % 2) {
			e->prev = frozen;
			frozen = e;
			continue;
		}
		m->hops++;
		e->prev = back;
		back = e;
	}
	while ((e = back)) {
		back = e->prev;
		put_back(pe, e, ((message *)tw_event_data(e))->kind == 4 ? e->recv_ts + 0.25 : e->recv_ts);
	}
}

static void thaw(tw_pe *pe, double gvt)
{
	tw_event *e;

	while ((e = frozen)) {
		frozen = e->prev;
		put_back(pe, e, wrong == 4 ? gvt - 1 : e->recv_ts + (gvt - frozen_at));
	}
}

static void hook(tw_pe *pe, bool past_end)
{
	double gvt = pe->GVT_sig.recv_ts;

	(void)past_end;
	if (g_tw_synchronization_protocol == OPTIMISTIC)
		tw_scheduler_rollback_and_cancel_events_pe(pe);
	if (calls++ % 2 == 0)
		freeze(pe, gvt);
	else if (wrong != 5)
		thaw(pe, gvt);
	for (tw_lpid i = 0; i < g_tw_nlp; i++) {
		tw_lp *lp = g_tw_lp[i];
		tw_event_sig last = lp->kp->last_sig;

		lp->kp->last_sig = pe->GVT_sig;
		pe->cur_event = pe->abort_event;
		pe->cur_event->caused_by_me = NULL;
		pe->cur_event->sig = pe->GVT_sig;
		if (tw_now(lp) != gvt)
			ordered = 0;
		if (!all && (lp->gid + calls) % 3 == 0)
			send(lp, lp->gid, 0, KINDS, calls);
		if (!all && (lp->gid + calls) % 4 == 0)
			send(lp, (lp->gid + 5) % LPS, least + tw_rand_unif(lp->rng), 1, 0);
		lp->kp->last_sig = last;
	}
	if (g_tw_synchronization_protocol == OPTIMISTIC)
		tw_scheduler_rollback_and_cancel_events_pe(pe);
	if (gvt + step <= g_tw_ts_end)
		tw_trigger_gvt_hook_at(gvt + step);
}

static tw_peid map(tw_lpid gid)
{
	tw_peid node = 0;

	while (gid >= LPS * (node + 1) / tw_nnodes())
		node++;
	return node;
}

static tw_lptype types[] = { { init, NULL, event, reverse, NULL, NULL, map, sizeof(state) }, { 0 } };

static void write_state(FILE *to, tw_lp *lp)
{
	const state *s = lp->cur_state;

	fprintf(to, "%llu %llu %llu %.17g", (unsigned long long)s->hash, (unsigned long long)s->events, (unsigned long long)s->kept, s->last);
}

int main(int argc, char **argv)
{
	g_tw_ts_end = 43;
	g_tw_lookahead = least;
	g_tw_nRNG_per_lp = STREAMS;
	tw_opt_add(options);
	tw_opt_add(record_options);
	tw_init(&argc, &argv);
	tw_define_lps(record_share(LPS), sizeof(message));
	for (tw_lpid i = 0; i < g_tw_nlp; i++)
		tw_lp_settype(i, &types[0]);
	g_tw_gvt_hook = hook;
	if (wrong == 6)
		tw_trigger_gvt_hook_every(1);
	else
		tw_trigger_gvt_hook_at(step);
	record_begin();
	tw_run();
	record_finish(write_state);
	if (!ordered)
		printf("out of order\n");
	printf("node %d: %u calls\n", (int)g_tw_mynode, calls);
	tw_end();
	return 0;
}
