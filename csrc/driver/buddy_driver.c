/* Buddy driver: the buddy pool without Go, so that valgrind and the sanitizers see
 * every access. It plays Go's part of the magazines as buddy/pool.go does, and
 * keeps a model of who owns each 32 bytes. Blocks that are handed out, and memory
 * that the pool does not have, are inaccessible: the pool must access neither.
 *
 *   buddy_driver [seed]
 *
 * Built from this file and csrc/buddy.c. */
#include "../buddy.h"

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

enum {
	UNIT = 1 << ROSS_BUDDY_MIN,
	LIMIT = 4 << 20, /* bytes that a pool can grow to */
	STEP = 4 << 10,	 /* and what it grows by */
	MOST = LIMIT / UNIT
};

typedef struct block {
	uint64_t off;
	uint32_t k;
} block;

/* A pool under test, and the model with which it must agree. */
typedef struct world {
	const char *name;
	ross_buddy *b;
	block live[MOST];
	uint32_t n;
	uint8_t owned[MOST]; /* 1: handed out */
	uint64_t bytes, ops, refused;
	int bad;
} world;

/* ---- Random numbers: SplitMix64. ---- */

static uint64_t seed = 20261, rng;

static uint64_t bits(void)
{
	uint64_t z = rng += 0x9e3779b97f4a7c15;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static uint32_t below(uint32_t n) { return (uint32_t)(bits() % n); }

/* ---- Go's part: buddy/pool.go. ---- */

static uint64_t take(ross_buddy *b, uint32_t k)
{
	uint32_t m = k - ROSS_BUDDY_MIN;
	if (m >= ROSS_BUDDY_MAGAZINES)
		return ross_buddy_take(b, k);
	ross_magazine *g = &b->magazine[m];
	if (!g->n)
		ross_buddy_fill(b, m);
	return g->n ? g->block[--g->n] : ROSS_BUDDY_NONE;
}

static int grow(ross_buddy *b, uint32_t k)
{
	uint64_t top = (ross_buddy_reach(b, k) + STEP - 1) / STEP * STEP;
	if (top > LIMIT)
		return 0;
	ALLOW(b->base + b->top, top - b->top);
	ross_buddy_extend(b, top);
	return 1;
}

static uint64_t pool_alloc(ross_buddy *b, uint32_t k)
{
	uint64_t off = take(b, k);
	if (off != ROSS_BUDDY_NONE)
		return off;
	ross_buddy_drain(b);
	off = take(b, k);
	return off == ROSS_BUDDY_NONE && grow(b, k) ? take(b, k) : off;
}

static void pool_free(ross_buddy *b, uint64_t off, uint32_t k)
{
	uint32_t m = k - ROSS_BUDDY_MIN;
	if (m >= ROSS_BUDDY_MAGAZINES) {
		ross_buddy_give(b, off, k);
		return;
	}
	ross_magazine *g = &b->magazine[m];
	if (g->n == g->cap)
		ross_buddy_empty(b, m);
	g->block[g->n++] = off;
}

/* ---- The model, and the comparison. ---- */

static void fail(world *x, const char *what, uint64_t got, uint64_t want)
{
	if (!x->bad)
		printf("FAIL %s (seed %llu): after %llu operations: %s: got %llu, want %llu\n", x->name,
		       (unsigned long long)seed, (unsigned long long)x->ops, what,
		       (unsigned long long)got, (unsigned long long)want);
	x->bad = 1;
}

static void check(world *x)
{
	int broken = ross_buddy_check(x->b);
	uint64_t used = x->b->top - x->b->free, blocks = x->b->taken;

	if (broken)
		fail(x, "broken invariant of csrc/buddy.c", (uint64_t)broken, 0);
	for (uint32_t m = 0; m < ROSS_BUDDY_MAGAZINES; m++) {
		used -= (uint64_t)x->b->magazine[m].n << (ROSS_BUDDY_MIN + m);
		blocks -= x->b->magazine[m].n;
	}
	if (used != x->bytes)
		fail(x, "bytes handed out", used, x->bytes);
	if (blocks != x->n)
		fail(x, "blocks handed out", blocks, x->n);
}

static void count(world *x)
{
	if (++x->ops % 499 == 0)
		check(x);
}

static void own(world *x, block y, uint8_t owner)
{
	uint8_t *units = x->owned + y.off / UNIT;
	uint32_t n = (1u << y.k) / UNIT;

	for (uint32_t i = 0; i < n; i++)
		if (units[i] == owner)
			fail(x, "owner of a unit", units[i], !owner);
	memset(units, owner, n);
}

/* add takes a block of order k, unless there is no memory for it. */
static int add(world *x, uint32_t k)
{
	block y = { pool_alloc(x->b, k), k };

	if (y.off == ROSS_BUDDY_NONE) {
		x->refused++;
		count(x);
		return 0;
	}
	if (y.off % (1u << k) || y.off + (1u << k) > x->b->top) {
		fail(x, "place of a block", y.off, x->b->top);
		return 0;
	}
	own(x, y, 1);
	FORBID(x->b->base + y.off, 1u << k);
	x->live[x->n++] = y;
	x->bytes += 1u << k;
	count(x);
	return 1;
}

static void drop(world *x, uint32_t i)
{
	block y = x->live[i];

	x->live[i] = x->live[--x->n];
	x->bytes -= 1u << y.k;
	own(x, y, 0);
	ALLOW(x->b->base + y.off, 1u << y.k);
	pool_free(x->b, y.off, y.k);
	count(x);
}

/* finish frees all blocks; then one block for each 1 in the binary length must be
 * left. */
static void finish(world *x)
{
	while (x->n && !x->bad)
		drop(x, below(x->n));
	ross_buddy_drain(x->b);
	check(x);
	if (x->b->free != x->b->top)
		fail(x, "free bytes at the end", x->b->free, x->b->top);
	if (x->b->orders != x->b->top)
		fail(x, "orders of the blocks at the end", x->b->orders, x->b->top);
}

/* ---- The plays. ---- */

typedef uint32_t distribution(void);

static uint32_t least(void) { return ROSS_BUDDY_MIN; }
static uint32_t small(void) { return ROSS_BUDDY_MIN + below(3); }
static uint32_t any(void) { return ROSS_BUDDY_MIN + below(15); }
static uint32_t few_large(void) { return below(200) ? ROSS_BUDDY_MIN + below(8) : 19 + below(3); }
static uint32_t large(void) { return 13 + below(6); }

static const struct {
	const char *name;
	distribution *order;
	uint32_t n; /* blocks */
} plays[] = {
	{ "one", any, 1 },	    { "smallest", least, 3000 },	 { "small", small, 2000 },
	{ "any", any, 400 },	    { "few large", few_large, 4000 },	 { "large", large, 30 },
	{ "too much", any, 60000 }, { "too much of one", least, 140000 },
};

/* play grows to n blocks, or until there is no room, holds, and drains; twice. */
static void play(world *x, distribution *order, uint32_t n)
{
	for (int round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < n && add(x, order()); i++)
			;
		for (uint32_t i = 0; i < n && i < 8000 && x->n && !x->bad; i++) {
			drop(x, below(x->n));
			add(x, order());
		}
		while (x->n > n / 2 && !x->bad)
			drop(x, below(2) ? x->n - 1 : below(x->n));
		ross_buddy_drain(x->b);
		check(x);
	}
	finish(x);
}

