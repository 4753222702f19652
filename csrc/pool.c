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
#define FREE_LIST(n) (((n) + 1) * sizeof(uint32_t)) /* ross_window_take may write one more than there are */
#define GO_LOWEST ((size_t)256 << 20) /* as in internal/mem */

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

static void unmap(ross_pool *p)
{
	if (p->chunks)
		munmap(p->chunks, p->reserved * sizeof(ross_chunk));
	if (p->next)
		munmap(p->next, p->reserved * sizeof(uint32_t));
	if (p->free)
		munmap(p->free, FREE_LIST(p->reserved));
}

/* move_to gives the chunks a range with room for n of them, and moves the existing
 * ones there. If the system refuses the range, they stay where they are. */
static int move_to(ross_pool *p, uint64_t n)
{
	ross_chunk *chunks = reserve(n * sizeof *chunks);
	uint32_t *next = chunks ? reserve(n * sizeof *next) : 0;
	uint32_t *list = next ? reserve(FREE_LIST(n)) : 0;

	if (list && p->nchunks &&
	    !(commit(chunks, 0, p->nchunks * sizeof *chunks) && commit(next, 0, p->nchunks * sizeof *next) &&
	      commit(list, 0, FREE_LIST(p->nchunks)))) {
		munmap(list, FREE_LIST(n));
		list = 0;
	}
	if (!list) {
		if (next)
			munmap(next, n * sizeof *next);
		if (chunks)
			munmap(chunks, n * sizeof *chunks);
		return 0;
	}
	if (p->nchunks) {
		memcpy(chunks, p->chunks, p->nchunks * sizeof *chunks);
		memcpy(next, p->next, p->nchunks * sizeof *next);
		memcpy(list, p->free, p->nfree * sizeof *list);
	}
	unmap(p);
	p->chunks = chunks;
	p->next = next;
	p->free = list;
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

int ross_pool_ready(ross_pool *p, uint32_t n)
{
	while (p->nfree <= n) {
		if (!more(p)) {
			*p->failed = 1;
			return 0;
		}
	}
	return 1;
}

void ross_pool_free(ross_pool *p)
{
	unmap(p);
	p->chunks = 0;
	p->next = p->free = 0;
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
	ross_key *k = realloc(l->k, cap * sizeof *k);
	if (!k) {
		*p->failed = 1;
		return 0;
	}
	*p->bytes += (cap - l->cap) * sizeof *k;
	l->k = k;
	l->cap = cap;
	return 1;
}
