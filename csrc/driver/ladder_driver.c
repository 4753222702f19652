/* Ladder driver: the ladder queue without Go, so that valgrind and the sanitizers
 * see every access. This file has the plays.
 *
 *   ladder_driver [seed]
 *
 * Built from all .c files here and in csrc, linked with -lm and with --wrap for
 * the functions of memory.c; `make test-valgrind` does it. */
#include "driver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEEPEST = 40 }; /* rungs; more means that spilling has lost its balance */

static double exponential(void) { return -log(1 - unif()); }

typedef double distribution(double now);

static double dist_exponential(double now) { return now + exponential(); }
static double dist_lookahead(double now) { return now + 0.1 + 0.9 * exponential(); }
static double dist_bimodal(double now) { return now + (below(10) ? 0 : 1000) + unif(); }
static double dist_whole(double now) { return floor(now) + below(4); }
static double dist_huge(double now) { return now * 0 + pow(10, 600 * unif() - 300); }
static double dist_any(double now) { return now * 0 + from_bits(bits() % 0x7ff0000000000000); }
static double dist_subnormal(double now) { return now * 0 + from_bits(below(1 << 20)); }
static double dist_equal(double now) { return now * 0 + 1; }
static double dist_clusters(double now) { return now * 0 + below(5) + 1e-15 * below(3); }
static double dist_nearer(double now) { return nextafter(now > 0 ? now : 1, 0); }
static double dist_farther(double now) { return now + 1e6; }

static distribution *const distributions[] = {
	dist_exponential, dist_lookahead, dist_bimodal,	 dist_whole,  dist_huge,   dist_any,
	dist_subnormal,	  dist_equal,	  dist_clusters, dist_nearer, dist_farther
};

static void add_next(world *x, distribution *next)
{
	static const double prio[] = { 1, 1, 1, 0.25, 0.3, 0 };
	add(x, next(x->now), prio[below(6)], unif(), 0);
}

/* play_holds grows, holds, wanders and drains, for each distribution. */
static void play_holds(world *x, uint32_t n)
{
	ross_event e;

	for (size_t d = 0; d < sizeof distributions / sizeof *distributions; d++) {
		x->now = 0;
		for (uint32_t i = 0; i < n; i++)
			add_next(x, distributions[d]);
		for (uint32_t i = 0; i < 2 * n && take(x, &e); i++)
			add_next(x, distributions[d]);
		for (uint32_t i = 0; i < 2 * n && !x->bad; i++) {
			if (below(3) == 0)
				add_next(x, distributions[d]);
			else if (below(8) == 0)
				peek(x);
			else
				take(x, &e);
		}
		drain(x);
	}
}

/* play_ties uses keys that agree in 96 bits: one time, one priority off the grid. */
static void play_ties(world *x, uint32_t n)
{
	ross_event e;

	for (uint32_t i = 0; i < n; i++)
		add(x, 5, 0.3, unif(), 0);
	for (uint32_t i = 0; i < 2 * n && take(x, &e); i++) {
		add(x, 5, 0.3 + 1e-12 * below(2), below(4) ? unif() : 0.5, 0);
		if (below(50) == 0)
			add(x, 4 + 2 * unif(), 0.3, unif(), 0);
	}
	drain(x);
}

/* play_trees sends without delay: children share their parent's tie-breakers
 * and come right after it. */
static void play_trees(world *x, uint32_t n)
{
	ross_event e;

	for (int i = 0; i < 20; i++)
		add(x, below(3), 1, unif(), 0);
	for (uint32_t left = n; take(x, &e);) {
		uint32_t children = below(200) ? below(4) : 400;
		for (; children && left; children--, left--)
			add(x, e.time, e.prio, e.tie,
			    extend(x, e.lineage, below(50) ? unif() : 0.25));
	}
	drain(x);
}

/* play_descending puts every key before all others, which spills most: first
 * on the top alone, later on rungs. */
static void play_descending(world *x, uint32_t n)
{
	ross_event e;
	double t = 2 * n;

	for (uint32_t i = 0; i < n; i++)
		add(x, t--, 1, 0, 0);
	for (uint32_t i = 0; i < n / 2; i++)
		take(x, &e);
	for (t = x->now; t > 0; t--)
		add(x, t, 1, 0, 0);
	if (ross_ladder_rungs(x->q) > DEEPEST)
		fail(x, "rungs", ross_ladder_rungs(x->q), DEEPEST);
	drain(x);
}

