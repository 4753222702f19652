//go:build cgo && !purego

/* Memory of the ladder: chunks of keys for the buckets, and growing lists.
 * Chunks lie in one reserved range that is made usable as it grows, so a
 * bucket names them by 32-bit numbers and nothing is ever copied. */
#include "ladder_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif
#define HUGE_PAGE ((size_t)2 << 20)
#define MOST_CHUNKS ((uint64_t)UINT32_MAX)
#define FEWEST_CHUNKS ((uint64_t)1 << 16)
#define FIRST_CHUNKS 64u

static void *reserve(size_t n)
{
	void *p = mmap(0, n, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return p == MAP_FAILED ? 0 : p;
}

/* commit makes [old, now) usable, where old may be in the middle of a page. */
static int commit(void *base, size_t old, size_t now)
{
	old -= old % (size_t)sysconf(_SC_PAGESIZE);
	if (mprotect((char *)base + old, now - old, PROT_READ | PROT_WRITE))
		return 0;
#ifdef MADV_HUGEPAGE
	if (now >= 2 * HUGE_PAGE)
		madvise(base, now, MADV_HUGEPAGE);
#endif
	return 1;
}

/* reserve_both takes address space for as many chunks as the process may, and returns how many. */
static uint64_t reserve_both(ross_ladder *q)
{
	for (uint64_t n = MOST_CHUNKS; n >= FEWEST_CHUNKS; n /= 2) {
		q->chunks = reserve(n * sizeof(ross_chunk));
		q->next = q->chunks ? reserve(n * sizeof(uint32_t)) : 0;
		if (q->next)
			return n;
		if (q->chunks)
			munmap(q->chunks, n * sizeof(ross_chunk));
		q->chunks = 0;
	}
	return 0;
}

int ross_pool_init(ross_ladder *q)
{
	q->reserved = reserve_both(q);
	if (!q->reserved)
		return 0;
	q->chunk_top = 0;
	if (!ross_pool_more(q))
		return 0;
	q->chunk_top = 1; /* chunk 0 is none, and the sink when memory fails */
	return 1;
}

/* ross_pool_more makes more chunks usable: twice as many, later an eighth. */
int ross_pool_more(ross_ladder *q)
{
	uint64_t old = q->nchunks, now = old ? 2 * old : FIRST_CHUNKS;
	if (old >= (1u << 20))
		now = (old + old / 8 + 1023) & ~(uint64_t)1023;
	if (now > q->reserved)
		now = q->reserved;
	if (now <= old)
		return 0;
	if (!commit(q->chunks, old * sizeof(ross_chunk), now * sizeof(ross_chunk)) ||
	    !commit(q->next, old * sizeof(uint32_t), now * sizeof(uint32_t)))
		return 0;
	q->w.bytes += (now - old) * (sizeof(ross_chunk) + sizeof(uint32_t));
	q->nchunks = (uint32_t)now;
	return 1;
}

void ross_pool_free(ross_ladder *q)
{
	if (q->chunks)
		munmap(q->chunks, q->reserved * sizeof(ross_chunk));
	if (q->next)
		munmap(q->next, q->reserved * sizeof(uint32_t));
	q->chunks = 0;
	q->next = 0;
}

/* ross_bucket_take copies a bucket's keys to out, newest first, and empties it. */
void ross_bucket_take(ross_ladder *q, ross_bucket *b, ross_key *out)
{
	uint32_t c = b->head, n = b->n, part = ((n - 1) & (ROSS_CHUNK - 1)) + 1;

	while (n) {
		uint32_t older = q->next[c];
		for (uint32_t i = 0; i < part; i++)
			out[i] = q->chunks[c].k[i];
		out += part;
		n -= part;
		part = ROSS_CHUNK;
		ross_chunk_free(q, c);
		c = older;
	}
	b->head = 0;
	b->n = 0;
}

/* ross_list_reserve makes room for n keys. */
int ross_list_reserve(ross_ladder *q, ross_list *l, uint64_t n)
{
	if (n <= l->cap)
		return 1;
	uint64_t cap = l->cap + l->cap / 2;
	if (cap < n)
		cap = n;
	if (cap < 64)
		cap = 64;
	ross_key *k = realloc(l->k, cap * sizeof *k);
	if (!k) {
		q->w.failed = 1;
		return 0;
	}
	q->w.bytes += (cap - l->cap) * sizeof *k;
	l->k = k;
	l->cap = cap;
	return 1;
}
