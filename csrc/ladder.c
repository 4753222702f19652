//go:build cgo && !purego

/* The ladder as a whole: the three calls that Go makes, and the window they
 * hand over. */
#include "ladder_internal.h"

#include <stdlib.h>
#include <string.h>

enum { ROSS_APART = 4096 };

static const ross_key INFINITE = { ROSS_INF, ROSS_INF };

/* Memory that shares no page with other memory, such as another thread's ladder:
 * processors prefetch lines behind a stream up to the end of its page, and take them
 * from the processor that works with them. It begins at an offset of its page, below
 * ROSS_APART, so that not everything falls into the same sets of the cache. */
static void *own(size_t bytes, size_t at)
{
	void *p;

	bytes = (at + bytes + ROSS_APART - 1) / ROSS_APART * ROSS_APART;
	return posix_memalign(&p, ROSS_APART, bytes) ? 0 : (char *)memset(p, 0, bytes) + at;
}

static void disown(void *p) { free((void *)((uintptr_t)p / ROSS_APART * ROSS_APART)); }

ross_ladder *ross_ladder_new(char *events, uint64_t stride, const ross_node *nodes,
			     uint32_t window)
{
	ross_ladder *q = own(sizeof *q, 0);
	if (!q)
		return 0;
	q->a = (ross_arena){ events, stride, nodes };
	q->target = window ? window : ROSS_TARGET;
	q->small = q->target < ROSS_SMALL ? q->target : ROSS_SMALL;
	q->window_mem = own((ROSS_SLACK + ROSS_WINDOW_CAP) * sizeof(ross_key), 1024);
	q->w.stage = own(ROSS_STAGE_CAP * sizeof(ross_key), 2560);
	if (!q->window_mem || !q->w.stage || !ross_pool_init(q) ||
	    !ross_list_reserve(q, &q->tmp, ROSS_WINDOW_CAP)) {
		ross_ladder_free(q);
		return 0;
	}
	q->w.keys = q->window_mem + ROSS_SLACK;
	q->w.cap = ROSS_WINDOW_CAP;
	q->w.stage_cap = ROSS_STAGE_CAP;
	q->w.bound_ts = q->w.bound_lo = ROSS_INF;
	q->top_cut = INFINITE;
	q->w.bytes += sizeof *q + (ROSS_SLACK + ROSS_WINDOW_CAP + ROSS_STAGE_CAP) * sizeof(ross_key);
	return q;
}

void ross_ladder_free(ross_ladder *q)
{
	if (!q)
		return;
	for (int i = 0; i < ROSS_MAX_RUNGS; i++) {
		free(q->r[i].b);
		free(q->r[i].heap.k);
	}
	ross_pool_free(q);
	free(q->top.k);
	free(q->tmp.k);
	disown(q->window_mem);
	disown(q->w.stage);
	disown(q);
}

ross_window *ross_ladder_window(ross_ladder *q) { return &q->w; }
uint32_t ross_ladder_rungs(const ross_ladder *q) { return q->nr; }

static void set_bound(ross_ladder *q, ross_key cut)
{
	q->w.bound_ts = cut.ts;
	q->w.bound_lo = cut.lo;
	q->w.tie = 0;
}

static void drop_empty_rungs(ross_ladder *q)
{
	while (q->nr && q->r[q->nr - 1].n == 0)
		q->nr--;
}

/* rung_of returns the rung of a key that is before the top's cut and not before the
 * bound. */
static inline ross_rung *rung_of(ross_ladder *q, const ross_key *k)
{
	ross_rung *r = q->r;
	while (ross_key_lt(*k, r->cut))
		r++;
	return r;
}

static inline void place(ross_ladder *q, const ross_key *k)
{
	if (ross_key_ge(*k, q->top_cut)) {
		if (ross_list_reserve(q, &q->top, q->top.n + 1))
			q->top.k[q->top.n++] = *k;
		return;
	}
	ross_rung_place(q, rung_of(q, k), k);
}

/* place_outermost places the staged keys, most of which belong into the outermost
 * rung. The loop keeps the fields of that rung in variables, because the compiler
 * must assume that writing a key changes them. */
