//go:build cgo && !purego

/* Forming the window: a rung's next buckets, copied out and sorted.
 *
 * The keys of a bucket are few and their number is random, so processors cannot
 * predict branches on it, or on comparisons of keys. With AVX2 a bucket of up to two
 * chunks is sorted without branches: each key's place is the number of keys
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
#include "rank.h"

__attribute__((target("avx2,popcnt"))) static void
take_avx2(ross_pool *p, ross_bucket *b, ross_bucket *be, ross_key *tmp, ross_key *end)
{
	const ross_chunk *chunks = p->chunks;
	const uint32_t *next = p->next;
	uint32_t *unused = p->free + p->nfree;

	for (; b < be; b++) {
		uint32_t n = b->n, c = b->head, last = c;
		if (__builtin_expect(n == 0, 0))
			continue;
		if (n > ROSS_CHUNK)
			last = next[c];
		if (__builtin_expect(n > ROSS_RANKED, 0) ||
		    __builtin_expect(!ross_rank(&chunks[c], &chunks[last], n, end), 0)) {
			p->nfree = (uint32_t)(unused - p->free);
			end = take_sorted(p, b, tmp, end);
			unused = p->free + p->nfree;
			continue;
		}
		end -= n;
		unused[0] = c;
		unused[1] = last;
		unused += 1 + (n > ROSS_CHUNK);
		*b = (ross_bucket){ 0, 0 };
	}
	p->nfree = (uint32_t)(unused - p->free);
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
