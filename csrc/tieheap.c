//go:build cgo && !purego

/* Heap of keys that agree in all 96 bits of their signatures' prefixes: many
 * events of one time and one priority that leaves no room for tie-breakers, or
 * a burst of zero-delay children. No bucket can divide them, so they are kept
 * in a binary heap ordered by their events. */
#include "tieheap.h"

static void sift_up(const ross_arena *a, ross_key *h, uint64_t i)
{
	ross_key k = h[i];
	while (i > 0) {
		uint64_t up = (i - 1) / 2;
		if (!ross_less(a, k, h[up]))
			break;
		h[i] = h[up];
		i = up;
	}
	h[i] = k;
}

static void sift_down(const ross_arena *a, ross_key *h, uint64_t n, uint64_t i)
{
	ross_key k = h[i];
	for (;;) {
		uint64_t c = 2 * i + 1;
		if (c >= n)
			break;
		if (c + 1 < n && ross_less(a, h[c + 1], h[c]))
			c++;
		if (!ross_less(a, h[c], k))
			break;
		h[i] = h[c];
		i = c;
	}
	h[i] = k;
}

int ross_heap_push(ross_pool *p, ross_list *h, ross_key k)
{
	if (!ross_list_reserve(p, h, h->n + 1))
		return 0;
	h->k[h->n] = k;
	sift_up(&p->arena, h->k, h->n++);
	return 1;
}

ross_key ross_heap_pop(ross_pool *p, ross_list *h)
{
	ross_key least = h->k[0];
	h->k[0] = h->k[--h->n];
	if (h->n)
		sift_down(&p->arena, h->k, h->n, 0);
	return least;
}

void ross_heap_make(ross_pool *p, ross_list *h)
{
	for (uint64_t i = h->n / 2; i-- > 0;)
		sift_down(&p->arena, h->k, h->n, i);
}