static void *must_alloc(size_t n)
{
	void *p = calloc(1, n);
	if (p)
		return p;
	fprintf(stderr, "buddy_driver: the system has no memory\n");
	exit(2);
}

static int play_one(size_t i)
{
	world *x = must_alloc(sizeof *x);
	ross_buddy *b = must_alloc(sizeof *b);

	rng = seed;
	x->name = plays[i].name;
	x->b = b;
	b->base = must_alloc(LIMIT);
	b->state = must_alloc(MOST);
	for (uint32_t m = 0; m < ROSS_BUDDY_MAGAZINES; m++)
		b->magazine[m].cap = m < 5 ? ROSS_BUDDY_MAGAZINE : ROSS_BUDDY_MAGAZINE >> (m - 4);
	FORBID(b->base, LIMIT);
	play(x, plays[i].order, plays[i].n);
	if (strncmp(x->name, "too much", 8) == 0 && !x->refused)
		fail(x, "blocks refused", 0, 1);
	int ok = !x->bad;
	ALLOW(b->base, LIMIT);
	free(b->base);
	free(b->state);
	free(b);
	free(x);
	return ok;
}

int main(int argc, char **argv)
{
	int passed = 0, failed = 0;

	if (argc > 1)
		seed = strtoull(argv[1], 0, 10);
	for (size_t i = 0; i < sizeof plays / sizeof *plays; i++) {
		if (play_one(i))
			passed++;
		else
			failed++;
	}
	printf("%d passed, %d failed\n", passed, failed);
	return failed ? 1 : 0;
}
