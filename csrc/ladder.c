//go:build cgo && !purego

/* The ladder as a whole: the three calls that Go makes, and the window they
 * hand over. */
#include "ladder_internal.h"
#include "window.h"

#include <stdlib.h>
#include <string.h>

enum {
	APART = 4096,
	TARGET = 64,       /* keys handed over in one window by default */
	SMALL = 32,        /* upper bound of small, and of a window of ties */
	WINDOW_CAP = 256   /* room in the window */
};

/* Memory that shares no page with other memory, such as another thread's ladder:
 * processors prefetch lines behind a stream up to the end of its page, and take them
 * from the processor that works with them. It begins at an offset of its page, below
 * APART, so that not everything falls into the same sets of the cache. */
static void *own(size_t bytes, size_t at)
{
	void *p;

	bytes = (at + bytes + APART - 1) / APART * APART;
	return posix_memalign(&p, APART, bytes) ? 0 : (char *)memset(p, 0, bytes) + at;
}

static void disown(void *p) { free((void *)((uintptr_t)p / APART * APART)); }

ross_ladder *ross_ladder_new(char *events, uint64_t stride, const ross_node *nodes,
			     uint32_t window)
{
	ross_ladder *q = own(sizeof *q, 0);
	if (!q)
		return 0;
	ross_arena arena = { events, stride, nodes };
	q->target = window ? window : TARGET;
	q->small = q->target < SMALL ? q->target : SMALL;
	q->window_mem = own((ROSS_SLACK + WINDOW_CAP) * sizeof(ross_key), 1024);
	q->w.stage = own(ROSS_STAGE_CAP * sizeof(ross_key), 2560);
	if (!q->window_mem || !q->w.stage ||
	    !ross_stack_init(&q->stack, arena, &q->w.bytes, &q->w.failed) ||
	    !ross_list_reserve(&q->stack.pool, &q->tmp, WINDOW_CAP)) {
		ross_ladder_free(q);
		return 0;
	}
	q->w.keys = q->window_mem + ROSS_SLACK;
	q->w.cap = WINDOW_CAP;
	q->w.stage_cap = ROSS_STAGE_CAP;
	q->w.bound_ts = q->w.bound_lo = ROSS_INF;
	q->w.bytes += sizeof *q + (ROSS_SLACK + WINDOW_CAP + ROSS_STAGE_CAP) * sizeof(ross_key);
	return q;
}

void ross_ladder_free(ross_ladder *q)
{
	if (!q)
		return;
	ross_stack_free(&q->stack);
	free(q->tmp.k);
	disown(q->window_mem);
	disown(q->w.stage);
	disown(q);
}

ross_window *ross_ladder_window(ross_ladder *q) { return &q->w; }
uint32_t ross_ladder_rungs(const ross_ladder *q) { return q->stack.nr; }

static void set_bound(ross_ladder *q, ross_key cut)
{
	q->w.bound_ts = cut.ts;
	q->w.bound_lo = cut.lo;
	q->w.tie = 0;
}

/* ross_ladder_flush sorts the staged keys into top and rungs. A failed queue
 * drops them: rungs may lack their buckets. */
void ross_ladder_flush(ross_ladder *q)
{
	uint32_t n = q->w.staged;
	if (q->w.failed)
		n = q->w.staged = 0;
	ross_stack_place(&q->stack, q->w.stage, n);
	q->w.far += n;
	q->w.staged = 0;
}

/* gather_all makes the whole queue the window, which is cheapest for few keys. */
static void gather_all(ross_ladder *q)
{
	q->tmp.n = 0;
	ross_stack_gather(&q->stack, &q->tmp);
	memcpy(q->w.keys, q->tmp.k, q->tmp.n * sizeof(ross_key));
	if (q->stack.top.n)
		memcpy(q->w.keys + q->tmp.n, q->stack.top.k, q->stack.top.n * sizeof(ross_key));
	q->w.n = (uint32_t)(q->tmp.n + q->stack.top.n);
	q->stack.top.n = 0;
	q->stack.top_cut = ROSS_INFINITE;
	q->w.far = 0;
	ross_sort(&q->stack.pool.arena, q->w.keys, q->tmp.k, q->w.n);
	set_bound(q, ROSS_INFINITE);
}

