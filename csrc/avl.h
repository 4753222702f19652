/* Index of received events: AVL trees over (source, id) whose nodes lie in the
 * caller's memory, one tree for each source. ROSS: core/avl_tree.c, avlInsert.
 * Package avl explains the structure. Find is in Go, on the same nodes. */
#ifndef ROSS_AVL_H
#define ROSS_AVL_H

#include <stddef.h>
#include <stdint.h>

/* Node i is at nodes + i * stride; no node has number 0. The Go twin is avl.Node. */
typedef struct ross_avl_node {
	uint64_t id;       /* the caller's, as source is */
	uint32_t source;
	uint32_t child[2]; /* lesser ids, greater ids */
	uint32_t parent;
	int8_t balance;    /* height of child[1] less that of child[0] */
	uint8_t linked;    /* 1: in a tree */
	uint8_t pad[6];
} ross_avl_node;

/* The tree of one source; both 0: empty. The Go twin is avl.source. */
typedef struct ross_avl_source {
	uint32_t root;
	uint32_t newest; /* the greatest id: where an insertion starts */
} ross_avl_source;

/* What Go and C share; the Go twin is avl.head. */
typedef struct ross_avl {
	char *nodes;
	ross_avl_source *sources;
	uint64_t stride;
	uint64_t n; /* nodes in all trees */
	uint32_t nsources;
	uint32_t refused; /* why the last call stopped early */
} ross_avl;

enum {
	ROSS_AVL_NODE = 1,  /* node 0, or one that is in no tree */
	ROSS_AVL_DUPLICATE, /* the key exists already */
	ROSS_AVL_SOURCE,    /* the source is ROSS_AVL_SOURCES or more */
	ROSS_AVL_MEMORY,    /* the table of sources cannot grow */
	ROSS_AVL_ORDER      /* its key is less than that of the node before it */
};

enum { ROSS_AVL_SOURCES = 1 << 24 };

/* ross_avl_new returns 0 if there is not enough memory. */
ross_avl *ross_avl_new(char *nodes, uint64_t stride);
void ross_avl_free(ross_avl *t);

/* Both take n nodes, in order, up to the first that is refused. They return
 * how many they took; if that is less than n, t->refused is the reason. */
uint64_t ross_avl_insert(ross_avl *t, const uint32_t *nodes, uint64_t n);
uint64_t ross_avl_remove(ross_avl *t, const uint32_t *nodes, uint64_t n);

/* ross_avl_build forgets all nodes, and makes the trees of n others, which are in
 * the order of source and id. If it refuses one there are no trees, and it returns
 * the place of that node, not n. */
uint64_t ross_avl_build(ross_avl *t, const uint32_t *nodes, uint64_t n);

/* ross_avl_layout returns size or offset i of the structs above, UINT32_MAX
 * past them. */
uint32_t ross_avl_layout(uint32_t i);

#endif
