//go:build cgo && !purego

/* Invariants of the ladder, for tests and the invariants build. The numbers
 * that ross_ladder_check returns:
 *   1  the window is not sorted                 6  a key is not in its bucket
 *   2  a window key is not before the bound     7  a used-up bucket has keys
 *   3  a staged key is before the bound         8  a rung's count is wrong
 *   4  a key is before the cut of its part      9  a heap is out of order
 *   5  a key is not before the cut beyond it   10  the counts do not add up
 *  11  chunks are lost or used twice */
#include "check.h"

#include "ladder_internal.h"

static int check_window(const ross_ladder *q)
{
	ross_key bound = { q->w.bound_ts, q->w.bound_lo };

	for (uint32_t i = 0; i < q->w.n; i++) {
		ross_key k = q->w.keys[i];
		if (i && !ross_less(&q->stack.pool.arena, k, q->w.keys[i - 1]))
			return 1;
		if (ross_key_ge(k, bound))
			return 2;
		if (q->w.tie && !ross_less(&q->stack.pool.arena, k, q->w.tie_min))
			return 2;
	}
	for (uint32_t i = 0; i < q->w.staged; i++) {
		ross_key k = q->w.stage[i];
		int tied = q->w.tie && ross_key_same(k, q->w.tie_min);
		if (tied ? ross_less(&q->stack.pool.arena, k, q->w.tie_min) : ross_key_lt(k, bound))
			return 3;
	}
	return 0;
}

static int check_heap(const ross_ladder *q, const ross_rung *r)
{
	for (uint64_t i = 0; i < r->heap.n; i++) {
		if (!ross_key_same(r->heap.k[i], r->heap.k[0]))
			return 6;
		if (i && ross_less(&q->stack.pool.arena, r->heap.k[i], r->heap.k[(i - 1) / 2]))
			return 9;
	}
	return r->heap.n == r->n ? 0 : 8;
}

static int check_bucket(const ross_ladder *q, const ross_rung *r, uint32_t b, ross_key beyond,
			uint64_t *chunks)
{
	uint32_t n = r->b[b].n, part = ((n - 1) & (ROSS_CHUNK - 1)) + 1;

	for (uint32_t c = r->b[b].head; n; c = q->stack.pool.next[c], (*chunks)++) {
		for (uint32_t i = 0; i < part; i++) {
			ross_key k = q->stack.pool.chunks[c].k[i];
			if (ross_key_lt(k, r->cut))
				return 4;
			if (ross_key_ge(k, beyond))
				return 5;
			if (ross_rung_index(r, k) != b)
				return 6;
		}
		n -= part;
		part = ROSS_CHUNK;
	}
	return 0;
}

static int check_rung(const ross_ladder *q, const ross_rung *r, ross_key beyond, uint64_t *chunks)
{
	uint64_t n = 0;

	if (r->level == 2)
		return check_heap(q, r);
	for (uint32_t b = 0; b < r->nb; b++) {
		if (!r->b[b].n)
			continue;
		if (b < r->cur)
			return 7;
		int bad = check_bucket(q, r, b, beyond, chunks);
		if (bad)
			return bad;
		n += r->b[b].n;
	}
	return n == r->n ? 0 : 8;
}

int ross_ladder_check(const ross_ladder *q)
{
	uint64_t n = q->stack.top.n, chunks = 0;
	int bad = check_window(q);

	for (uint32_t i = 0; !bad && i < q->stack.nr; i++) {
		n += q->stack.r[i].n;
		bad = check_rung(q, &q->stack.r[i], ross_stack_cut(&q->stack, i), &chunks);
	}
	for (uint64_t i = 0; !bad && i < q->stack.top.n; i++)
		if (ross_key_lt(q->stack.top.k[i], q->stack.top_cut))
			bad = 4;
	if (bad)
		return bad;
	if (n != q->w.far)
		return 10;
	return chunks + q->stack.pool.nfree == q->stack.pool.nchunks ? 0 : 11;
}
