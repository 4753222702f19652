//go:build cgo && !purego

/* The buddy pool: splitting, merging, and the batches that Go exchanges with
 * it. buddy.h has the structures; the twin is buddy/twin.go.
 *
 * Invariants, by the numbers that ross_buddy_check returns:
 *   1  a list is not linked well, or its bit in orders is wrong
 *   2  a list has a block that is not free or not of its order
 *   3  blocks do not follow one another without gap and overlap, each at a
 *      multiple of its size
 *   4  two free buddies are not merged
 *   5  the free bytes do not add up
 *   6  the count of taken blocks is wrong
 *   7  a magazine has a block twice, one that is not taken, or one of another order */
#include "buddy.h"

#include <string.h>

typedef struct link {
	uint64_t next, prev; /* NONE at the ends */
} link;

static link *link_at(const ross_buddy *b, uint64_t off) { return (link *)(void *)(b->base + off); }
static uint8_t *state_at(const ross_buddy *b, uint64_t off) { return b->state + (off >> ROSS_BUDDY_MIN); }
static uint64_t size_of(uint32_t k) { return (uint64_t)1 << k; }

static void list_push(ross_buddy *b, uint64_t off, uint32_t k)
{
	uint64_t next = b->orders >> k & 1 ? b->list[k] : ROSS_BUDDY_NONE;

	*link_at(b, off) = (link){ next, ROSS_BUDDY_NONE };
	if (next != ROSS_BUDDY_NONE)
		link_at(b, next)->prev = off;
	b->list[k] = off;
	b->orders |= size_of(k);
	*state_at(b, off) = (uint8_t)(ROSS_BUDDY_FREE | k);
}

static void list_remove(ross_buddy *b, uint64_t off, uint32_t k)
{
	link l = *link_at(b, off);

	if (l.next != ROSS_BUDDY_NONE)
		link_at(b, l.next)->prev = l.prev;
	if (l.prev != ROSS_BUDDY_NONE)
		link_at(b, l.prev)->next = l.next;
	else if (l.next != ROSS_BUDDY_NONE)
		b->list[k] = l.next;
	else
		b->orders &= ~size_of(k);
}

/* merge puts a block into the lists, after merging it with its buddy if that is free,
 * and so on upwards. */
static void merge(ross_buddy *b, uint64_t off, uint32_t k)
{
	b->free += size_of(k);
	for (;; k++) {
		uint64_t buddy = off ^ size_of(k);
		if (buddy >= b->top || *state_at(b, buddy) != (ROSS_BUDDY_FREE | k))
			break;
		list_remove(b, buddy, k);
		*state_at(b, off | buddy) = 0;
		off &= buddy;
	}
	list_push(b, off, k);
}

/* take splits the smallest free block that is large enough, and keeps its lower end,
 * so that blocks taken one after the other are adjacent. */
static uint64_t take(ross_buddy *b, uint32_t k)
{
	uint64_t large = b->orders >> k;

	if (!large)
		return ROSS_BUDDY_NONE;
	uint32_t j = k + (uint32_t)__builtin_ctzll(large);
	uint64_t off = b->list[j];
	list_remove(b, off, j);
	while (j > k) {
		j--;
		list_push(b, off + size_of(j), j);
	}
	*state_at(b, off) = (uint8_t)(ROSS_BUDDY_TAKEN | k);
	b->free -= size_of(k);
	b->taken++;
	return off;
}

static void note_peak(ross_buddy *b)
{
	uint64_t used = b->top - b->free - b->shed;

	if (used > b->peak)
		b->peak = used;
}

uint64_t ross_buddy_take(ross_buddy *b, uint32_t k)
{
	uint64_t off = take(b, k);
	note_peak(b);
	return off;
}

void ross_buddy_give(ross_buddy *b, uint64_t off, uint32_t k)
{
	b->taken--;
	merge(b, off, k);
}

uint32_t ross_buddy_take_all(ross_buddy *b, uint32_t k, uint32_t n, uintptr_t *at)
{
	uint32_t i = n;

	while (i > 0) {
		uint64_t off = take(b, k);
		if (off == ROSS_BUDDY_NONE)
			break;
		at[--i] = (uintptr_t)b->base + off;
	}
	note_peak(b);
	return n - i;
}

void ross_buddy_give_all(ross_buddy *b, uint32_t k, uint32_t n, const uintptr_t *at)
{
	for (uint32_t i = 0; i < n; i++)
		ross_buddy_give(b, at[i] - (uintptr_t)b->base, k);
}

/* ross_buddy_fill writes from the end, so that the lowest of the new blocks is
 * handed out first. */
void ross_buddy_fill(ross_buddy *b, uint32_t m)
{
	ross_magazine *g = &b->magazine[m];
	uint64_t got[ROSS_BUDDY_MAGAZINE];
	uint32_t want = g->cap / 2, i = want;

	while (i > g->n) {
		uint64_t off = take(b, ROSS_BUDDY_MIN + m);
		if (off == ROSS_BUDDY_NONE)
			break;
		got[--i] = off;
	}
	memcpy(g->block + g->n, got + i, (want - i) * sizeof *got);
	g->n += want - i;
	note_peak(b);
}

static void give_oldest(ross_buddy *b, uint32_t m, uint32_t n)
{
	ross_magazine *g = &b->magazine[m];

	for (uint32_t i = 0; i < n; i++)
		ross_buddy_give(b, g->block[i], ROSS_BUDDY_MIN + m);
	g->n -= n;
	memmove(g->block, g->block + n, g->n * sizeof *g->block);
}

