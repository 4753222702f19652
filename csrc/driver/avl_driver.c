/* AVL driver: the index of received events without Go, so that valgrind and the
 * sanitizers see every access. It plays Go's part, compares with a plain list,
 * and checks the trees after each batch.
 *
 *   avl_driver [seed]
 *
 * Built from this file, memory.c and csrc/avl.c, and linked with --wrap for the
 * functions of memory.c. */
#include "../avl.h"
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	SLOTS = 600,
	GAP = 40, /* bytes from node to node */
	SOURCES = 3,
	BATCH = 16
};

/* An index under test, and its model: the slots in it. */
typedef struct world_avl {
	const char *name;
	char *slots; /* slot 0 is the first GAP bytes, and no node */
	ross_avl *t;
	uint32_t order[SLOTS]; /* in the order of insertion */
	uint32_t n;
	uint8_t in[SLOTS + 1];
	uint64_t next; /* ids up to here were given */
	int bad;
} world_avl;

uint64_t seed = 20261;
static uint64_t rng;

/* below is a linear congruential generator (Knuth's MMIX), upper bits. */
uint32_t below(uint32_t n)
{
	rng = rng * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(rng >> 33) % n;
}

static ross_avl_node *node(const world_avl *x, uint32_t i)
{
	return (ross_avl_node *)(x->slots + (size_t)GAP * i);
}

static void wrong(world_avl *x, const char *what, uint64_t got, uint64_t want)
{
	if (!x->bad)
		printf("%s: %s: %lld, want %lld (seed %llu)\n", x->name, what, (long long)got,
		       (long long)want, (unsigned long long)seed);
	x->bad = 1;
}

/* ---- The trees, checked. ---- */

/* height checks the tree at i, whose ids are from least to most, and counts it. */
static int height(world_avl *x, uint32_t i, uint32_t parent, uint64_t least, uint64_t most,
		  uint64_t *n)
{
	if (!i || x->bad)
		return 0;

	ross_avl_node *v = node(x, i);
	if (!x->in[i])
		wrong(x, "a node that was removed", i, 0);
	if (v->parent != parent)
		wrong(x, "parent", v->parent, parent);
	if (v->id < least || v->id > most)
		wrong(x, "id out of order", v->id, least);
	++*n;
	int l = height(x, v->child[0], i, least, v->id - 1, n);
	int r = height(x, v->child[1], i, v->id + 1, most, n);
	if (r - l != v->balance || abs(r - l) > 1)
		wrong(x, "balance", v->balance, r - l);
	return 1 + (l > r ? l : r);
}

static void check_trees(world_avl *x)
{
	uint64_t n = 0;

	for (uint32_t s = 0; s < x->t->nsources; s++) {
		uint32_t i = x->t->sources[s].root;
		height(x, i, 0, 1, UINT64_MAX - 1, &n);
		while (i && node(x, i)->child[1])
			i = node(x, i)->child[1];
		if (i != x->t->sources[s].newest)
			wrong(x, "newest", x->t->sources[s].newest, i);
	}
	if (n != x->n || n != x->t->n)
		wrong(x, "number of nodes", n, x->n);
}

/* ---- Go's part. ---- */

static int has(const world_avl *x, uint32_t source, uint64_t id)
{
	for (uint32_t k = 0; k < x->n; k++) {
		const ross_avl_node *v = node(x, x->order[k]);
		if (v->id == id && v->source == source)
			return 1;
	}
	return 0;
}

/* fresh fills a slot that is not in use. */
static uint32_t fresh(world_avl *x, uint32_t source, uint64_t id)
{
	uint32_t i = 1 + below(SLOTS);

	while (x->in[i])
		i = i % SLOTS + 1;
	memset(node(x, i), 0xa5, sizeof(ross_avl_node));
	node(x, i)->source = source;
	node(x, i)->id = id;
	return i;
}

static void admit(world_avl *x, uint32_t i)
{
	x->in[i] = 1;
	x->order[x->n++] = i;
}

static void expect(world_avl *x, const char *what, uint64_t done, uint64_t want, uint32_t refused)
{
	if (done != want)
		wrong(x, what, done, want);
	if (refused && x->t->refused != refused)
		wrong(x, "refused", x->t->refused, refused);
	check_trees(x);
}

/* put inserts a batch whose ids are less than back before the newest, and a node
 * whose key exists already. */
static void put(world_avl *x, uint32_t back)
{
	uint32_t batch[BATCH + 1], n = 0;

	for (uint32_t want = 1 + below(BATCH); n < want && x->n + 1 < SLOTS;) {
		uint32_t source = below(SOURCES), span = ++x->next < back ? x->next : back;
		uint64_t id = x->next - below(span);
		if (has(x, source, id))
			continue;
		batch[n] = fresh(x, source, id);
		admit(x, batch[n++]);
	}
	if (!x->n)
		return;
	const ross_avl_node *v = node(x, x->order[below(x->n)]);
	batch[n] = fresh(x, v->source, v->id);
	expect(x, "inserted", ross_avl_insert(x->t, batch, n + 1), n, ROSS_AVL_DUPLICATE);
}

/* drop removes a batch that was inserted from position at on, and one node twice. */
static void drop(world_avl *x, uint32_t at, uint32_t n)
{
	uint32_t batch[SLOTS + 1];

	if (!n)
		return;
	memcpy(batch, x->order + at, n * sizeof *batch);
	memmove(x->order + at, x->order + at + n, (x->n - at - n) * sizeof *batch);
	x->n -= n;
	for (uint32_t k = 0; k < n; k++) {
		uint32_t other = below(k + 1), i = batch[k];
		batch[k] = batch[other];
		batch[other] = i;
		x->in[i] = 0;
	}
	batch[n] = batch[below(n)];
	expect(x, "removed", ross_avl_remove(x->t, batch, n + 1), n, ROSS_AVL_NODE);
}

