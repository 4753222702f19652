//go:build cgo && linux

/* Servers of C, for jobs that sources of Go send. Its draws are those of servers in mixed.go. */
#define ROSS_REFUSE_AT_CALL /* do_wrong calls tw_run */
#include "servers.h"

setup shop;
int numbered;

static void init(void *sv, tw_lp *lp)
{
	(void)sv;
	(void)lp;
	if (shop.fault == NUMBERED)
		for (volatile int i = 0; i < 1000; i++) /* a static variable, one init after the other */
			numbered++;
}

static double often_zero(double u) { return u < 0.25 ? 0 : u; }

static void send(tw_lp *lp, tw_lpid to, double delay, const job *like, uint8_t kind, uint16_t hops)
{
	tw_event *e = tw_event_new(to, delay, lp);
	job *m = tw_event_data(e);

	m->work = like->work;
	m->from = like->from;
	m->hops = hops;
	m->kind = kind;
	tw_event_send(e);
}

static int deep(int n)
{
	volatile char much[4096];

	much[n] = (char)n; /* a compiler that sees which byte is used may leave out the others */
	return n < 1000 ? deep(n + 1) + much[n] : 0;
}

static void do_wrong(server *s, const job *m, tw_lp *lp)
{
	switch (shop.fault) {
	case CRASH:
		*(volatile int *)0 = 1;
		break;
	case GIVE_UP:
		tw_error(TW_LOC, "LP %d gives up", (int)lp->gid);
	case FORGET:
		s->served += 7; /* reverse does not undo it */
		break;
	case DESTINATION:
		send(lp, 1000, 1, m, WORK, 0);
		break;
	case DEEP:
		deep(0);
		break;
	case RUNS:
		tw_run();
		break;
	}
}

static void event(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	server *s = sv;
	job *m = msg;
	double u;

	if (tw_now_sig(lp).recv_ts != tw_now(lp) || tw_now_sig(lp).tie_lineage_length < 1)
		tw_error(TW_LOC, "the signature of an event at %g has the time %g", tw_now(lp), tw_now_sig(lp).recv_ts);
	if (lp->gid == shop.sources + 2 && tw_now(lp) > 2)
		do_wrong(s, m, lp);
	m->was = s->sum;
	if (m->kind == WORK) {
		s->seen++;
		u = tw_rand_unif(&lp->rng[0]);
		s->sum += m->work * u;
		s->sum += tw_rand_unif(&lp->rng[1]);
		send(lp, lp->gid, often_zero(u) * m->work, m, END, m->hops);
		return;
	}
	s->served++;
	if (tw_rand_unif(&lp->rng[1]) < 0.3 && m->hops < 3) {
		bf->c0 = 1;
		send(lp, shop.sources + (tw_lpid)tw_rand_integer(&lp->rng[0], 0, shop.servers - 1), shop.gap, m, WORK, m->hops + 1);
	} else {
		send(lp, m->from, shop.gap, m, DONE, m->hops);
	}
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	server *s = sv;
	const job *m = msg;

	s->sum = m->was;
	tw_rand_reverse_unif(&lp->rng[1]);
	if (m->kind == WORK || bf->c0)
		tw_rand_reverse_unif(&lp->rng[0]);
	if (m->kind == WORK)
		s->seen--;
	else
		s->served--;
}

static void keep(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	tw_snapshot(lp, sizeof(server));
	event(sv, bf, msg, lp);
	tw_snapshot_delta(lp, sizeof(server));
}

static void restore(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	(void)sv;
	(void)bf;
	(void)msg;
	tw_snapshot_restore(lp, sizeof(server));
}

static void commit(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	(void)bf;
	(void)msg;
	(void)lp;
	((server *)sv)->commits++;
}

tw_lptype server_type = { init, NULL, event, reverse, commit, NULL, NULL, sizeof(server) };
tw_lptype clerk_type = { init, NULL, event, NULL, commit, NULL, NULL, sizeof(server) }; /* nobody undoes its events */
tw_lptype delta_type = { init, NULL, keep, restore, commit, NULL, NULL, sizeof(server) };
tw_lptype old_type = { init, NULL, event, reverse, NULL, (final_f)(uintptr_t)sizeof(server), NULL, 0 };

tw_lp *lp_of(tw_lpid gid) { return g_tw_lp && tw_getlocal_lp(gid) == tw_getlp(gid) ? tw_getlp(gid) : NULL; }

static void on_hook(tw_pe *pe, bool past_end)
{
	(void)pe;
	(void)past_end;
}

void set_hook(int on) { g_tw_gvt_hook = on ? on_hook : NULL; }
