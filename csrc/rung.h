/* One rung: keys of a range of times in buckets, keys of one time in buckets by their
 * prefix, or keys that agree in both in a heap. */
#ifndef ROSS_RUNG_H
#define ROSS_RUNG_H

#include "bucket.h"
#include "tieheap.h"

#define ROSS_INF UINT64_MAX
#define ROSS_INFINITE ((ross_key){ ROSS_INF, ROSS_INF }) /* after every key */

typedef struct ross_rung {
	uint64_t start;    /* level 0: bits of the least time; 1, 2: least prefix */
	uint64_t ts;       /* level 1 and 2: the time of all keys but the overflow */
	ross_key cut;      /* keys >= cut belong here or further out */
	uint64_t n;        /* keys in the buckets or the heap */
	uint32_t shift;    /* a bucket is 2^shift wide */
	uint32_t nb, cur;  /* buckets; those below cur are used up */
	uint32_t level, bcap;
	uint32_t coarse;   /* target of keys per bucket, if each is to be divided in its turn; otherwise 0 */
	ross_bucket *b;    /* the last bucket also takes everything beyond it */
	ross_list heap;    /* level 2: binary heap, least first */
} ross_rung;

/* The least and greatest of some times, or of some prefixes. */
typedef struct ross_range {
	uint64_t min, max;
} ross_range;

/* ross_rung_divide chooses width and number of the buckets, for n keys in the range x of
 * times or, at level 1, of prefixes. It returns 0 when memory fails. */
int ross_rung_divide(ross_pool *p, ross_rung *r, const ross_key *k, uint64_t n, ross_range x);
/* ross_rung_halve is ross_rung_divide for n keys of one bucket, whose times are at least start and below
 * start + 2^shift. It halves the width until few keys should be in a bucket, as if they were spread evenly. */
int ross_rung_halve(ross_pool *p, ross_rung *r, uint64_t n, uint64_t start, uint32_t shift);
/* ross_rung_cut returns the least key of a time x or, except at level 0, of a prefix x. */
ross_key ross_rung_cut(const ross_rung *r, uint64_t x);
/* ross_rung_advance sets the cut to the first bucket that is not used up. */
void ross_rung_advance(ross_rung *r);
/* ross_rung_gather moves all keys of a rung to out and leaves it empty. */
void ross_rung_gather(ross_pool *p, ross_rung *r, ross_list *out);

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

static inline void ross_rung_place(ross_pool *p, ross_rung *r, const ross_key *k)
{
	r->n++;
	if (r->level == 2)
		ross_heap_push(p, &r->heap, *k);
	else
		ross_bucket_push(p, &r->b[ross_rung_index(r, *k)], k);
}

#endif
