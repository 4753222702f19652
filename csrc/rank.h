/* Sorting the keys of a bucket without branches, with AVX2: the place of each is the number of keys before it,
 * counted eight at a time. */
#ifndef ROSS_RANK_H
#define ROSS_RANK_H

#include "bucket.h"

#include <immintrin.h>

enum { ROSS_RANKED = 2 * ROSS_CHUNK }; /* keys of a bucket that is sorted in this way, at most */

/* Lanes of the time vectors, in the order that unpacking leaves them: keys 0 2 1 3 and 4 6 5 7. A lane beyond the
 * n-th key is switched off. */
#define ON(n, i) ((i) < (n) ? 0 : -1)
#define LANES(n)                                                                             \
	{                                                                                    \
		ON(n, 0), ON(n, 2), ON(n, 1), ON(n, 3), ON(n, 4), ON(n, 6), ON(n, 5), ON(n, 7) \
	}
static const int64_t ross_off_lanes[ROSS_CHUNK + 1][ROSS_CHUNK] = {
	LANES(0), LANES(1), LANES(2), LANES(3), LANES(4), LANES(5), LANES(6), LANES(7), LANES(8),
};
#undef LANES
#undef ON

#define AVX2 __attribute__((target("avx2,popcnt"), always_inline)) static inline

/* The times of a chunk. */
typedef struct {
	__m256i a, b;
} ross_times;

AVX2 ross_times ross_times_of(const ross_chunk *c)
{
	const __m256i *k = (const __m256i *)c->k;
	return (ross_times){
		_mm256_unpacklo_epi64(_mm256_loadu_si256(k), _mm256_loadu_si256(k + 1)),
		_mm256_unpacklo_epi64(_mm256_loadu_si256(k + 2), _mm256_loadu_si256(k + 3)),
	};
}

/* ross_first_times returns the times of the first n keys, and the greatest of all for the others. */
AVX2 ross_times ross_first_times(const ross_chunk *c, uint32_t n)
{
	ross_times t = ross_times_of(c);
	__m256i last = _mm256_set1_epi64x(INT64_MAX);
	t.a = _mm256_blendv_epi8(t.a, last, _mm256_loadu_si256((const __m256i *)ross_off_lanes[n]));
	t.b = _mm256_blendv_epi8(t.b, last, _mm256_loadu_si256((const __m256i *)(ross_off_lanes[n] + 4)));
	return t;
}

/* ross_before has 32 bits for each time, all set if it is before t. */
AVX2 __m256i ross_before(ross_times x, __m256i t)
{
	return _mm256_packs_epi32(_mm256_cmpgt_epi64(t, x.a), _mm256_cmpgt_epi64(t, x.b));
}

/* ross_rank writes the n keys of a bucket to end[-1], end[-2], ..., least first. c is its newest chunk, with n or n - 8
 * of them; older is the other one, if n is above 8. It returns 0, with nothing of use written, if two keys have one
 * time. Keys beyond the n-th are written first, so that they are overwritten or end up right beyond the n keys. n keys
 * have n(n-1)/2 pairs in order, less if two are equal. */
AVX2 int ross_rank(const ross_chunk *c, const ross_chunk *older, uint32_t n, ross_key *end)
{
	uint32_t pairs = 0;

	if (n <= ROSS_CHUNK) {
		ross_times x = ross_first_times(c, n);
#pragma GCC unroll 8
		for (int i = ROSS_CHUNK - 1; i >= 0; i--) {
			__m256i t = _mm256_set1_epi64x((int64_t)c->k[i].ts);
			uint32_t mask = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(ross_before(x, t)));
			uint32_t rank = (uint32_t)__builtin_popcount(mask);
			end[-1 - (int64_t)rank] = c->k[i];
			pairs += (uint32_t)i < n ? rank : 0;
		}
		return pairs == n * (n - 1) / 2;
	}
	ross_times x = ross_first_times(c, n - ROSS_CHUNK), y = ross_times_of(older);
	for (int j = 0; j < 2; j++) {
		const ross_key *k = j ? older->k : c->k;
		uint32_t count = j ? ROSS_CHUNK : n - ROSS_CHUNK;
#pragma GCC unroll 8
		for (int i = ROSS_CHUNK - 1; i >= 0; i--) {
			__m256i t = _mm256_set1_epi64x((int64_t)k[i].ts);
			__m256i before = _mm256_packs_epi32(ross_before(x, t), ross_before(y, t));
			uint32_t rank = (uint32_t)__builtin_popcount((uint32_t)_mm256_movemask_epi8(before)) / 2;
			end[-1 - (int64_t)rank] = k[i];
			pairs += (uint32_t)i < count ? rank : 0;
		}
	}
	return pairs == n * (n - 1) / 2;
}
#undef AVX2

#endif
