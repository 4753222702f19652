//go:build cgo && !purego

/* Rungs: the width of buckets, and how keys get into them.
 *
 * Widths come from the density of keys at the head, estimated from a sample, not
 * from the whole range: a pending set has a long tail, and buckets sized by it
 * hold ten times too many keys when their turn comes. Widths are powers of two in
 * the bits of the time, so an index is a subtraction and a shift, exact for every
 * finite time, and a set that spans 1e-300 to 1e300 is divided as well as one that
 * spans a second. */
#include "ladder_internal.h"

#include <stdlib.h>
#include <string.h>

#define TIME_END 0x7ff0000000000000ull /* bits of +Inf: beyond every time */

/* ross_outer_cut returns the cut of the innermost of nr rungs, or of the top. */
ross_key ross_outer_cut(const ross_ladder *q, uint32_t nr)
{
	return nr ? q->r[nr - 1].cut : q->top_cut;
}

static ross_key cut_at(const ross_rung *r, uint64_t x)
{
	if (r->level == 0)
		return (ross_key){ x, 0 };
	if (x > UINT32_MAX)
		return (ross_key){ r->ts + 1, 0 };
	return (ross_key){ r->ts, x << 32 };
}

/* ross_rung_advance sets the cut to the first bucket that is not used up. */
void ross_rung_advance(ross_rung *r)
{
	r->cut = cut_at(r, r->start + ((uint64_t)r->cur << r->shift));
}

/* ross_rung_gather moves all keys of a rung to out and leaves it empty. */
void ross_rung_gather(ross_ladder *q, ross_rung *r, ross_list *out)
{
	if (!ross_list_reserve(q, out, out->n + r->n))
		return;
	if (r->level == 2) {
		memcpy(out->k + out->n, r->heap.k, r->heap.n * sizeof *out->k);
		out->n += r->heap.n;
		r->heap.n = 0;
	} else {
		for (uint64_t left = r->n; left; r->cur++) {
			uint32_t n = r->b[r->cur].n;
			if (!n)
				continue;
			ross_bucket_take(q, &r->b[r->cur], out->k + out->n);
			out->n += n;
			left -= n;
		}
	}
	r->n = 0;
}

typedef struct range {
	uint64_t min, max;
} range;

static range range_of_times(const ross_key *k, uint64_t n)
{
	range x = { k[0].ts, k[0].ts };
	for (uint64_t i = 1; i < n; i++) {
		x.min = k[i].ts < x.min ? k[i].ts : x.min;
		x.max = k[i].ts > x.max ? k[i].ts : x.max;
	}
	return x;
}

static range range_of_prefixes(const ross_key *k, uint64_t n)
{
	range x = { k[0].lo >> 32, k[0].lo >> 32 };
	for (uint64_t i = 1; i < n; i++) {
		uint64_t p = k[i].lo >> 32;
		x.min = p < x.min ? p : x.min;
		x.max = p > x.max ? p : x.max;
	}
	return x;
}

/* head_span returns how far from min a quarter of the keys lies, by a sample. */
static uint64_t head_span(const ross_key *k, uint64_t n, int level, uint64_t min, uint64_t *keys)
{
	uint64_t s[ROSS_SAMPLE];
	uint64_t m = n < 4 * ROSS_SAMPLE ? ROSS_SAMPLE / 4 : ROSS_SAMPLE;
	if (m > n)
		m = n;
	for (uint64_t i = 0; i < m; i++) {
		ross_key e = k[i * n / m];
		uint64_t x = (level ? e.lo >> 32 : e.ts) - min, j = i;
		for (; j > 0 && s[j - 1] > x; j--)
			s[j] = s[j - 1];
		s[j] = x;
	}
	*keys = (m / 4 + 1) * n / m;
	return s[m / 4];
}

static uint32_t log2_floor(uint64_t x) { return x ? 63 - (uint32_t)__builtin_clzll(x) : 0; }

