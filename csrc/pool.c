//go:build cgo && !purego

/* Memory for keys. Chunks lie in one range, and a bucket names them by 32-bit numbers,
 * so that the range can move when it has to grow. The address space reserved for it is
 * at most twice what is in use, plus a page or two, because with many PEs, or a limit on
 * the address space of the process, it is scarce. */
#include "pool.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif
#define HUGE_PAGE ((size_t)2 << 20)
#define MOST_CHUNKS ((uint64_t)UINT32_MAX)
#define FIRST_RESERVED ((uint64_t)1 << 12) /* chunks that address space is reserved for at first */
#define FIRST_CHUNKS 64u
/* The bytes of the list of n free chunks. ross_window_take may write one more than there are; a page more, because what
 * move_to gives back begins with a page. */
#define FREE_LIST(n) (((n) + 1024) * sizeof(uint32_t))
#define GO_LOWEST ((size_t)256 << 20) /* as in internal/sys/mem */

/* reserve maps n bytes, if the Go runtime has GO_LOWEST bytes of address space after it. */
static void *reserve(size_t n)
{
	struct rlimit limit;
	size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (n + page - 1) / page * page, more = 0;
	void *p;

	if (!getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY)
		more = GO_LOWEST;
	p = mmap(0, whole + more, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return 0;
	if (more)
		munmap((char *)p + whole, more);
	return p;
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

/* move moves the first used bytes of a range of old bytes to a new range of now bytes, and gives the
 * old one back. Linux moves the pages, so that large sets are never there twice. It returns 0, and
 * leaves all as it was, if the system refuses memory. */
static void *move(void *from, size_t used, size_t old, size_t now)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *to = reserve(now);

	used = (used + page - 1) / page * page;
#ifdef MREMAP_FIXED
	if (to && used) {
		if (mremap(from, used, used, MREMAP_MAYMOVE | MREMAP_FIXED, to) == to) {
			if (used < old) /* what is before that may be somebody else's by now */
				munmap((char *)from + used, old - used);
			return to;
		}
		munmap((char *)to + used, now - used); /* and so may what is before this */
		to = reserve(now);
	}
#endif
	if (!to)
		return 0;
	if (used && !commit(to, 0, used)) {
		munmap(to, now);
		return 0;
	}
	if (used)
		memcpy(to, from, used);
	if (from)
		munmap(from, old);
	return to;
}

/* move_to gives the chunks a range with room for n of them, and moves the existing
 * ones there. If the system refuses the range, they stay where they are. */
static int move_to(ross_pool *p, uint64_t n)
{
	uint64_t old = p->reserved, used = p->nchunks;
	uint32_t *next = move(p->next, used * sizeof *next, old * sizeof *next, n * sizeof *next);
	if (!next)
		return 0;
	p->next = next;
	uint32_t *list = move(p->free, used ? FREE_LIST(used) : 0, old ? FREE_LIST(old) : 0, FREE_LIST(n));
	if (!list) { /* the links keep the room that they had */
		munmap(next + old, (n - old) * sizeof *next);
		return 0;
	}
	p->free = list;
	ross_chunk *chunks = move(p->chunks, used * sizeof *chunks, old * sizeof *chunks, n * sizeof *chunks);
	if (!chunks) { /* and so does the list */
		munmap(next + old, (n - old) * sizeof *next);
		munmap((char *)list + FREE_LIST(old), FREE_LIST(n) - FREE_LIST(old));
		return 0;
	}
	p->chunks = chunks;
	p->reserved = n;
	return 1;
}

/* make_room reserves address space for at least n chunks, twice that if it can. */
static int make_room(ross_pool *p, uint64_t n)
{
	uint64_t twice = 2 * n < MOST_CHUNKS ? 2 * n : MOST_CHUNKS;

	return n <= p->reserved || move_to(p, twice) || move_to(p, n);
}

/* more makes more chunks usable: twice as many, later an eighth. */
static int more(ross_pool *p)
{
	uint64_t old = p->nchunks, now = old ? 2 * old : FIRST_CHUNKS;
	if (old >= (1u << 20))
		now = (old + old / 8 + 1023) & ~(uint64_t)1023;
	if (now > MOST_CHUNKS)
		now = MOST_CHUNKS;
	if (now <= old || !make_room(p, now))
		return 0;
	if (!commit(p->chunks, old * sizeof(ross_chunk), now * sizeof(ross_chunk)) ||
	    !commit(p->next, old * sizeof(uint32_t), now * sizeof(uint32_t)) ||
	    !commit(p->free, old * sizeof(uint32_t), FREE_LIST(now)))
		return 0;
	if (!old)
		p->free[p->nfree++] = 0; /* chunk 0 means none, and is the sink when memory fails */
	for (uint64_t c = now; --c >= old && c > 0;)
		p->free[p->nfree++] = (uint32_t)c;
	*p->bytes += (now - old) * (sizeof(ross_chunk) + 2 * sizeof(uint32_t));
	p->nchunks = (uint32_t)now;
	return 1;
}

int ross_pool_init(ross_pool *p, ross_arena arena, uint64_t *bytes, uint32_t *failed)
{
	p->arena = arena;
	p->bytes = bytes;
	p->failed = failed;
	return move_to(p, FIRST_RESERVED) && more(p);
}

/* After a failure there is no other attempt: each would move the keys, and the queue is lost anyway. */
int ross_pool_ready(ross_pool *p, uint32_t n)
{
	while (p->nfree <= n) {
		if (*p->failed || !more(p)) {
			*p->failed = 1;
			return 0;
		}
	}
	return 1;
}

void ross_pool_free(ross_pool *p)
{
	if (p->chunks)
		munmap(p->chunks, p->reserved * sizeof(ross_chunk));
	if (p->next)
		munmap(p->next, p->reserved * sizeof(uint32_t));
	if (p->free)
		munmap(p->free, FREE_LIST(p->reserved));
	p->chunks = 0;
	p->next = p->free = 0;
}

/* advise advises the system about the whole pages of the keys from to to - 1. */
static void advise(const ross_list *l, uint64_t from, uint64_t to, int advice)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t a = ((uintptr_t)(l->k + from) + page - 1) / page * page, b = (uintptr_t)(l->k + to) / page * page;

	if (a < b)
		madvise((void *)a, b - a, advice);
}

