//go:build cgo && !purego

/* AVL trees with links to the parent: insertion next to the newest node,
 * removal without a search. The twin in Go is avl/twin.go, step by step.
 *
 * Left and right are sides 0 and 1, so that each case is written once. */
#include "avl.h"

#include <stdlib.h>
#include <string.h>

enum { AHEAD = 8 }; /* nodes from a prefetch to its use */

static inline ross_avl_node *at(const ross_avl *t, uint32_t i)
{
	return (ross_avl_node *)(t->nodes + t->stride * i);
}

static inline int sign(int side) { return 2 * side - 1; }

/* ---- Links ---- */

static inline void set_child(ross_avl *t, uint32_t p, int side, uint32_t c)
{
	at(t, p)->child[side] = c;
	if (c)
		at(t, c)->parent = p;
}

/* replace puts y in the place of x. */
static inline void replace(ross_avl *t, uint32_t x, uint32_t y)
{
	ross_avl_node *n = at(t, x);
	uint32_t p = n->parent;

	if (p)
		at(t, p)->child[at(t, p)->child[1] == x] = y;
	else
		t->sources[n->source].root = y;
	if (y)
		at(t, y)->parent = p;
}

/* rotate raises the child c of p, on the given side, above p. */
static inline void rotate(ross_avl *t, uint32_t p, int side, uint32_t c)
{
	replace(t, p, c);
	set_child(t, p, side, at(t, c)->child[!side]);
	set_child(t, c, !side, p);
}

/* straighten restores balance at p, whose given side is two levels higher than
 * the other, and returns the node that takes its place. */
static uint32_t straighten(ross_avl *t, uint32_t p, int side)
{
	uint32_t c = at(t, p)->child[side], g;
	ross_avl_node *np = at(t, p), *nc = at(t, c), *ng;
	int heavy = sign(side);

	if (nc->balance != -heavy) {
		rotate(t, p, side, c);
		np->balance = nc->balance ? 0 : heavy; /* 0 after removals only */
		nc->balance = nc->balance ? 0 : -heavy;
		return c;
	}
	g = nc->child[!side];
	ng = at(t, g);
	rotate(t, c, !side, g);
	rotate(t, p, side, g);
	np->balance = ng->balance == heavy ? -heavy : 0;
	nc->balance = ng->balance == -heavy ? heavy : 0;
	ng->balance = 0;
	return g;
}

/* ---- Insertion ---- */

/* find_parent descends to where id belongs, from the lowest node above it on
 * the way up from the newest: steps grow with the logarithm of the distance.
 * It returns 0 if the id is there. */
static uint32_t find_parent(const ross_avl *t, uint32_t newest, uint64_t id, int *side)
{
	uint32_t x = newest, c, p;

	while ((p = at(t, x)->parent) && id <= at(t, p)->id)
		x = p;
	for (c = x; c; c = at(t, x)->child[*side]) {
		x = c;
		if (at(t, x)->id == id)
			return 0;
		*side = id > at(t, x)->id;
	}
	return x;
}

/* grown restores balance above x, whose tree is one level higher than it was. */
static void grown(ross_avl *t, uint32_t x)
{
	uint32_t p;

	for (; (p = at(t, x)->parent); x = p) {
		ross_avl_node *n = at(t, p);
		int side = n->child[1] == x;
		if (n->balance == sign(side)) {
			straighten(t, p, side);
			return;
		}
		n->balance += sign(side);
		if (!n->balance)
			return;
	}
}

static int reserve(ross_avl *t, uint32_t source)
{
	uint32_t cap = t->nsources ? 2 * t->nsources : 8;
	ross_avl_source *s;

	if (source >= ROSS_AVL_SOURCES)
		return ROSS_AVL_SOURCE;
	while (cap <= source)
		cap *= 2;
	s = realloc(t->sources, cap * sizeof *s);
	if (!s)
		return ROSS_AVL_MEMORY;
	memset(s + t->nsources, 0, (cap - t->nsources) * sizeof *s);
	t->sources = s;
	t->nsources = cap;
	return 0;
}

/* insert returns 0, or the reason why it refused. */
static int insert(ross_avl *t, uint32_t i)
{
	ross_avl_node *n = at(t, i);
	ross_avl_source *s;
	uint32_t p;
	int side = 1, bad;

	if (!i)
		return ROSS_AVL_NODE;
	if (n->source >= t->nsources && (bad = reserve(t, n->source)))
		return bad;
	s = &t->sources[n->source];
	p = s->newest;
	if (p && n->id <= at(t, p)->id) {
		p = find_parent(t, p, n->id, &side);
		if (!p)
			return ROSS_AVL_DUPLICATE;
	} else {
		s->newest = i;
	}
	n->child[0] = n->child[1] = 0;
	n->parent = p;
	n->balance = 0;
	n->linked = 1;
	t->n++;
	if (!p) {
		s->root = i;
		return 0;
	}
	at(t, p)->child[side] = i;
	grown(t, i);
	return 0;
}

uint64_t ross_avl_insert(ross_avl *t, const uint32_t *nodes, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		int bad = insert(t, nodes[i]);
		if (bad) {
			t->refused = bad;
			return i;
		}
	}
	return n;
}

/* ---- Removal ---- */

/* shrunk restores balance from p up, whose tree on the given side is one level lower than
 * it was. */
static void shrunk(ross_avl *t, uint32_t p, int side)
{
	while (p) {
		ross_avl_node *n = at(t, p);
		uint32_t top = p;
		if (!n->balance) {
			n->balance = -sign(side);
			return;
		}
		if (n->balance == sign(side)) {
			n->balance = 0;
		} else {
			top = straighten(t, p, !side);
			if (at(t, top)->balance)
				return; /* as high as before */
		}
		p = at(t, top)->parent;
		side = p && at(t, p)->child[1] == top;
	}
}

