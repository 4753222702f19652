//go:build cgo && !purego

/* Forming the window: a rung's next buckets, copied out and sorted.
 *
 * The keys of a bucket are few and their number is random, so processors cannot
 * predict branches on it, or on comparisons of keys. With AVX2 a bucket of one
 * chunk is sorted without branches: each key's place is the number of keys
 * before it, counted eight at a time. */
#include "window.h"

/* take_down copies a bucket's keys to below end and empties it. It copies whole
 * chunks, without a branch on how many of their keys are in use: surplus keys
 * are overwritten by the next copy, or lie in the slack before the window. It
 * returns the new end. */
static ross_key *take_down(ross_pool *p, ross_bucket *b, ross_key *end)
{
	uint32_t c = b->head, n = b->n, part = ((n - 1) & (ROSS_CHUNK - 1)) + 1;

	while (n) {
		const ross_chunk *from = &p->chunks[c];
		for (int i = 0; i < ROSS_CHUNK; i++)
			end[-1 - i] = from->k[i];
		uint32_t older = p->next[c];
		ross_chunk_free(p, c);
		end -= part;
		n -= part;
		part = ROSS_CHUNK;
		c = older;
	}
	*b = (ross_bucket){ 0, 0 };
	return end;
}

static ross_key *take_sorted(ross_pool *p, ross_bucket *b, ross_key *tmp, ross_key *end)
{
	uint32_t n = b->n;
	end = take_down(p, b, end);
	ross_sort(&p->arena, end, tmp, n);
	return end;
}

static void take_scalar(ross_pool *p, ross_bucket *b, ross_bucket *be, ross_key *tmp, ross_key *end)
{
	for (; b < be; b++)
		if (b->n)
			end = take_sorted(p, b, tmp, end);
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(ROSS_NO_AVX2)
#include <immintrin.h>

/* Lanes of the time vectors, in the order that unpacking leaves them: keys 0 2
 * 1 3 and 4 6 5 7. A lane beyond the n-th key is switched off. */
#define ON(n, i) ((i) < (n) ? 0 : -1)
#define LANES(n)                                                                             \
	{                                                                                    \
		ON(n, 0), ON(n, 2), ON(n, 1), ON(n, 3), ON(n, 4), ON(n, 6), ON(n, 5), ON(n, 7) \
	}
static const int64_t off_lanes[ROSS_CHUNK + 1][ROSS_CHUNK] = {
	LANES(0), LANES(1), LANES(2), LANES(3), LANES(4), LANES(5), LANES(6), LANES(7), LANES(8),
};

/* rank_chunk writes the n keys of a chunk to end[-1], end[-2], ..., least first.
 * It returns 0, with nothing of use written, if two have one time. Keys beyond
 * the n-th are written first, so that they are overwritten or end up beyond the
 * n keys. */
__attribute__((target("avx2,popcnt"))) static inline int rank_chunk(const ross_chunk *c, uint32_t n,
								   ross_key *end)
{
	const __m256i *k = (const __m256i *)c->k;
	__m256i last = _mm256_set1_epi64x(INT64_MAX);
	__m256i a = _mm256_unpacklo_epi64(_mm256_loadu_si256(k), _mm256_loadu_si256(k + 1));
	__m256i b = _mm256_unpacklo_epi64(_mm256_loadu_si256(k + 2), _mm256_loadu_si256(k + 3));
	uint64_t pairs = 0;

	a = _mm256_blendv_epi8(a, last, _mm256_loadu_si256((const __m256i *)off_lanes[n]));
	b = _mm256_blendv_epi8(b, last, _mm256_loadu_si256((const __m256i *)(off_lanes[n] + 4)));
#pragma GCC unroll 8
	for (int i = ROSS_CHUNK - 1; i >= 0; i--) {
		__m256i t = _mm256_set1_epi64x((int64_t)c->k[i].ts);
		__m256i before = _mm256_packs_epi32(_mm256_cmpgt_epi64(t, a), _mm256_cmpgt_epi64(t, b));
		uint32_t mask = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(before));
		uint32_t rank = (uint32_t)__builtin_popcount(mask);
		end[-1 - (int64_t)rank] = c->k[i];
		pairs = pairs << 8 | mask;
	}
	/* n keys have n(n-1)/2 pairs in order, less if two are equal. */
	uint64_t valid = n < 8 ? (1ull << 8 * n) - 1 : UINT64_MAX;
	return (uint32_t)__builtin_popcountll(pairs & valid) == n * (n - 1) / 2;
}

__attribute__((target("avx2,popcnt"))) static void
take_avx2(ross_pool *p, ross_bucket *b, ross_bucket *be, ross_key *tmp, ross_key *end)
{
	const ross_chunk *chunks = p->chunks;
	uint32_t *next = p->next, freed = p->chunk_free;

	for (; b < be; b++) {
		uint32_t n = b->n, c = b->head;
		if (__builtin_expect(n == 0, 0))
			continue;
		if (__builtin_expect(n > ROSS_CHUNK, 0) ||
		    __builtin_expect(!rank_chunk(&chunks[c], n, end), 0)) {
			p->chunk_free = freed;
			end = take_sorted(p, b, tmp, end);
			freed = p->chunk_free;
			continue;
		}
		end -= n;
		next[c] = freed;
		freed = c;
		*b = (ross_bucket){ 0, 0 };
	}
	p->chunk_free = freed;
}

static int have_avx2(void) { return __builtin_cpu_supports("avx2"); }

#else

static int have_avx2(void) { return 0; }
#define take_avx2 take_scalar

#endif

void ross_window_take(ross_pool *p, ross_bucket *b, ross_bucket *be, ross_key *tmp, ross_key *end)
{
	if (have_avx2())
		take_avx2(p, b, be, tmp, end);
	else
		take_scalar(p, b, be, tmp, end);
}

void ross_window_touch(ross_pool *p, const ross_bucket *b, const ross_bucket *be)
{
	uint64_t sum = 0;
	for (; b < be; b++) {
		const ross_chunk *c = &p->chunks[b->head];
		sum += c->k[0].ts + c->k[ROSS_CHUNK - 1].ts;
	}
	p->touched = sum;
}
