//go:build cgo && !purego

/* The stack of rungs: where a key belongs, and making a rung of keys. */
#include "stack.h"

#include <stdlib.h>
#include <string.h>

enum {
	BATCH = 64, /* keys that chunks are made ready for at once */
	AHEAD = 8   /* chunks of a bucket that are prefetched before they are read */
};

#define TIME_END 0x7ff0000000000000ull /* bits of +Inf: beyond every time */

int ross_stack_init(ross_stack *s, ross_arena arena, uint64_t *bytes, uint32_t *failed)
{
	s->top_cut = ROSS_INFINITE;
	return ross_pool_init(&s->pool, arena, bytes, failed);
}

void ross_stack_free(ross_stack *s)
{
	for (int i = 0; i < ROSS_MAX_RUNGS; i++) {
		free(s->r[i].b);
		free(s->r[i].heap.k);
	}
	ross_pool_free(&s->pool);
	free(s->top.k);
}

ross_key ross_stack_cut(const ross_stack *s, uint32_t nr)
{
	return nr ? s->r[nr - 1].cut : s->top_cut;
}

void ross_stack_drop(ross_stack *s)
{
	while (s->nr && s->r[s->nr - 1].n == 0)
		s->nr--;
}

void ross_stack_gather(ross_stack *s, ross_list *out)
{
	while (s->nr)
		ross_rung_gather(&s->pool, &s->r[--s->nr], out);
}

/* ---- Placing keys ---- */

/* rung_of returns the rung of a key that is before the top's cut, and not before that of
 * the innermost rung. */
static inline ross_rung *rung_of(ross_stack *s, const ross_key *k)
{
	ross_rung *r = s->r;
	while (ross_key_lt(*k, r->cut))
		r++;
	return r;
}

static inline void place(ross_stack *s, const ross_key *k)
{
	if (ross_key_ge(*k, s->top_cut)) {
		if (ross_list_reserve(&s->pool, &s->top, s->top.n + 1))
			s->top.k[s->top.n++] = *k;
		return;
	}
	ross_rung_place(&s->pool, rung_of(s, k), k);
}

/* A writer is the pool, in variables of the loop that pushes keys: in memory, the compiler would have to assume that
 * writing a key changes it. */
typedef struct writer {
	ross_chunk *chunks;
	uint32_t *next, *fresh; /* the last of the free chunks */
} writer;

static inline writer writer_of(const ross_pool *p)
{
	return (writer){ p->chunks, p->next, p->free + p->nfree - 1 };
}

static inline void written(ross_pool *p, writer w) { p->nfree = (uint32_t)(w.fresh - p->free) + 1; }

/* push is ross_bucket_push with a chunk that is free. Processors cannot predict which key needs it, so there is no
 * branch on that: to the link of a chunk that stays free anything may be written. */
static inline writer push(writer w, ross_bucket *b, ross_key k)
{
	ross_bucket old = *b;
	uint32_t pos = old.n & (ROSS_CHUNK - 1), c = *w.fresh;
	uint64_t need = ((uint64_t)pos - 1) >> 63;

	w.next[c] = old.head;
	c = old.head ^ ((old.head ^ c) & (uint32_t)-need);
	*b = (ross_bucket){ c, old.n + 1 };
	w.chunks[c].k[pos] = k;
	w.fresh -= need;
	return w;
}

/* place_outermost places keys, most of them in the outermost rung. */
static void place_outermost(ross_stack *s, const ross_key *k, uint32_t n)
{
	ross_pool *p = &s->pool;
	ross_rung *r = &s->r[0];
	ross_bucket *buckets = r->b;
	uint64_t start = r->start, from = r->cut.lo ? r->cut.ts + 1 : r->cut.ts, end = s->top_cut.ts;
	uint64_t last = r->nb - 1, length = from < end ? end - from : 0;
	uint32_t shift = r->shift, placed = 0;

	for (uint32_t i = 0; i < n;) {
		uint32_t stop = n - i < BATCH ? n : i + BATCH;
		if (!ross_pool_ready(p, stop - i))
			break;
		writer w = writer_of(p);
		for (; i < stop; i++) {
			uint64_t ts = k[i].ts, x = (ts - start) >> shift;
			if (__builtin_expect(ts - from >= length, 0)) {
				written(p, w);
				place(s, &k[i]);
				w = writer_of(p);
				continue;
			}
			w = push(w, &buckets[x < last ? x : last], k[i]);
			placed++;
		}
		written(p, w);
	}
	r->n += placed;
}

