//go:build cgo && !purego

/* The total order of events: twin of internal/engine/event/event.go and of the
 * comparison in internal/engine/event/lineage.go. */
#include "order.h"

#include <stdlib.h>

static uint32_t climb(const ross_node *n, uint32_t i, uint32_t depth)
{
	while (n[i].depth > depth)
		i = n[n[i].jump].depth >= depth ? n[i].jump : n[i].parent;
	return i;
}

/* ancestor_tie returns the tie-breaker of i's ancestor at a depth. */
static double ancestor_tie(const ross_node *n, uint32_t i, uint32_t depth)
{
	return n[climb(n, i, depth)].tie;
}

/* compare_all compares tie by tie, for chains that part at equal
 * tie-breakers. */
static int compare_all(const ross_node *n, uint32_t a, uint32_t b)
{
	uint32_t da = n[a].depth, db = n[b].depth, least = da < db ? da : db;

	for (uint32_t d = 1; d <= least; d++) {
		double ta = ancestor_tie(n, a, d), tb = ancestor_tie(n, b, d);
		if (ta != tb)
			return ta < tb ? -1 : 1;
	}
	return (da > db) - (da < db);
}

static int lineage_cmp(const ross_node *n, uint32_t a, uint32_t b)
{
	if (a == b)
		return 0;
	uint32_t da = n[a].depth, db = n[b].depth, least = da < db ? da : db;
	uint32_t x = climb(n, a, least), y = climb(n, b, least);
	if (x == y)
		return (da > db) - (da < db);
	for (;;) {
		if (n[x].jump != n[y].jump)
			x = n[x].jump, y = n[y].jump;
		else if (n[x].parent != n[y].parent)
			x = n[x].parent, y = n[y].parent;
		else
			break;
	}
	if (n[x].tie != n[y].tie)
		return n[x].tie < n[y].tie ? -1 : 1;
	return compare_all(n, a, b);
}

#define ORDER(f)                                     \
	do {                                         \
		if (x->f != y->f)                    \
			return x->f < y->f ? -1 : 1; \
	} while (0)

static int signature_cmp(const ross_arena *a, const ross_event *x, const ross_event *y)
{
	ORDER(time);
	ORDER(prio);
	ORDER(tie);
	return lineage_cmp(a->nodes, x->lineage, y->lineage);
}

/* send_cmp decides between equal signatures. */
static int send_cmp(const ross_event *x, const ross_event *y)
{
	ORDER(dst);
	ORDER(src);
	ORDER(send_time);
	return 0;
}

int ross_less_same(const ross_arena *a, ross_key x, ross_key y)
{
	ross_event *ex = ross_event_at(a, x), *ey = ross_event_at(a, y);
	int c = signature_cmp(a, ex, ey);

	if (c || x.lo == y.lo)
		return c < 0;
	c = send_cmp(ex, ey);
	int less = c ? c < 0 : ross_key_lt(x, y);
	ross_event *earlier = less ? ex : ey, *later = less ? ey : ex;
	if (later->state == ROSS_PENDING && (earlier->state == ROSS_PENDING || earlier->state == ROSS_TIED))
		later->state = ROSS_TIED;
	return less;
}