static uint32_t some(const world_avl *x)
{
	uint32_t n = 1 + below(BATCH);

	return n < x->n ? n : x->n;
}

static world_avl *sorting;

static int by_key(const void *a, const void *b)
{
	const ross_avl_node *v = node(sorting, *(const uint32_t *)a);
	const ross_avl_node *w = node(sorting, *(const uint32_t *)b);

	if (v->source != w->source)
		return v->source < w->source ? -1 : 1;
	return v->id < w->id ? -1 : v->id > w->id;
}

/* rebuild makes the trees anew of the same nodes, first out of order. */
static void rebuild(world_avl *x)
{
	uint32_t sorted[SLOTS], n = x->n;

	memcpy(sorted, x->order, n * sizeof *sorted);
	sorting = x;
	qsort(sorted, n, sizeof *sorted, by_key);
	if (n > 1) {
		uint32_t k = below(n - 1), i = sorted[k];
		sorted[k] = sorted[k + 1];
		sorted[k + 1] = i;
		x->n = 0;
		expect(x, "built", ross_avl_build(x->t, sorted, n), k + 1, ROSS_AVL_ORDER);
		x->n = n;
		sorted[k + 1] = sorted[k];
		sorted[k] = i;
	}
	expect(x, "built", ross_avl_build(x->t, sorted, n), n, 0);
}

/* ---- The plays. ---- */

static void play_commit(world_avl *x, uint32_t back)
{
	for (int i = 0; i < 150; i++) {
		put(x, back);
		if (i > 50)
			drop(x, 0, some(x));
	}
}

static void play_rollback(world_avl *x, uint32_t back)
{
	for (int i = 0; i < 150; i++) {
		put(x, back);
		uint32_t n = some(x);
		drop(x, x->n - n, n);
	}
}

static void play_any(world_avl *x, uint32_t back)
{
	for (int i = 0; i < 600; i++) {
		if (!below(20))
			rebuild(x);
		if (below(i % 200 < 100 ? 4 : 2)) {
			put(x, back);
		} else {
			uint32_t n = some(x);
			drop(x, below(x->n - n + 1), n);
		}
	}
}

/* play_sources makes the table grow, and checks that it refuses invalid sources. */
static void play_sources(world_avl *x, uint32_t back)
{
	static const uint32_t wide[] = { 7, 8, 100, 65535, ROSS_AVL_SOURCES, UINT32_MAX };

	for (size_t k = 0; k < sizeof wide / sizeof *wide; k++) {
		uint32_t i = fresh(x, wide[k], back), zero = 0;
		int ok = wide[k] < ROSS_AVL_SOURCES;
		if (ok)
			admit(x, i);
		expect(x, "source", ross_avl_insert(x->t, &i, 1), ok, ok ? 0 : ROSS_AVL_SOURCE);
		expect(x, "node 0", ross_avl_insert(x->t, &zero, 1), 0, ROSS_AVL_NODE);
	}
}

static const struct {
	const char *name;
	void (*play)(world_avl *x, uint32_t back);
	uint32_t back;
} plays[] = {
	{ "commit, ids in order", play_commit, 1 },
	{ "commit, ids nearly in order", play_commit, 30 },
	{ "rollback, ids in order", play_rollback, 1 },
	{ "rollback, ids nearly in order", play_rollback, 30 },
	{ "any, ids in order", play_any, 1 },
	{ "any, ids in any order", play_any, 100000 },
	{ "sources", play_sources, 1 },
};

enum { PLAYS = sizeof plays / sizeof *plays };

static void open_world(world_avl *x, const char *name)
{
	memset(x, 0, sizeof *x);
	x->name = name;
	x->slots = must_malloc((size_t)GAP * (SLOTS + 1));
	x->t = ross_avl_new(x->slots, GAP);
	rng = seed;
}

static void close_world(world_avl *x)
{
	if (x->t)
		ross_avl_free(x->t);
	free(x->slots);
}

static int play_one(int p)
{
	world_avl x;

	open_world(&x, plays[p].name);
	plays[p].play(&x, plays[p].back);
	drop(&x, 0, x.n);
	close_world(&x);
	return !x.bad;
}

/* play_refused fails each memory call in turn: the index must report it and be
 * unchanged, and must accept the same node when there is memory again. */
static int play_refused(void)
{
	world_avl x;

	refuse(1, 1);
	open_world(&x, "memory is refused");
	if (x.t)
		wrong(&x, "made without memory", 1, 0);
	close_world(&x);
	refuse(0, 0);
	open_world(&x, "memory is refused");
	for (uint32_t source = 1; source < 1 << 12; source *= 8) {
		uint32_t i = fresh(&x, source, 1);
		refuse(1, 1);
		expect(&x, "without memory", ross_avl_insert(x.t, &i, 1), 0, ROSS_AVL_MEMORY);
		refuse(0, 0);
		admit(&x, i);
		expect(&x, "with memory", ross_avl_insert(x.t, &i, 1), 1, 0);
	}
	close_world(&x);
	return !x.bad;
}

int main(int argc, char **argv)
{
	int passed = 0;

	if (argc > 1)
		seed = strtoull(argv[1], 0, 10);
	for (int p = 0; p < PLAYS; p++)
		passed += play_one(p);
	passed += play_refused();
	printf("%d passed, %d failed\n", passed, PLAYS + 1 - passed);
	return passed == PLAYS + 1 ? 0 : 1;
}