/* exchange takes i, which has two children, out of the tree: its neighbour in
 * the higher one gets its place. */
static void exchange(ross_avl *t, uint32_t i)
{
	ross_avl_node *n = at(t, i);
	int side = n->balance > 0, from = side;
	uint32_t y = n->child[side], p;

	while (at(t, y)->child[!side])
		y = at(t, y)->child[!side];
	p = at(t, y)->parent;
	if (p == i) {
		p = y;
	} else {
		from = !side;
		set_child(t, p, from, at(t, y)->child[side]);
		set_child(t, y, side, n->child[side]);
	}
	set_child(t, y, !side, n->child[!side]);
	replace(t, i, y);
	at(t, y)->balance = n->balance;
	shrunk(t, p, from);
}

static int remove_one(ross_avl *t, uint32_t i)
{
	ross_avl_node *n = at(t, i);
	ross_avl_source *s;
	uint32_t p;
	int side;

	if (!i || n->linked != 1)
		return ROSS_AVL_NODE;
	s = &t->sources[n->source];
	if (s->newest == i) /* nothing right of it, so at most a leaf left of it */
		s->newest = n->child[0] ? n->child[0] : n->parent;
	n->linked = 0;
	t->n--;
	if (n->child[0] && n->child[1]) {
		exchange(t, i);
		return 0;
	}
	p = n->parent;
	side = p && at(t, p)->child[1] == i;
	replace(t, i, n->child[0] | n->child[1]);
	shrunk(t, p, side);
	return 0;
}

uint64_t ross_avl_remove(ross_avl *t, const uint32_t *nodes, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		if (i + AHEAD < n) /* committed nodes were last touched long ago */
			__builtin_prefetch(at(t, nodes[i + AHEAD]), 1);
		int bad = remove_one(t, nodes[i]);
		if (bad) {
			t->refused = bad;
			return i;
		}
	}
	return n;
}

/* ---- Building ---- */

/* halve makes a tree of nodes that are in order, and returns its height. The left
 * half has the additional node, so it is as high as the right one, or one level higher. */
static int halve(ross_avl *t, const uint32_t *nodes, uint64_t n, uint32_t parent, uint32_t *root)
{
	uint64_t mid = n / 2;
	ross_avl_node *x;
	int left, right;

	*root = 0;
	if (!n)
		return 0;
	*root = nodes[mid];
	x = at(t, nodes[mid]);
	x->parent = parent;
	x->linked = 1;
	left = halve(t, nodes, mid, nodes[mid], &x->child[0]);
	right = halve(t, nodes + mid + 1, n - mid - 1, nodes[mid], &x->child[1]);
	x->balance = right - left;
	return 1 + left;
}

/* admit returns 0 if b may come after a, which is 0 before the first, and the table
 * has its source; otherwise the reason why not. */
static int admit(ross_avl *t, uint32_t a, uint32_t b)
{
	const ross_avl_node *x, *y = at(t, b);

	if (!b)
		return ROSS_AVL_NODE;
	if (a) {
		x = at(t, a);
		if (y->source == x->source && y->id == x->id)
			return ROSS_AVL_DUPLICATE;
		if (y->source < x->source || (y->source == x->source && y->id < x->id))
			return ROSS_AVL_ORDER;
	}
	return y->source >= t->nsources ? reserve(t, y->source) : 0;
}

static void forget(ross_avl *t)
{
	if (t->sources)
		memset(t->sources, 0, t->nsources * sizeof *t->sources);
	t->n = 0;
}

uint64_t ross_avl_build(ross_avl *t, const uint32_t *nodes, uint64_t n)
{
	uint64_t first, end = 0;

	forget(t);
	for (uint64_t i = 0; i < n; i++) {
		int bad = admit(t, i ? nodes[i - 1] : 0, nodes[i]);
		if (bad) {
			forget(t);
			t->refused = bad;
			return i;
		}
	}
	for (first = 0; first < n; first = end) {
		ross_avl_source *s = &t->sources[at(t, nodes[first])->source];
		while (end < n && at(t, nodes[end])->source == at(t, nodes[first])->source)
			end++;
		halve(t, nodes + first, end - first, 0, &s->root);
		s->newest = nodes[end - 1];
	}
	t->n = n;
	return n;
}

/* ---- Making and freeing ---- */

ross_avl *ross_avl_new(char *nodes, uint64_t stride)
{
	ross_avl *t = calloc(1, sizeof *t);

	if (t) {
		t->nodes = nodes;
		t->stride = stride;
	}
	return t;
}

void ross_avl_free(ross_avl *t)
{
	free(t->sources);
	free(t);
}

#define AT(s, f) (uint32_t)offsetof(s, f)

static const uint32_t layout[] = {
	sizeof(ross_avl_node), AT(ross_avl_node, id), AT(ross_avl_node, source),
	AT(ross_avl_node, child), AT(ross_avl_node, parent), AT(ross_avl_node, balance),
	AT(ross_avl_node, linked), AT(ross_avl_node, pad),
	sizeof(ross_avl_source), AT(ross_avl_source, root), AT(ross_avl_source, newest),
	sizeof(ross_avl), AT(ross_avl, nodes), AT(ross_avl, sources), AT(ross_avl, stride),
	AT(ross_avl, n), AT(ross_avl, nsources), AT(ross_avl, refused),
};

uint32_t ross_avl_layout(uint32_t i)
{
	return i < sizeof layout / sizeof *layout ? layout[i] : UINT32_MAX;
}
