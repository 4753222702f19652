//go:build cgo && !purego

/* A rung: the width of its buckets, and taking all of its keys.
 *
 * Widths come from the density of keys at the head, estimated from a sample, not
 * from the whole range: a pending set has a long tail, and buckets sized by it
 * hold ten times too many keys when their turn comes. Widths are powers of two in
 * the bits of the time, so an index is a subtraction and a shift, exact for every
 * finite time, and a set that spans 1e-300 to 1e300 is divided as well as one that
 * spans a second.
 *
 * A rung of many keys is coarse. Its buckets are few, so that the ends that keys are written to
 * stay in the cache, and each becomes a rung of narrow buckets when its turn comes. */
#include "rung.h"

#include <stdlib.h>
#include <string.h>

enum {
	PER_BUCKET = 8,     /* target of keys per bucket at the head of a rung */
	SPREAD = 8,         /* buckets of a rung: SPREAD * keys / PER_BUCKET */
	SAMPLE = 64,        /* keys sampled to choose a bucket width */
	MANY = 1 << 15,     /* with at least as many keys, a rung is coarse: */
	COARSE = 512,       /* the target per bucket is a 64th of the keys, COARSE to COARSEST, */
	COARSEST = 4096,
	COARSE_SPREAD = 32  /* and COARSE_SPREAD takes the place of SPREAD */
};

ross_key ross_rung_cut(const ross_rung *r, uint64_t x)
{
	if (r->level == 0)
		return (ross_key){ x, 0 };
	if (x > UINT32_MAX)
		return (ross_key){ r->ts + 1, 0 };
	return (ross_key){ r->ts, x << 32 };
}

void ross_rung_advance(ross_rung *r)
{
	r->cut = ross_rung_cut(r, r->start + ((uint64_t)r->cur << r->shift));
}

void ross_rung_gather(ross_pool *p, ross_rung *r, ross_list *out)
{
	if (!ross_list_reserve(p, out, out->n + r->n))
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
			ross_bucket_take(p, &r->b[r->cur], out->k + out->n);
			out->n += n;
			left -= n;
		}
	}
	r->n = 0;
}

/* head_span returns how far from min a quarter of the keys lies, by a sample. */
static uint64_t head_span(const ross_key *k, uint64_t n, int level, uint64_t min, uint64_t *keys)
{
	uint64_t s[SAMPLE];
	uint64_t m = n < 4 * SAMPLE ? SAMPLE / 4 : SAMPLE;
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

/* make_buckets gives a rung nb empty buckets, or returns 0. */
static int make_buckets(ross_pool *p, ross_rung *r, uint64_t nb)
{
	if (nb > r->bcap) {
		ross_bucket *b = realloc(r->b, nb * sizeof *b);
		if (!b) {
			*p->failed = 1;
			return 0;
		}
		*p->bytes += (nb - r->bcap) * sizeof *b;
		r->b = b;
		r->bcap = (uint32_t)nb;
	}
	memset(r->b, 0, nb * sizeof *r->b);
	r->nb = (uint32_t)nb;
	r->cur = 0;
	return 1;
}

/* coarse returns the target of keys per bucket of a rung of n keys if it is coarse, otherwise 0. */
static uint32_t coarse(uint64_t n, uint32_t level)
{
	uint64_t per = n / 64;
	if (level != 0 || n < MANY)
		return 0;
	return per < COARSE ? COARSE : per > COARSEST ? COARSEST : (uint32_t)per;
}

int ross_rung_divide(ross_pool *p, ross_rung *r, const ross_key *k, uint64_t n, ross_range x)
{
	uint64_t keys, span = head_span(k, n, (int)r->level, x.min, &keys);
	r->coarse = coarse(n, r->level);
	uint64_t per = r->coarse ? r->coarse : PER_BUCKET;
	double width = (double)span * (double)per / (double)keys;
	uint64_t most = n * (r->coarse ? COARSE_SPREAD : SPREAD) / per + 2;

	r->start = x.min;
	r->shift = width >= 2 ? log2_floor((uint64_t)width) : 0;
	uint64_t nb = ((x.max - x.min) >> r->shift) + 1;
	if (nb > most || r->coarse)
		nb = most;
	if (nb > UINT32_MAX / 2)
		nb = UINT32_MAX / 2;
	return make_buckets(p, r, nb);
}

int ross_rung_halve(ross_pool *p, ross_rung *r, uint64_t n, uint64_t start, uint32_t shift)
{
	uint32_t j = 0;
	while (j < shift && n > (uint64_t)PER_BUCKET << j)
		j++;
	r->start = start;
	r->shift = shift - j;
	r->coarse = 0;
	return make_buckets(p, r, (uint64_t)1 << j);
}
