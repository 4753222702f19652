/* A queue, its events and the model with which it must agree. It plays Go's part of the
 * window as pq/eventset.go does, and compares each pop with a sorted array, whose order it
 * derives from the events itself. Freed events are made inaccessible: the ladder must not
 * access them again. */
#include "driver.h"

#include "../check.h"
#include "../order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define FORBID(p, n) __asan_poison_memory_region(p, n)
#define ALLOW(p, n) __asan_unpoison_memory_region(p, n)
#elif defined(__has_include)
#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#define FORBID(p, n) (void)VALGRIND_MAKE_MEM_NOACCESS(p, n)
#define ALLOW(p, n) (void)VALGRIND_MAKE_MEM_UNDEFINED(p, n)
#endif
#endif
#ifndef FORBID
#define FORBID(p, n) (void)(p)
#define ALLOW(p, n) (void)(p)
#endif

/* ---- Random numbers: SplitMix64. ---- */

uint64_t seed = 20261;
static uint64_t rng;

uint64_t bits(void)
{
	uint64_t z = rng += 0x9e3779b97f4a7c15;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

uint32_t below(uint32_t n) { return (uint32_t)(bits() % n); }
double unif(void) { return (double)(bits() >> 11) * 0x1p-53; }

double from_bits(uint64_t x)
{
	double d;
	memcpy(&d, &x, sizeof d);
	return d;
}

static uint64_t to_bits(double d)
{
	uint64_t x;
	memcpy(&x, &d, sizeof x);
	return x;
}

/* ---- The order of events, the slow way: the twin of csrc/order.c. ---- */

static ross_event *event_at(const world *x, ross_key k)
{
	return (ross_event *)(x->events + (size_t)STRIDE * (uint32_t)k.lo);
}

/* lineage_cmp compares two chains from their first tie-breaker on. */
static int lineage_cmp(const world *x, uint32_t a, uint32_t b)
{
	const ross_node *n = x->nodes;
	uint32_t da = n[a].depth, db = n[b].depth;
	int c = (da > db) - (da < db);

	while (n[a].depth > db)
		a = n[a].parent;
	while (n[b].depth > da)
		b = n[b].parent;
	for (; a != b; a = n[a].parent, b = n[b].parent)
		if (n[a].tie != n[b].tie)
			c = n[a].tie < n[b].tie ? -1 : 1;
	return c;
}

static int cmp(double a, double b) { return (a > b) - (a < b); }

static int less(const world *x, ross_key i, ross_key j)
{
	const ross_event *a = event_at(x, i), *b = event_at(x, j);
	int c = cmp(a->time, b->time);

	c = c ? c : cmp(a->prio, b->prio);
	c = c ? c : cmp(a->tie, b->tie);
	c = c ? c : lineage_cmp(x, a->lineage, b->lineage);
	c = c ? c : (a->dst > b->dst) - (a->dst < b->dst);
	c = c ? c : (a->src > b->src) - (a->src < b->src);
	c = c ? c : cmp(a->send_time, b->send_time);
	return c ? c < 0 : (uint32_t)i.lo < (uint32_t)j.lo;
}

/* prefix is event.Prefix: priorities on the grid k/128 leave room for a tie. */
static uint32_t prefix(double prio, double tie)
{
	double x = prio * 128, cell = floor(x);
	uint32_t c = 2 * (uint32_t)cell;
	if (x == cell)
		return (c << 23) | (uint32_t)(tie * (1 << 23));
	return ((c + 1) << 23) | (uint32_t)((x - cell) * (1 << 23));
}

/* ---- Go's part of the window: pq/eventset.go. ---- */

static void stage(world *x, ross_key k)
{
	ross_window *w = x->w;
	w->stage[w->staged++] = k;
	if (w->staged == w->stage_cap)
		ross_ladder_flush(x->q);
}

static ross_arena arena_of(const world *x) { return (ross_arena){ x->events, STRIDE, x->nodes }; }

static void swap(ross_key *a, ross_key *b)
{
	ross_key t = *a;
	*a = *b;
	*b = t;
}

static void settle(world *x, uint32_t i)
{
	ross_key *k = x->w->keys;
	ross_arena a = arena_of(x);
	uint32_t last = x->w->n - 1;

	for (; i > 0 && ross_key_same(k[i], k[i - 1]) && ross_less(&a, k[i - 1], k[i]); i--)
		swap(&k[i], &k[i - 1]);
	for (; i < last && ross_key_same(k[i], k[i + 1]) && ross_less(&a, k[i], k[i + 1]); i++)
		swap(&k[i], &k[i + 1]);
}

static void push(world *x, ross_key k)
{
	ross_window *w = x->w;
	ross_arena a = arena_of(x);

	if (!ross_key_lt(k, (ross_key){ w->bound_ts, w->bound_lo }) ||
	    (w->tie && ross_key_same(k, w->tie_min) && !ross_less(&a, k, w->tie_min))) {
		stage(x, k);
		return;
	}
	if (w->n == w->cap) {
		ross_ladder_spill(x->q);
		push(x, k);
		return;
	}
	uint32_t i = w->n++;
	for (; i > 0 && ross_key_lt(w->keys[i - 1], k); i--)
		w->keys[i] = w->keys[i - 1];
	w->keys[i] = k;
	settle(x, i);
}

static int pop(world *x, ross_key *k)
{
	if (x->w->n == 0)
		ross_ladder_refill(x->q);
	if (x->w->n == 0)
		return 0;
	*k = x->w->keys[--x->w->n];
	return 1;
}

/* ---- The model, and the comparison. ---- */

/* fail ends a play. A queue that was refused memory may return wrong keys. */
void fail(world *x, const char *what, double got, double want)
{
	if (!x->bad && !(x->w && x->w->failed))
		printf("FAIL %s (seed %llu): after %llu operations: %s: got %g, want %g\n", x->name,
		       (unsigned long long)seed, (unsigned long long)x->ops, what, got, want);
	x->bad = 1;
}

void check(world *x)
{
	int broken = ross_ladder_check(x->q);
	if (broken)
		fail(x, "broken invariant of csrc/check.c", broken, 0);
}

static void count(world *x)
{
	if (++x->ops % x->every == 0)
		check(x);
}

/* model_add inserts, and model_at finds, in the descending array. */
static uint32_t model_at(const world *x, ross_key k)
{
	uint32_t lo = 0, hi = x->n;
	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;
		if (less(x, x->model[mid], k))
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

static void model_add(world *x, ross_key k)
{
	uint32_t i = model_at(x, k);
	memmove(x->model + i + 1, x->model + i, (x->n - i) * sizeof k);
	x->model[i] = k;
	x->n++;
}

void add(world *x, double time, double prio, double tie, uint32_t lineage)
{
	if (x->bad || !x->nunused)
		return;
	uint32_t i = x->unused[--x->nunused];
	ross_key k = { to_bits(time), (uint64_t)prefix(prio, tie) << 32 | i };
	ross_event *e = event_at(x, k);

	ALLOW(e, STRIDE);
	memset(e, 0, STRIDE);
	e->time = time;
	e->tie = tie;
	e->prio = prio;
	e->lineage = lineage;
	e->dst = i % LPS;
	e->src = bits() % 4;
	push(x, k);
	model_add(x, k);
	count(x);
}

/* take pops, compares, and frees the event. It returns 0 at the end. */
int take(world *x, ross_event *out)
{
	ross_key k;
	int got = !x->bad && pop(x, &k);

	if (x->bad)
		return 0;
	if (got != (x->n > 0)) {
		fail(x, "a pop gave a key", got, x->n > 0);
		return 0;
	}
	if (!got)
		return 0;
	ross_key want = x->model[--x->n];
	*out = *event_at(x, k);
	if (k.ts != want.ts || k.lo != want.lo) {
		fail(x, "a pop gave another key, of time", out->time, event_at(x, want)->time);
		return 0;
	}
	x->now = out->time;
	FORBID(event_at(x, k), STRIDE);
	x->unused[x->nunused++] = (uint32_t)k.lo;
	count(x);
	return 1;
}

/* peek is Queue.Min: a pop that puts the key back by counting it again. */
void peek(world *x)
{
	ross_key k;
	if (x->bad || !pop(x, &k))
		return;
	x->w->n++;
	if (k.lo != x->model[x->n - 1].lo)
		fail(x, "the least key is of event", (uint32_t)k.lo, (uint32_t)x->model[x->n - 1].lo);
}

void drain(world *x)
{
	ross_event e;
	while (take(x, &e))
		;
	if (x->bad)
		return;
	check(x);
	uint64_t left = x->w->n + x->w->staged + x->w->far;
	if (left)
		fail(x, "keys left after the last pop", (double)left, 0);
}

uint32_t extend(world *x, uint32_t parent, double tie)
{
	if (x->nnodes == NODES)
		return parent;
	ross_node *n = x->nodes;
	uint32_t i = x->nnodes++, j = n[parent].jump;
	int even = n[parent].depth - n[j].depth == n[j].depth - n[n[j].jump].depth;
	n[i] = (ross_node){ tie, parent, even ? n[j].jump : parent, n[parent].depth + 1, 1 };
	return i;
}

/* ---- Making and freeing it. ---- */

/* world_open returns 0 when the ladder gets no memory. */
int world_open(world *x, const char *name, uint32_t window, uint32_t n)
{
	*x = (world){ .name = name, .every = 61 + n / 4, .nnodes = 1, .nunused = EVENTS - 1 };
	rng = seed;
	x->events = must_malloc((size_t)EVENTS * STRIDE);
	x->nodes = must_malloc(NODES * sizeof *x->nodes);
	x->unused = must_malloc(EVENTS * sizeof *x->unused);
	x->model = must_malloc((EVENTS + 1) * sizeof *x->model);
	memset(x->nodes, 0, sizeof *x->nodes);
	for (uint32_t i = 0; i < EVENTS - 1; i++)
		x->unused[i] = EVENTS - 1 - i;
	FORBID(x->events, (size_t)EVENTS * STRIDE);
	x->q = ross_ladder_new(x->events, STRIDE, x->nodes, window);
	if (x->q)
		x->w = ross_ladder_window(x->q);
	return x->q != 0;
}

void world_close(world *x)
{
	ALLOW(x->events, (size_t)EVENTS * STRIDE);
	ross_ladder_free(x->q);
	free(x->events);
	free(x->nodes);
	free(x->unused);
	free(x->model);
}

/* blind continues without the model: a scheduler handles some thousand more events before
 * it checks whether the queue has failed. */
void blind(world *x)
{
	ross_key k;

	ALLOW(x->events, (size_t)EVENTS * STRIDE);
	memset(x->events, 0, (size_t)EVENTS * STRIDE);
	for (uint32_t i = 0; i < 3000; i++) {
		double t = i % 2 ? 5 : 6000 * unif();
		k = (ross_key){ to_bits(t), (uint64_t)prefix(0.3, 0) << 32 | i };
		event_at(x, k)->time = t;
		event_at(x, k)->prio = 0.3;
		push(x, k);
		if (i % 3 == 0)
			pop(x, &k);
	}
}
