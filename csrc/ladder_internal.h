/* The private half of the ladder: its parts, and what ladder.c, rung.c,
 * bucket.c, sort.c and tieheap.c share. */
#ifndef ROSS_LADDER_INTERNAL_H
#define ROSS_LADDER_INTERNAL_H

#include "ladder.h"

enum {
	ROSS_CHUNK = 8,         /* keys per chunk: two cache lines */
	ROSS_PER_BUCKET = 8,    /* target of keys per bucket at the head of a rung */
	ROSS_SPREAD = 8,        /* buckets of a rung: SPREAD * keys / PER_BUCKET */
	ROSS_TARGET = 64,       /* keys handed over in one window by default */
	ROSS_SPLIT = 96,        /* a bucket with more becomes a rung */
	ROSS_SMALL = 32,        /* upper bound of small, and of a window of ties */
	ROSS_SLACK = 16,        /* keys that may be overwritten before the window */
	ROSS_WINDOW_CAP = 256,  /* room in the window */
	ROSS_STAGE_CAP = 256,
	ROSS_SAMPLE = 64,       /* keys sampled to choose a bucket width */
	ROSS_MAX_RUNGS = 128,
	ROSS_TOUCH = 1 << 15    /* with more keys, buckets are read before they are written */
};

#define ROSS_INF UINT64_MAX

typedef struct ross_bucket {
	uint32_t head; /* newest chunk, 0: none */
	uint32_t n;    /* keys; the newest chunk holds the last of them */
} ross_bucket;

typedef struct ross_chunk {
	ross_key k[ROSS_CHUNK];
} ross_chunk;

/* An unordered, growing array of keys. */
typedef struct ross_list {
	ross_key *k;
	uint64_t n, cap;
} ross_list;

typedef struct ross_rung {
	uint64_t start;    /* level 0: bits of the least time; 1, 2: least prefix */
	uint64_t ts;       /* level 1 and 2: the time of all keys but the overflow */
	ross_key cut;      /* keys >= cut belong here or further out */
	uint64_t n;        /* keys in the buckets or the heap */
	uint32_t shift;    /* a bucket is 2^shift wide */
	uint32_t nb, cur;  /* buckets; those below cur are used up */
	uint32_t level, bcap;
	ross_bucket *b;    /* the last bucket also takes everything beyond it */
	ross_list heap;    /* level 2: binary heap, least first */
} ross_rung;

struct ross_ladder {
	ross_window w;
	ross_arena a;
	ross_chunk *chunks;
	uint32_t *next;    /* next older chunk of a bucket, or next free chunk */
	uint32_t nchunks, chunk_top, chunk_free;
	uint64_t reserved; /* chunks that address space is reserved for; it moves when it is used up */
	ross_list top, tmp;
	ross_key top_cut;
	uint64_t touched;
	uint32_t nr;
	ross_key *window_mem;
	uint32_t target;   /* keys to hand over in one window */
	uint32_t small;    /* with at most this many keys, all form the window */
	ross_rung r[ROSS_MAX_RUNGS];
};

/* bucket.c */
int ross_pool_init(ross_ladder *q);
void ross_pool_free(ross_ladder *q);
int ross_pool_more(ross_ladder *q);
void ross_bucket_take(ross_ladder *q, ross_bucket *b, ross_key *out);
int ross_list_reserve(ross_ladder *q, ross_list *l, uint64_t n);

/* sort.c: all sort descending, by ross_less */
void ross_sort(const ross_arena *a, ross_key *k, ross_key *tmp, uint64_t n);

/* window.c: takes the keys of some buckets, sorted, to below end, the least
 * key last; the first of them must be the least bucket */
void ross_take_buckets(ross_ladder *q, ross_bucket *b, ross_bucket *be, ross_key *end);

/* tieheap.c */
int ross_heap_push(ross_ladder *q, ross_list *h, ross_key k);
ross_key ross_heap_pop(ross_ladder *q, ross_list *h);
void ross_heap_make(ross_ladder *q, ross_list *h);

/* rung.c */
int ross_rung_spawn(ross_ladder *q, ross_list *src, int from_top);
void ross_rung_gather(ross_ladder *q, ross_rung *r, ross_list *out);
void ross_rung_advance(ross_rung *r);
ross_key ross_outer_cut(const ross_ladder *q, uint32_t nr);

static inline uint32_t ross_chunk_alloc(ross_ladder *q)
{
	uint32_t c = q->chunk_free;
	if (c) {
		q->chunk_free = q->next[c];
		return c;
	}
	if (__builtin_expect(q->chunk_top == q->nchunks, 0) && !ross_pool_more(q)) {
		q->w.failed = 1;
		return 0; /* chunk 0 is a sink */
	}
	return q->chunk_top++;
}

static inline void ross_chunk_free(ross_ladder *q, uint32_t c)
{
	q->next[c] = q->chunk_free;
	q->chunk_free = c;
}

/* Keys are passed by address: gcc would pass them in two registers, join those
 * through the stack, and wait for the store every time. */
static inline void ross_bucket_push(ross_ladder *q, ross_bucket *b, const ross_key *k)
{
	uint32_t pos = b->n & (ROSS_CHUNK - 1);
	if (pos == 0) {
		uint32_t c = ross_chunk_alloc(q);
		q->next[c] = b->head;
		b->head = c;
	}
	q->chunks[b->head].k[pos] = *k;
	b->n++;
}

static inline int ross_key_ge(ross_key a, ross_key b) { return !ross_key_lt(a, b); }

/* The bucket of a key that is >= the rung's cut. */
static inline uint32_t ross_rung_index(const ross_rung *r, ross_key k)
{
	uint64_t x;
	if (r->level == 0)
		x = (k.ts - r->start) >> r->shift;
	else
		x = k.ts > r->ts ? ROSS_INF : ((k.lo >> 32) - r->start) >> r->shift;
	return x < r->nb - 1 ? (uint32_t)x : r->nb - 1;
}

static inline void ross_rung_place(ross_ladder *q, ross_rung *r, const ross_key *k)
{
	r->n++;
	if (r->level == 2)
		ross_heap_push(q, &r->heap, *k);
	else
		ross_bucket_push(q, &r->b[ross_rung_index(r, *k)], k);
}

#endif