/* play_large uses enough keys for the outermost rung to be coarse. */
static void play_large(world *x, uint32_t n)
{
	ross_event e;

	for (uint32_t i = 0; i < n; i++)
		add(x, n - i + unif(), 1, unif(), 0);
	for (uint32_t i = 0; i < 3000 && take(x, &e); i++)
		add(x, e.time + n * 0.02 * exponential(), 1, unif(), 0);
	drain(x);
}

static void play_empty(world *x, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		drain(x);
		ross_ladder_flush(x->q);
		check(x);
		add(x, 1, 1, 0.5, 0);
		peek(x);
	}
	drain(x);
}

/* ---- Running it. ---- */

typedef void play(world *x, uint32_t n);

static const struct {
	const char *name;
	play *play;
	uint32_t n;
} plays[] = {
	{ "empty", play_empty, 5 },
	{ "holds of 1", play_holds, 1 },
	{ "holds of 33", play_holds, 33 },
	{ "holds of 200", play_holds, 200 },
	{ "holds of 700", play_holds, 700 },
	{ "ties", play_ties, 1500 },
	{ "zero-delay trees", play_trees, 4000 },
	{ "descending", play_descending, 8000 },
	{ "large", play_large, 34000 },
};

enum { PLAYS = sizeof plays / sizeof *plays };

static const uint32_t windows[] = { 0, 1, 128 };

enum { WINDOWS = sizeof windows / sizeof *windows };

static int play_one(int p, uint32_t window)
{
	world x;

	if (!world_open(&x, plays[p].name, window, plays[p].n))
		fail(&x, "memory for the queue", 0, 1);
	else
		plays[p].play(&x, plays[p].n);
	world_close(&x);
	return !x.bad;
}

/* ---- Memory refused. ---- */

/* grow reaches every kind of growth: stage, top, rungs, chunks, heap, spills. */
static void grow(world *x, uint32_t n)
{
	ross_event e;

	for (uint32_t i = 0; i < n; i++) {
		add(x, exponential(), 1, unif(), 0);
		add(x, 5, 0.3, unif(), 0);
	}
	for (uint32_t i = 0; i < n && take(x, &e); i++)
		add(x, e.time, 0.3, unif(), 0);
	play_descending(x, n);
}

/* refused_once makes the memory calls from first to last fail. The queue must then
 * report that it failed, or be right nevertheless, and must do no damage. When all
 * fail, it must not try again for each key: its keys would move each time. It
 * returns 0 on a mistake, and sets over if there was no such call. */
static int refused_once(uint64_t first, uint64_t last, int *over)
{
	enum { N = 3000, FEW = 12 };
	world x;

	refuse(first, last);
	if (world_open(&x, "memory is refused", 0, N)) {
		grow(&x, N);
		if (x.w->failed)
			blind(&x);
	}
	*over = memory_calls() < first;
	uint64_t more = last == UINT64_MAX && !*over ? memory_calls() - first : 0;
	refuse(0, 0);
	int ok = !x.bad || x.w->failed;
	if (more > FEW) {
		printf("FAIL %s: %llu memory calls after the first that failed, want %d\n", x.name, (unsigned long long)more, FEW);
		ok = 0;
	}
	world_close(&x);
	return ok;
}

/* play_refused fails each memory call in turn: alone, and with all after it. */
static int play_refused(void)
{
	int ok = 1, over = 0;

	for (uint64_t i = 1; ok && !over; i++)
		ok = refused_once(i, i, &over) && refused_once(i, UINT64_MAX, &over);
	return ok;
}

int main(int argc, char **argv)
{
	int passed = 0, failed = 0;

	if (argc > 1)
		seed = strtoull(argv[1], 0, 10);
	for (int p = 0; p < PLAYS; p++) {
		for (int i = 0; i < WINDOWS; i++) {
			if (play_one(p, windows[i]))
				passed++;
			else
				failed++;
		}
	}
	if (play_refused())
		passed++;
	else
		failed++;
	printf("%d passed, %d failed\n", passed, failed);
	return failed ? 1 : 0;
}
