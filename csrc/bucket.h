/* Buckets: unordered keys in linked chunks. */
#ifndef ROSS_BUCKET_H
#define ROSS_BUCKET_H

#include "pool.h"

typedef struct ross_bucket {
	uint32_t head; /* newest chunk, 0: none */
	uint32_t n;    /* keys; the newest chunk holds the last of them */
} ross_bucket;

/* ross_bucket_take copies a bucket's keys to out, newest first, and empties it. */
void ross_bucket_take(ross_pool *p, ross_bucket *b, ross_key *out);

/* Keys are passed by address: gcc would pass them in two registers, join those
 * through the stack, and wait for the store every time. */
static inline void ross_bucket_push(ross_pool *p, ross_bucket *b, const ross_key *k)
{
	uint32_t pos = b->n & (ROSS_CHUNK - 1);
	if (pos == 0) {
		uint32_t c = ross_chunk_alloc(p);
		p->next[c] = b->head;
		b->head = c;
	}
	p->chunks[b->head].k[pos] = *k;
	b->n++;
}

#endif
