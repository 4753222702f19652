//go:build cgo && linux

/* Deltas of states: what tw_snapshot_delta finds changed since tw_snapshot is kept until the event is final, and
 * tw_snapshot_restore puts it back. An LP's events are undone in the opposite order in which they were handled, so each LP
 * has a list. Nothing of this exists in models that do not call these functions. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "libross.h"
#include "own.h"

/* What an event changed: pieces of the state before it, each behind its place and length. */
typedef struct ross_delta {
	struct ross_delta *older, *newer;
	const tw_bf *event;
	double at;
	size_t size; /* bytes of pieces */
	char pieces[];
} ross_delta;

typedef struct ross_piece {
	uint32_t at, n;
} ross_piece;

typedef struct ross_deltas {
	ross_delta *oldest, *newest;
} ross_deltas;

static _Atomic(ross_deltas *) all; /* by gid */

/* make allocates n times size bytes, of zeros. */
static void *make(const char *what, size_t size, size_t n)
{
	void *p = calloc(n, size);

	if (!p)
		tw_error(TW_LOC, "no memory for %zu * %zu bytes of %s", n, size, what);
	return p;
}

static ross_deltas *deltas_of(const tw_lp *lp)
{
	ross_deltas *now = atomic_load_explicit(&all, memory_order_acquire);

	if (!now) {
		ross_deltas *made = make("deltas", sizeof *made, g_tw_total_lps);

		if (atomic_compare_exchange_strong(&all, &now, made))
			now = made;
		else
			free(made); /* another PE was faster */
	}
	return &now[lp->gid];
}

int ross_drop_deltas(void)
{
	ross_deltas *now = atomic_exchange(&all, NULL);

	for (tw_lpid i = 0; now && i < g_tw_total_lps; i++)
		for (ross_delta *d = now[i].oldest, *newer; d; d = newer) {
			newer = d->newer;
			free(d);
		}
	free(now);
	return 0;
}

void tw_snapshot(tw_lp *lp, size_t size)
{
	ross_out *o = lp->pe->ross_out;

	if (size > lp->type->state_sz || size > UINT32_MAX)
		tw_error(TW_LOC, "tw_snapshot: LP %llu: %zu bytes: its state has %zu", (unsigned long long)lp->gid, size, lp->type->state_sz);
	if (o->copy_room < size) {
		free(o->copy);
		o->copy = make("a copy of a state", 1, size);
		o->copy_room = size;
	}
	memcpy(o->copy, lp->cur_state, size);
	o->copy_size = size;
	o->copy_of = o->call.bits;
}

/* next finds the next piece that differs, from place *at on, and returns its length, 0 if there is none. Words between two
 * that differ may be equal: two pieces would be longer. */
static size_t next(const char *was, const char *is, size_t size, size_t *at)
{
	enum { WORD = 8, GAP = sizeof(ross_piece) };
	size_t i = *at, end;

	while (i + WORD <= size && !memcmp(was + i, is + i, WORD))
		i += WORD;
	while (i < size && was[i] == is[i])
		i++;
	*at = i;
	for (end = i; i < size && i - end <= GAP; i++)
		if (was[i] != is[i])
			end = i + 1;
	return end - *at;
}

static void drop(ross_deltas *of, ross_delta *d)
{
	*(d->older ? &d->older->newer : &of->oldest) = d->newer;
	*(d->newer ? &d->newer->older : &of->newest) = d->older;
	free(d);
}

/* keep makes a delta for the LP's event. Those of events that are final are dropped. */
static ross_delta *keep(const ross_out *o, const tw_lp *lp, size_t size)
{
	ross_deltas *of = deltas_of(lp);
	ross_delta *d;

	while (of->oldest && of->oldest->at < o->pe.GVT_sig.recv_ts)
		drop(of, of->oldest);
	d = malloc(sizeof *d + size);
	if (!d)
		tw_error(TW_LOC, "tw_snapshot_delta: LP %llu: no memory for %zu bytes", (unsigned long long)lp->gid, size);
	*d = (ross_delta){ .older = of->newest, .event = o->call.bits, .at = tw_now(lp), .size = size };
	*(of->newest ? &of->newest->newer : &of->oldest) = d;
	of->newest = d;
	return d;
}

long tw_snapshot_delta(tw_lp *lp, size_t size)
{
	ross_out *o = lp->pe->ross_out;
	const char *was = o->copy, *is = lp->cur_state;
	size_t need = 0, n, at;
	ross_delta *d;
	char *to;

	if (!o->call.bits || o->copy_of != o->call.bits || size > o->copy_size)
		tw_error(TW_LOC, "tw_snapshot_delta: LP %llu: %zu bytes: its event handler has not called tw_snapshot for so many",
			(unsigned long long)lp->gid, size);
	for (at = 0; (n = next(was, is, size, &at)); at += n)
		need += sizeof(ross_piece) + n;
	if (!o->undoes)
		return (long)need;
	d = keep(o, lp, need);
	to = d->pieces;
	for (at = 0; (n = next(was, is, size, &at)); at += n) {
		ross_piece p = { (uint32_t)at, (uint32_t)n };

		memcpy(to, &p, sizeof p);
		memcpy(to + sizeof p, was + at, n);
		to += sizeof p + n;
	}
	return (long)need;
}

void tw_snapshot_restore(tw_lp *lp, size_t size)
{
	const ross_out *o = lp->pe->ross_out;
	ross_deltas *of = deltas_of(lp);
	ross_delta *d;
	const char *from, *end;

	while (of->newest && of->newest->event != o->call.bits)
		drop(of, of->newest); /* of an event whose reverse handler did not want it */
	d = of->newest;
	if (!d || d->at != tw_now(lp))
		tw_error(TW_LOC, "tw_snapshot_restore: LP %llu at %g: the event handler has not called tw_snapshot_delta", (unsigned long long)lp->gid,
			tw_now(lp));
	for (from = d->pieces, end = from + d->size; from < end;) {
		ross_piece p;

		memcpy(&p, from, sizeof p);
		if (p.at + (size_t)p.n > size)
			tw_error(TW_LOC, "tw_snapshot_restore: LP %llu: %zu bytes: give as many as tw_snapshot_delta", (unsigned long long)lp->gid, size);
		memcpy((char *)lp->cur_state + p.at, from + sizeof p, p.n);
		from += sizeof p + p.n;
	}
	drop(of, d);
}