void ross_stack_place(ross_stack *s, const ross_key *k, uint32_t n)
{
	if (s->nr && s->r[0].level == 0)
		place_outermost(s, k, n);
	else
		for (uint32_t i = 0; i < n; i++)
			place(s, &k[i]);
}

/* ---- Making a rung ---- */

static ross_range range_of_times(const ross_key *k, uint64_t n)
{
	ross_range x = { k[0].ts, k[0].ts };
	for (uint64_t i = 1; i < n; i++) {
		x.min = k[i].ts < x.min ? k[i].ts : x.min;
		x.max = k[i].ts > x.max ? k[i].ts : x.max;
	}
	return x;
}

static ross_range range_of_prefixes(const ross_key *k, uint64_t n)
{
	ross_range x = { k[0].lo >> 32, k[0].lo >> 32 };
	for (uint64_t i = 1; i < n; i++) {
		uint64_t p = k[i].lo >> 32;
		x.min = p < x.min ? p : x.min;
		x.max = p > x.max ? p : x.max;
	}
	return x;
}

static ross_rung *push_rung(ross_stack *s, uint32_t level, uint64_t ts)
{
	ross_rung *r = &s->r[s->nr++];
	r->level = level;
	r->ts = ts;
	r->n = 0;
	r->shift = 0;
	r->nb = r->cur = 0;
	return r;
}

/* spawn_heap makes a rung of keys that cannot be divided. Keys that may later come
 * between it and the part beyond get a rung of one bucket. */
static void spawn_heap(ross_stack *s, ross_list *src, int from_top)
{
	ross_key k = src->k[0];
	uint64_t prefix = k.lo >> 32;
	ross_rung probe = { .level = 1, .ts = k.ts };
	ross_key after = ross_rung_cut(&probe, prefix + 1);

	if (from_top) {
		s->top_cut = after;
	} else if (ross_key_lt(after, ross_stack_cut(s, s->nr))) {
		ross_rung *rest = push_rung(s, after.lo ? 1 : 0, after.ts);
		ross_key one = after;
		if (!ross_rung_divide(&s->pool, rest, &one, 1,
				 after.lo ? (ross_range){ after.lo >> 32, after.lo >> 32 } :
					    (ross_range){ after.ts, after.ts }))
			return;
		rest->cut = after;
	}
	ross_rung *r = push_rung(s, 2, k.ts);
	if (!ross_list_reserve(&s->pool, &r->heap, src->n))
		return;
	memcpy(r->heap.k, src->k, src->n * sizeof k);
	r->heap.n = r->n = src->n;
	r->start = prefix;
	r->cut = ross_rung_cut(r, prefix);
	ross_heap_make(&s->pool, &r->heap);
	src->n = 0;
}

/* keep_beyond moves the keys of src below end into the rung and keeps the rest. The memory of
 * a long list is given back on the way, because the chunks take more than it has. */
