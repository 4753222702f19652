/* The pool: memory for the keys of one ladder. It has chunks, which buckets link, and
 * lets lists of keys grow. It also knows where the events are. */
#ifndef ROSS_POOL_H
#define ROSS_POOL_H

#include "event.h"

enum {
	ROSS_CHUNK = 8,     /* keys per chunk: two cache lines */
	ROSS_LONG = 1 << 22 /* keys of a list that does not keep its memory: 64 MiB */
};

typedef struct ross_chunk {
	ross_key k[ROSS_CHUNK];
} ross_chunk;

/* An unordered, growing array of keys. */
typedef struct ross_list {
	ross_key *k;
	uint64_t n, cap;
} ross_list;

typedef struct ross_pool {
	ross_arena arena;  /* the events that keys name */
	ross_chunk *chunks;
	uint32_t *next;    /* next older chunk of a bucket */
	uint32_t *free;    /* the free chunks; free[0] is no chunk */
	uint32_t nchunks, nfree;
	uint64_t reserved; /* chunks that address space is reserved for; it moves when it is used up */
	uint64_t *bytes;   /* the owner's: counts the memory held */
	uint32_t *failed;  /* the owner's: set to 1 when there is no more memory */
} ross_pool;

/* ross_pool_init makes the first chunks. The pool reports to bytes and failed, which must
 * stay where they are. It returns 0 if there is not enough memory. */
int ross_pool_init(ross_pool *p, ross_arena arena, uint64_t *bytes, uint32_t *failed);
void ross_pool_free(ross_pool *p);
/* ross_pool_ready makes sure that n chunks are free, or records the failure and returns 0. */
int ross_pool_ready(ross_pool *p, uint32_t n);
/* ross_list_reserve makes room for n keys, or records the failure and returns 0. */
int ross_list_reserve(ross_pool *p, ross_list *l, uint64_t n);
/* ross_list_drop gives back the pages of the keys from to to - 1, which are lost. */
void ross_list_drop(const ross_list *l, uint64_t from, uint64_t to);
/* ross_list_trim leaves a list room for half as many keys again as it has, at least ROSS_LONG / 4. */
void ross_list_trim(ross_pool *p, ross_list *l);

static inline uint32_t ross_chunk_alloc(ross_pool *p)
{
	if (__builtin_expect(p->nfree == 1, 0) && !ross_pool_ready(p, 1))
		return 0; /* chunk 0 is a sink */
	return p->free[--p->nfree];
}

static inline void ross_chunk_free(ross_pool *p, uint32_t c) { p->free[p->nfree++] = c; }

#endif