void ross_buddy_empty(ross_buddy *b, uint32_t m) { give_oldest(b, m, (b->magazine[m].n + 1) / 2); }

void ross_buddy_drain(ross_buddy *b)
{
	for (uint32_t m = 0; m < ROSS_BUDDY_MAGAZINES; m++)
		give_oldest(b, m, b->magazine[m].n);
}

/* ross_buddy_reach checks whether the pool's end, from the last multiple of the size
 * on, is free: then the block may begin there. */
uint64_t ross_buddy_reach(const ross_buddy *b, uint32_t k)
{
	uint64_t from = b->top & ~(size_of(k) - 1), at = from;

	while (at < b->top) {
		uint8_t s = *state_at(b, at);
		if ((s & ROSS_BUDDY_WHERE) != ROSS_BUDDY_FREE)
			return from + 2 * size_of(k);
		at += size_of(s & ROSS_BUDDY_ORDER);
	}
	return from + size_of(k);
}

/* ross_buddy_extend adds the largest blocks that lie between the old top and the
 * new one. */
void ross_buddy_extend(ross_buddy *b, uint64_t top)
{
	uint64_t at = b->top;

	b->top = top;
	while (at < top) {
		uint32_t k = 63 - (uint32_t)__builtin_clzll(top - at);
		if (at && (uint32_t)__builtin_ctzll(at) < k)
			k = (uint32_t)__builtin_ctzll(at);
		merge(b, at, k);
		at += size_of(k);
	}
}

/* ---- For tests. ---- */

static int check_list(const ross_buddy *b, uint32_t k, uint64_t *bytes)
{
	uint64_t prev = ROSS_BUDDY_NONE, off = b->list[k];

	if (!(b->orders >> k & 1))
		return 0;
	do {
		if (off >= b->top || off % size_of(k) || *bytes > b->top)
			return 1;
		if (*state_at(b, off) != (ROSS_BUDDY_FREE | k))
			return 2;
		if (link_at(b, off)->prev != prev)
			return 1;
		*bytes += size_of(k);
		prev = off;
		off = link_at(b, off)->next;
	} while (off != ROSS_BUDDY_NONE);
	return 0;
}

/* check_blocks walks over the blocks, one after the other. */
static int check_blocks(const ross_buddy *b, uint64_t *free_bytes, uint64_t *taken)
{
	for (uint64_t at = 0; at < b->top;) {
		uint8_t s = *state_at(b, at), where = s & ROSS_BUDDY_WHERE;
		uint32_t k = s & ROSS_BUDDY_ORDER;
		if (!where || k < ROSS_BUDDY_MIN || k >= ROSS_BUDDY_ORDERS || at % size_of(k) ||
		    b->top - at < size_of(k))
			return 3;
		for (uint64_t in = size_of(ROSS_BUDDY_MIN); in < size_of(k); in += size_of(ROSS_BUDDY_MIN))
			if (*state_at(b, at + in))
				return 3;
		uint64_t buddy = at ^ size_of(k);
		if (where == ROSS_BUDDY_FREE && buddy < b->top && *state_at(b, buddy) == s)
			return 4;
		*free_bytes += where == ROSS_BUDDY_FREE ? size_of(k) : 0;
		*taken += where != ROSS_BUDDY_FREE;
		at += size_of(k);
	}
	return 0;
}

static int check_magazine(const ross_buddy *b, uint32_t m)
{
	const ross_magazine *g = &b->magazine[m];

	if (g->n > g->cap || g->cap > ROSS_BUDDY_MAGAZINE)
		return 7;
	for (uint32_t i = 0; i < g->n; i++) {
		if (g->block[i] >= b->top ||
		    *state_at(b, g->block[i]) != (ROSS_BUDDY_TAKEN | (ROSS_BUDDY_MIN + m)))
			return 7;
		for (uint32_t j = 0; j < i; j++)
			if (g->block[i] == g->block[j])
				return 7;
	}
	return 0;
}

int ross_buddy_check(const ross_buddy *b)
{
	uint64_t listed = 0, free_bytes = 0, taken = 0;
	int bad = 0;

	for (uint32_t k = 0; !bad && k < ROSS_BUDDY_ORDERS; k++)
		bad = check_list(b, k, &listed);
	if (!bad)
		bad = check_blocks(b, &free_bytes, &taken);
	for (uint32_t m = 0; !bad && m < ROSS_BUDDY_MAGAZINES; m++)
		bad = check_magazine(b, m);
	if (bad)
		return bad;
	if (listed != b->free || free_bytes != b->free)
		return 5;
	return taken == b->taken ? 0 : 6;
}

#define AT(s, f) (uint32_t)offsetof(s, f)

static const uint32_t layout[] = {
	sizeof(ross_magazine), AT(ross_magazine, n), AT(ross_magazine, cap), AT(ross_magazine, block),
	sizeof(ross_buddy), AT(ross_buddy, base), AT(ross_buddy, state), AT(ross_buddy, top),
	AT(ross_buddy, free), AT(ross_buddy, taken), AT(ross_buddy, peak), AT(ross_buddy, shed), AT(ross_buddy, orders),
	AT(ross_buddy, list), AT(ross_buddy, magazine),
};

uint32_t ross_buddy_layout(uint32_t i)
{
	return i < sizeof layout / sizeof *layout ? layout[i] : UINT32_MAX;
}