static void keep_beyond(ross_pool *p, ross_rung *r, ross_list *src, uint64_t end)
{
	ross_bucket *buckets = r->b;
	uint64_t start = r->start, last = r->nb - 1, kept = 0, n = src->n, dropped = 0;
	uint32_t shift = r->shift;
	ross_key *keys = src->k;

	for (uint64_t i = 0; i < n;) {
		uint64_t stop = n - i < BATCH ? n : i + BATCH;
		if (!ross_pool_ready(p, (uint32_t)(stop - i)))
			break;
		writer w = writer_of(p);
		for (; i < stop; i++) {
			ross_key k = keys[i];
			uint64_t x = (k.ts - start) >> shift;
			if (k.ts < end)
				w = push(w, &buckets[x < last ? x : last], k);
			else
				keys[kept++] = k;
		}
		written(p, w);
		if (n >= ROSS_LONG && (i - dropped >= ROSS_LONG / 4 || i == n)) {
			ross_list_drop(src, kept > dropped ? kept : dropped, i);
			dropped = i;
		}
	}
	r->n = n - kept;
	src->n = kept;
	if (n >= ROSS_LONG)
		ross_list_trim(p, src);
}

static uint64_t end_of(const ross_rung *r)
{
	unsigned __int128 end = ((unsigned __int128)r->nb << r->shift) + r->start;
	return end < TIME_END ? (uint64_t)end : TIME_END;
}

int ross_stack_spawn(ross_stack *s, ross_list *src, int from_top)
{
	ross_range t = range_of_times(src->k, src->n);
	uint64_t end = TIME_END;
	ross_rung *r;

	if (t.min < t.max) {
		r = push_rung(s, 0, 0);
		if (!ross_rung_divide(&s->pool, r, src->k, src->n, t))
			return 0;
		if (from_top) {
			end = end_of(r);
			s->top_cut = (ross_key){ end, 0 };
		}
	} else {
		ross_range p = range_of_prefixes(src->k, src->n);
		if (p.min == p.max && src->n > ROSS_SPLIT) {
			spawn_heap(s, src, from_top);
			return !*s->pool.failed;
		}
		r = push_rung(s, 1, t.min);
		if (!ross_rung_divide(&s->pool, r, src->k, src->n, p))
			return 0;
		if (from_top)
			s->top_cut = (ross_key){ t.min + 1, 0 };
	}
	ross_rung_advance(r);
	if (r->level == 0) {
		keep_beyond(&s->pool, r, src, end);
		return !*s->pool.failed;
	}
	for (uint64_t i = 0; i < src->n; i++)
		ross_rung_place(&s->pool, r, &src->k[i]);
	src->n = 0;
	return !*s->pool.failed;
}

static inline void prefetch(const ross_chunk *c)
{
	__builtin_prefetch(&c->k[0]);
	__builtin_prefetch(&c->k[ROSS_CHUNK / 2]);
}

int ross_stack_part(ross_stack *s)
{
	ross_pool *p = &s->pool;
	ross_rung *from = &s->r[s->nr - 1], *r = push_rung(s, 0, 0);
	ross_bucket *b = &from->b[from->cur];
	uint32_t n = b->n, c = b->head, ahead = c, part = ((n - 1) & (ROSS_CHUNK - 1)) + 1;

	if (!ross_rung_halve(p, r, n, from->start + ((uint64_t)from->cur << from->shift), from->shift) ||
	    !ross_pool_ready(p, n / ROSS_CHUNK + r->nb))
		return 0;
	*b = (ross_bucket){ 0, 0 };
	from->cur++;
	from->n -= n;
	ross_rung_advance(from);
	ross_rung_advance(r);
	r->n = n;

	ross_bucket *buckets = r->b;
	uint64_t start = r->start;
	uint32_t shift = r->shift;
	writer w = writer_of(p);
	for (int i = 0; i < AHEAD; i++, ahead = w.next[ahead])
		prefetch(&w.chunks[ahead]);
	while (n) {
		const ross_key *k = w.chunks[c].k, *end = k + part;
		uint32_t older = w.next[c];
		prefetch(&w.chunks[ahead]);
		ahead = w.next[ahead];
		for (; k < end; k++)
			w = push(w, &buckets[(k->ts - start) >> shift], *k);
		*++w.fresh = c;
		n -= part;
		part = ROSS_CHUNK;
		c = older;
	}
	written(p, w);
	return 1;
}