static void place_outermost(ross_ladder *q, uint32_t n)
{
	ross_rung *r = &q->r[0];
	const ross_key *k = q->w.stage;
	ross_bucket *buckets = r->b;
	uint64_t start = r->start, from = r->cut.lo ? r->cut.ts + 1 : r->cut.ts, end = q->top_cut.ts;
	uint32_t shift = r->shift, last = r->nb - 1, placed = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t ts = k[i].ts;
		if (__builtin_expect(ts < from || ts >= end, 0)) {
			place(q, &k[i]);
			continue;
		}
		uint64_t x = (ts - start) >> shift;
		ross_bucket_push(q, &buckets[x < last ? x : last], &k[i]);
		placed++;
	}
	r->n += placed;
}

/* touch_buckets reads the memory that placing the staged keys will write, first the
 * buckets, then the chunks they point at: these reads do not wait for one another,
 * but the writes would. They are real reads because processors drop a prefetch that
 * misses the TLB, as most do in a large queue. */
static void touch_buckets(ross_ladder *q, uint32_t n)
{
	const ross_bucket *b[ROSS_STAGE_CAP];
	uint32_t m = 0;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n; i++) {
		const ross_key *k = &q->w.stage[i];
		if (ross_key_ge(*k, q->top_cut))
			continue;
		const ross_rung *r = rung_of(q, k);
		if (r->level != 2)
			b[m++] = &r->b[ross_rung_index(r, *k)];
	}
	for (uint32_t i = 0; i < m; i++)
		sum += q->chunks[b[i]->head].k[b[i]->n & (ROSS_CHUNK - 1)].ts;
	q->touched = sum; /* so that the compiler does not drop the reads */
}

/* ross_ladder_flush sorts the staged keys into top and rungs. A failed queue
 * drops them: rungs may lack their buckets. */
void ross_ladder_flush(ross_ladder *q)
{
	uint32_t n = q->w.staged;
	if (q->w.failed)
		n = q->w.staged = 0;
	if (q->w.far > ROSS_TOUCH)
		touch_buckets(q, n);
	if (q->nr && q->r[0].level == 0)
		place_outermost(q, n);
	else
		for (uint32_t i = 0; i < n; i++)
			place(q, &q->w.stage[i]);
	q->w.far += n;
	q->w.staged = 0;
}

/* gather_all makes the whole queue the window, which is cheapest for few keys. */
static void gather_all(ross_ladder *q)
{
	q->tmp.n = 0;
	while (q->nr)
		ross_rung_gather(q, &q->r[--q->nr], &q->tmp);
	memcpy(q->w.keys, q->tmp.k, q->tmp.n * sizeof(ross_key));
	if (q->top.n)
		memcpy(q->w.keys + q->tmp.n, q->top.k, q->top.n * sizeof(ross_key));
	q->w.n = (uint32_t)(q->tmp.n + q->top.n);
	q->top.n = 0;
	q->top_cut = INFINITE;
	q->w.far = 0;
	ross_sort(&q->a, q->w.keys, q->tmp.k, q->w.n);
	set_bound(q, INFINITE);
}

/* collapse puts all rungs back into the top, when the ladder has become too deep
 * because it divided too finely. */
static void collapse(ross_ladder *q)
{
	while (q->nr)
		ross_rung_gather(q, &q->r[--q->nr], &q->top);
}

/* hand_over_ties makes the least keys of a heap the window. */
static void hand_over_ties(ross_ladder *q, ross_rung *r)
{
	uint32_t n = r->n < q->small ? (uint32_t)r->n : q->small;

	for (uint32_t i = n; i-- > 0;)
		q->w.keys[i] = ross_heap_pop(q, &r->heap);
	q->w.n = n;
	q->w.far -= n;
	r->n -= n;
	if (r->n == 0) {
		drop_empty_rungs(q);
		set_bound(q, ross_outer_cut(q, q->nr));
		return;
	}
	ross_rung next = { .level = 1, .ts = r->ts, .start = r->start + 1 };
	ross_rung_advance(&next);
	set_bound(q, next.cut);
	q->w.tie = 1;
	q->w.tie_min = r->heap.k[0];
}

/* hand_over makes the next buckets of a rung, at least one, the window. It returns 0
 * if the next bucket must be divided first. */
static int hand_over(ross_ladder *q, ross_rung *r)
{
	uint32_t c = r->cur, total;

	while (r->b[c].n == 0)
		c++;
	r->cur = c;
	total = r->b[c++].n;
	if (total > ROSS_SPLIT)
		return 0;
	while (total < r->n && total + r->b[c].n <= q->target)
		total += r->b[c++].n;
	ross_take_buckets(q, &r->b[r->cur], &r->b[c], q->w.keys + total);
	q->w.n = total;
	q->w.far -= total;
	r->n -= total;
	r->cur = c;
	ross_rung_advance(r);
	drop_empty_rungs(q);
	set_bound(q, ross_outer_cut(q, q->nr));
	return 1;
}

