/* Buddy pool: blocks of 2^k bytes out of one range of memory (Knowlton, "A fast
 * storage allocator", CACM 8(10), 1965; ROSS: core/buddy.c).
 *
 * A block of order k lies at a multiple of 2^k from base, so its buddy, the other
 * half of the block that it was split from, differs in one bit of the offset.
 * Places are offsets from base, so they mean the same in C, in Go and in a test.
 *
 *   lists      free blocks, one list for each order, linked through the blocks
 *   state      a byte for each 32 bytes; that of a block's start describes it
 *   magazines  taken blocks of small orders, for Go to hand out without a call
 *
 * Memory is the caller's: it keeps base[0, top) writable and state zero where it
 * has not been written. C allocates none itself. */
#ifndef ROSS_BUDDY_H
#define ROSS_BUDDY_H

#include <stddef.h>
#include <stdint.h>

enum {
	ROSS_BUDDY_MIN = 5,        /* order of the smallest block: 32 bytes */
	ROSS_BUDDY_ORDERS = 48,    /* orders are below it: address spaces have 2^47 bytes */
	ROSS_BUDDY_MAGAZINES = 8,  /* orders MIN to MIN+7: 32 bytes to 4 KiB */
	ROSS_BUDDY_MAGAZINE = 32   /* blocks that a magazine has room for */
};

/* Values of a byte of state: 0 inside a block; at its start the order, and where
 * the block is. Go marks blocks as handed out only under its tag invariants. */
enum {
	ROSS_BUDDY_ORDER = 0x3f,
	ROSS_BUDDY_FREE = 0x40,   /* in a list */
	ROSS_BUDDY_TAKEN = 0x80,  /* in a magazine or handed out */
	ROSS_BUDDY_HANDED = 0xc0, /* handed out */
	ROSS_BUDDY_WHERE = 0xc0
};

#define ROSS_BUDDY_NONE UINT64_MAX

/* Blocks of one order that Go pops and pushes: block[n-1] is next. */
typedef struct ross_magazine {
	uint32_t n, cap;
	uint64_t block[ROSS_BUDDY_MAGAZINE];
} ross_magazine;

/* All of a pool except its memory; the Go twin is buddy.shared. */
typedef struct ross_buddy {
	char *base;
	uint8_t *state;
	uint64_t top;    /* the pool is base[0, top) */
	uint64_t free;   /* bytes in lists */
	uint64_t taken;  /* blocks not in lists */
	uint64_t peak;   /* most bytes ever neither in lists nor shed */
	uint64_t shed;   /* bytes of taken blocks without memory; Go's */
	uint64_t orders; /* bit k: the list of order k has a block */
	uint64_t list[ROSS_BUDDY_ORDERS];
	ross_magazine magazine[ROSS_BUDDY_MAGAZINES];
} ross_buddy;

/* ross_buddy_fill fills magazine m to half its room, or with what blocks there are;
 * ross_buddy_empty returns its older half to the lists; ross_buddy_drain returns
 * the blocks of all magazines. */
void ross_buddy_fill(ross_buddy *b, uint32_t m);
void ross_buddy_empty(ross_buddy *b, uint32_t m);
void ross_buddy_drain(ross_buddy *b);

/* ross_buddy_take returns a block of order k, or NONE; ross_buddy_give takes
 * it back. */
uint64_t ross_buddy_take(ross_buddy *b, uint32_t k);
void ross_buddy_give(ross_buddy *b, uint64_t off, uint32_t k);

/* ross_buddy_take_all takes blocks of order k until it has n, or the lists have none, writes
 * their addresses to at, the first one last, and returns their number: they are the last of
 * the n places. ross_buddy_give_all takes n blocks of order k back, by their addresses. */
uint32_t ross_buddy_take_all(ross_buddy *b, uint32_t k, uint32_t n, uintptr_t *at);
void ross_buddy_give_all(ross_buddy *b, uint32_t k, uint32_t n, const uintptr_t *at);

/* If no block of order k is free, ross_buddy_reach returns the least top with which
 * one would be; ross_buddy_extend moves top there or beyond, to a multiple of 32. */
uint64_t ross_buddy_reach(const ross_buddy *b, uint32_t k);
void ross_buddy_extend(ross_buddy *b, uint64_t top);

/* ross_buddy_check returns 0, or the number of the first broken invariant (the
 * list is in buddy.c). */
int ross_buddy_check(const ross_buddy *b);

/* ross_buddy_layout returns entry i of the table in buddy.c, UINT32_MAX past it. */
uint32_t ross_buddy_layout(uint32_t i);

#endif