/* set_buckets chooses width and number of the buckets. */
static int set_buckets(ross_ladder *q, ross_rung *r, const ross_key *k, uint64_t n, range x)
{
	uint64_t keys, span = head_span(k, n, (int)r->level, x.min, &keys);
	double width = (double)span * ROSS_PER_BUCKET / (double)keys;
	uint64_t most = n * ROSS_SPREAD / ROSS_PER_BUCKET + 2;

	r->start = x.min;
	r->shift = width >= 2 ? log2_floor((uint64_t)width) : 0;
	uint64_t nb = ((x.max - x.min) >> r->shift) + 1;
	if (nb > most)
		nb = most;
	if (nb > UINT32_MAX / 2)
		nb = UINT32_MAX / 2;
	if (nb > r->bcap) {
		ross_bucket *b = realloc(r->b, nb * sizeof *b);
		if (!b) {
			q->w.failed = 1;
			return 0;
		}
		q->w.bytes += (nb - r->bcap) * sizeof *b;
		r->b = b;
		r->bcap = (uint32_t)nb;
	}
	memset(r->b, 0, nb * sizeof *r->b);
	r->nb = (uint32_t)nb;
	r->cur = 0;
	return 1;
}

static ross_rung *push_rung(ross_ladder *q, uint32_t level, uint64_t ts)
{
	ross_rung *r = &q->r[q->nr++];
	r->level = level;
	r->ts = ts;
	r->n = 0;
	r->shift = 0;
	r->nb = r->cur = 0;
	return r;
}

/* spawn_heap makes a rung of keys that cannot be divided. Keys that may later come
 * between it and the part beyond get a rung of one bucket. */
static void spawn_heap(ross_ladder *q, ross_list *src, int from_top)
{
	ross_key k = src->k[0];
	uint64_t prefix = k.lo >> 32;
	ross_rung probe = { .level = 1, .ts = k.ts };
	ross_key after = cut_at(&probe, prefix + 1);

	if (from_top) {
		q->top_cut = after;
	} else if (ross_key_lt(after, ross_outer_cut(q, q->nr))) {
		ross_rung *rest = push_rung(q, after.lo ? 1 : 0, after.ts);
		ross_key one = after;
		if (!set_buckets(q, rest, &one, 1,
				 after.lo ? (range){ after.lo >> 32, after.lo >> 32 } :
					    (range){ after.ts, after.ts }))
			return;
		rest->cut = after;
	}
	ross_rung *r = push_rung(q, 2, k.ts);
	if (!ross_list_reserve(q, &r->heap, src->n))
		return;
	memcpy(r->heap.k, src->k, src->n * sizeof k);
	r->heap.n = r->n = src->n;
	r->start = prefix;
	r->cut = cut_at(r, prefix);
	ross_heap_make(q, &r->heap);
	src->n = 0;
}

/* keep_beyond moves the keys of src below end into the rung and keeps the rest. */
static void keep_beyond(ross_ladder *q, ross_rung *r, ross_list *src, uint64_t end)
{
	uint64_t kept = 0;
	for (uint64_t i = 0; i < src->n; i++) {
		const ross_key *k = &src->k[i];
		if (k->ts < end)
			ross_rung_place(q, r, k);
		else
			src->k[kept++] = *k;
	}
	src->n = kept;
}

static uint64_t end_of(const ross_rung *r)
{
	unsigned __int128 end = ((unsigned __int128)r->nb << r->shift) + r->start;
	return end < TIME_END ? (uint64_t)end : TIME_END;
}

/* ross_rung_spawn makes the keys of src the innermost rung. If src is the top,
 * keys beyond the last bucket stay there; otherwise the last bucket takes them. It
 * returns 0 when memory fails. */
int ross_rung_spawn(ross_ladder *q, ross_list *src, int from_top)
{
	range t = range_of_times(src->k, src->n);
	uint64_t end = TIME_END;
	ross_rung *r;

	if (t.min < t.max) {
		r = push_rung(q, 0, 0);
		if (!set_buckets(q, r, src->k, src->n, t))
			return 0;
		if (from_top) {
			end = end_of(r);
			q->top_cut = (ross_key){ end, 0 };
		}
	} else {
		range p = range_of_prefixes(src->k, src->n);
		if (p.min == p.max && src->n > ROSS_SPLIT) {
			spawn_heap(q, src, from_top);
			return !q->w.failed;
		}
		r = push_rung(q, 1, t.min);
		if (!set_buckets(q, r, src->k, src->n, p))
			return 0;
		if (from_top)
			q->top_cut = (ross_key){ t.min + 1, 0 };
	}
	ross_rung_advance(r);
	keep_beyond(q, r, src, from_top ? end : UINT64_MAX);
	return !q->w.failed;
}