int ross_list_reserve(ross_pool *p, ross_list *l, uint64_t n)
{
	if (n <= l->cap)
		return 1;
	uint64_t cap = l->cap + l->cap / 2;
	if (cap < n)
		cap = n;
	if (cap < 64)
		cap = 64;
	ross_key *k = *p->failed ? 0 : realloc(l->k, cap * sizeof *k);
	if (!k) {
		*p->failed = 1;
		return 0;
	}
	*p->bytes += (cap - l->cap) * sizeof *k;
	l->k = k;
	l->cap = cap;
#ifdef MADV_HUGEPAGE
	if (cap >= ROSS_LONG)
		advise(l, 0, cap, MADV_HUGEPAGE);
#endif
	return 1;
}

void ross_list_drop(const ross_list *l, uint64_t from, uint64_t to)
{
#ifdef MADV_DONTNEED
	advise(l, from, to, MADV_DONTNEED);
#endif
}

void ross_list_trim(ross_pool *p, ross_list *l)
{
	uint64_t cap = l->n + l->n / 2;
	if (cap < ROSS_LONG / 4)
		cap = ROSS_LONG / 4;
	if (cap >= l->cap)
		return;
	ross_key *k = realloc(l->k, cap * sizeof *k);
	if (!k)
		return; /* it keeps what it has */
	*p->bytes -= (l->cap - cap) * sizeof *k;
	l->k = k;
	l->cap = cap;
}
