//go:build cgo && !purego

/* Memory of the ladder: chunks of keys for the buckets, and growing lists. Chunks lie
 * in one range, and a bucket names them by 32-bit numbers, so that the range can move
 * when it has to grow. The address space reserved for it is at most twice what is in
 * use, plus a page or two, because with many PEs, or a limit on the address space of
 * the process, it is scarce. */
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
#define FIRST_RESERVED ((uint64_t)1 << 12) /* chunks that address space is reserved for at first */
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

/* move_to gives the chunks a range with room for n of them, and moves the existing
 * ones there. If the system refuses the range, they stay where they are. */
static int move_to(ross_ladder *q, uint64_t n)
{
	ross_chunk *chunks = reserve(n * sizeof *chunks);
	uint32_t *next = chunks ? reserve(n * sizeof *next) : 0;

	if (next && q->nchunks &&
	    !(commit(chunks, 0, q->nchunks * sizeof *chunks) && commit(next, 0, q->nchunks * sizeof *next))) {
		munmap(next, n * sizeof *next);
		next = 0;
	}
	if (!next) {
		if (chunks)
			munmap(chunks, n * sizeof *chunks);
		return 0;
	}
	if (q->nchunks) {
		memcpy(chunks, q->chunks, q->nchunks * sizeof *chunks);
		memcpy(next, q->next, q->nchunks * sizeof *next);
	}
	ross_pool_free(q);
	q->chunks = chunks;
	q->next = next;
	q->reserved = n;
	return 1;
}

/* make_room reserves address space for at least n chunks, twice that if it can. */
static int make_room(ross_ladder *q, uint64_t n)
{
	uint64_t twice = 2 * n < MOST_CHUNKS ? 2 * n : MOST_CHUNKS;

	return n <= q->reserved || move_to(q, twice) || move_to(q, n);
}

int ross_pool_init(ross_ladder *q)
{
	if (!move_to(q, FIRST_RESERVED))
		return 0;
	q->chunk_top = 0;
	if (!ross_pool_more(q))
		return 0;
	q->chunk_top = 1; /* chunk 0 means none, and is the sink when memory fails */
	return 1;
}

/* ross_pool_more makes more chunks usable: twice as many, later an eighth. */
int ross_pool_more(ross_ladder *q)
{
	uint64_t old = q->nchunks, now = old ? 2 * old : FIRST_CHUNKS;
	if (old >= (1u << 20))
		now = (old + old / 8 + 1023) & ~(uint64_t)1023;
	if (now > MOST_CHUNKS)
		now = MOST_CHUNKS;
	if (now <= old || !make_room(q, now))
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