/* collapse puts all rungs back into the top, when the ladder has become too deep
 * because it divided too finely. */
static void collapse(ross_ladder *q) { ross_stack_gather(&q->stack, &q->stack.top); }

/* hand_over_ties makes the least keys of a heap the window. */
static void hand_over_ties(ross_ladder *q, ross_rung *r)
{
	uint32_t n = r->n < q->small ? (uint32_t)r->n : q->small;

	for (uint32_t i = n; i-- > 0;)
		q->w.keys[i] = ross_heap_pop(&q->stack.pool, &r->heap);
	q->w.n = n;
	q->w.far -= n;
	r->n -= n;
	if (r->n == 0) {
		ross_stack_drop(&q->stack);
		set_bound(q, ross_stack_cut(&q->stack, q->stack.nr));
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
	ross_window_take(&q->stack.pool, &r->b[r->cur], &r->b[c], q->tmp.k, q->w.keys + total);
	q->w.n = total;
	q->w.far -= total;
	r->n -= total;
	r->cur = c;
	ross_rung_advance(r);
	ross_stack_drop(&q->stack);
	set_bound(q, ross_stack_cut(&q->stack, q->stack.nr));
	return 1;
}

/* divide turns the next bucket into a rung. That of a coarse rung needs no sample, if it is as full as was expected. */
static int divide(ross_ladder *q, ross_rung *r)
{
	ross_bucket *b = &r->b[r->cur];

	if (b->n <= 4 * r->coarse && r->cur < r->nb - 1)
		return ross_stack_part(&q->stack);
	q->tmp.n = b->n;
	if (!ross_list_reserve(&q->stack.pool, &q->tmp, b->n))
		return 0;
	ross_bucket_take(&q->stack.pool, b, q->tmp.k);
	r->n -= q->tmp.n;
	r->cur++;
	if (r->cur == r->nb)
		q->stack.nr--;
	else
		ross_rung_advance(r);
	return ross_stack_spawn(&q->stack, &q->tmp, 0);
}

/* ross_ladder_refill hands over the next window. An empty window after it
 * means that the queue is empty. */
void ross_ladder_refill(ross_ladder *q)
{
	ross_ladder_flush(q);
	while (q->w.n == 0 && !q->w.failed) {
		ross_stack_drop(&q->stack);
		if (q->w.far <= q->small) {
			gather_all(q);
			return;
		}
		if (q->stack.nr > ROSS_MAX_RUNGS - 4) {
			collapse(q);
			continue;
		}
		if (!q->stack.nr) {
			ross_stack_spawn(&q->stack, &q->stack.top, 1);
			continue;
		}
		ross_rung *r = &q->stack.r[q->stack.nr - 1];
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
	ross_rung *r = &q->stack.r[q->stack.nr - 1];
	uint32_t n = 0;

	while (n < q->w.n / 2 && ross_key_same(q->w.keys[n], q->w.tie_min))
		ross_rung_place(&q->stack.pool, r, &q->w.keys[n++]);
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
	if (q->stack.nr > ROSS_MAX_RUNGS - 4)
		collapse(q);
	if (!ross_list_reserve(&q->stack.pool, to, n))
		return;
	memcpy(to->k, q->w.keys, n * sizeof(ross_key));
	to->n = n;
	while (q->stack.nr && q->stack.r[q->stack.nr - 1].level != 2 && q->stack.r[q->stack.nr - 1].n <= to->n)
		ross_rung_gather(&q->stack.pool, &q->stack.r[--q->stack.nr], to);
	if (!q->stack.nr) {
		if (!ross_list_reserve(&q->stack.pool, &q->stack.top, q->stack.top.n + to->n))
			return;
		memcpy(q->stack.top.k + q->stack.top.n, to->k, to->n * sizeof(ross_key));
		q->stack.top.n += to->n;
		q->stack.top_cut = cut;
	} else if (ross_stack_spawn(&q->stack, to, 0)) {
		q->stack.r[q->stack.nr - 1].cut = cut;
	}
	q->w.far += n;
	q->w.n -= n;
	memmove(q->w.keys, q->w.keys + n, q->w.n * sizeof(ross_key));
	set_bound(q, cut);
}