/* divide turns the next bucket into a rung. */
static int divide(ross_ladder *q, ross_rung *r)
{
	ross_bucket *b = &r->b[r->cur];

	q->tmp.n = b->n;
	if (!ross_list_reserve(q, &q->tmp, b->n))
		return 0;
	ross_bucket_take(q, b, q->tmp.k);
	r->n -= q->tmp.n;
	r->cur++;
	if (r->cur == r->nb)
		q->nr--;
	else
		ross_rung_advance(r);
	return ross_rung_spawn(q, &q->tmp, 0);
}

/* ross_ladder_refill hands over the next window. An empty window after it
 * means that the queue is empty. */
void ross_ladder_refill(ross_ladder *q)
{
	ross_ladder_flush(q);
	while (q->w.n == 0 && !q->w.failed) {
		drop_empty_rungs(q);
		if (q->w.far <= q->small) {
			gather_all(q);
			return;
		}
		if (q->nr > ROSS_MAX_RUNGS - 4) {
			collapse(q);
			continue;
		}
		if (!q->nr) {
			ross_rung_spawn(q, &q->top, 1);
			continue;
		}
		ross_rung *r = &q->r[q->nr - 1];
		if (r->level == 2)
			hand_over_ties(q, r);
		else if (!hand_over(q, r))
			divide(q, r);
	}
}

/* spill_ties returns keys of the window to the heap they came from. It returns 0 if
 * the far half of the window has none. */
static int spill_ties(ross_ladder *q)
{
	ross_rung *r = &q->r[q->nr - 1];
	uint32_t n = 0;

	while (n < q->w.n / 2 && ross_key_same(q->w.keys[n], q->w.tie_min))
		ross_rung_place(q, r, &q->w.keys[n++]);
	if (!n)
		return 0;
	q->w.far += n;
	q->w.n -= n;
	memmove(q->w.keys, q->w.keys + n, q->w.n * sizeof(ross_key));
	q->w.tie_min = r->heap.k[0];
	return 1;
}

/* split_point returns how many of the window's far keys to spill: about half, but
 * never only some of the keys that agree in 96 bits. */
static uint32_t split_point(const ross_window *w)
{
	uint32_t p = w->n / 2;
	while (p < w->n && ross_key_same(w->keys[p - 1], w->keys[p]))
		p++;
	if (p < w->n)
		return p;
	for (p = w->n / 2; p > 0 && ross_key_same(w->keys[p - 1], w->keys[p]); p--)
		;
	return p ? p : w->n;
}

/* ross_ladder_spill returns the far half of a full window: to the top, or as a new
 * innermost rung. Inner rungs no larger than that are merged into it, so that sizes
 * at least double outwards: the ladder stays O(log n) deep even if every key comes
 * before all others. */
void ross_ladder_spill(ross_ladder *q)
{
	ross_ladder_flush(q);
	if (q->w.failed) {
		q->w.n = 0; /* the caller relies on room */
		return;
	}
	if (q->w.tie && spill_ties(q))
		return;
	uint32_t n = split_point(&q->w);
	ross_key cut = { q->w.keys[n - 1].ts, q->w.keys[n - 1].lo >> 32 << 32 };
	ross_list *to = &q->tmp;

	to->n = 0;
	if (q->nr > ROSS_MAX_RUNGS - 4)
		collapse(q);
	if (!ross_list_reserve(q, to, n))
		return;
	memcpy(to->k, q->w.keys, n * sizeof(ross_key));
	to->n = n;
	while (q->nr && q->r[q->nr - 1].level != 2 && q->r[q->nr - 1].n <= to->n)
		ross_rung_gather(q, &q->r[--q->nr], to);
	if (!q->nr) {
		if (!ross_list_reserve(q, &q->top, q->top.n + to->n))
			return;
		memcpy(q->top.k + q->top.n, to->k, to->n * sizeof(ross_key));
		q->top.n += to->n;
		q->top_cut = cut;
	} else if (ross_rung_spawn(q, to, 0)) {
		q->r[q->nr - 1].cut = cut;
	}
	q->w.far += n;
	q->w.n -= n;
	memmove(q->w.keys, q->w.keys + n, q->w.n * sizeof(ross_key));
	set_bound(q, cut);
}
