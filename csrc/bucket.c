//go:build cgo && !purego

/* Emptying a bucket. Its header has what happens once per key. */
#include "bucket.h"

void ross_bucket_take(ross_pool *p, ross_bucket *b, ross_key *out)
{
	uint32_t c = b->head, n = b->n, part = ((n - 1) & (ROSS_CHUNK - 1)) + 1;

	while (n) {
		uint32_t older = p->next[c];
		for (uint32_t i = 0; i < part; i++)
			out[i] = p->chunks[c].k[i];
		out += part;
		n -= part;
		part = ROSS_CHUNK;
		ross_chunk_free(p, c);
		c = older;
	}
	b->head = 0;
	b->n = 0;
}
