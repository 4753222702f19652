/* Ladder queue: the pending-event set (Tang, Goh, Thng, "Ladder queue: an O(1)
 * priority queue structure for large-scale discrete event simulation", TOMACS
 * 15(3), 2005), over 16-byte keys instead of events, with bucket widths that
 * are powers of two in the space of the time's bits.
 *
 *   window   sorted, shared with Go, which pops from it and inserts into it
 *   stage    unsorted, filled by Go with keys beyond the window
 *   rungs    buckets of keys; the innermost rung is the nearest
 *   top      unsorted keys beyond the outermost rung
 *
 * Every key of one part is before every key of the next outer part. The
 * border of a part is its cut: keys >= cut do not belong further in. Go calls
 * in when the window is empty (refill), the stage is full (flush), or the
 * window is full (spill).
 *
 * A rung of level 0 divides times, one of level 1 the prefixes of keys of one
 * time, and one of level 2 is a heap of keys that agree in all 96 bits. */
#ifndef ROSS_LADDER_H
#define ROSS_LADDER_H

#include "event.h"

/* The part that Go reads and writes; the Go twin is pq.window. */
typedef struct ross_window {
	ross_key *keys;    /* descending: keys[n-1] is the least */
	uint32_t n, cap;
	uint64_t bound_ts; /* keys >= (bound_ts, bound_lo) go to the stage */
	uint64_t bound_lo;
	ross_key *stage;
	uint32_t staged, stage_cap;
	ross_key tie_min;  /* if tie: the least key of the heap at the bound */
	uint32_t tie;
	uint32_t failed;   /* C could not get memory: results are invalid */
	uint64_t far;      /* keys in rungs and top */
	uint64_t bytes;    /* memory that the queue holds */
} ross_window;

typedef struct ross_ladder ross_ladder;

/* ross_ladder_new returns 0 if there is not enough memory. window is the
 * approximate number of keys in a window, up to 128; 0 selects the size
 * measured to be fastest. */
ross_ladder *ross_ladder_new(char *events, uint64_t stride, const ross_node *nodes,
			     uint32_t window);
void ross_ladder_free(ross_ladder *q);
ross_window *ross_ladder_window(ross_ladder *q);

void ross_ladder_refill(ross_ladder *q);
void ross_ladder_flush(ross_ladder *q);
void ross_ladder_spill(ross_ladder *q);

/* ross_ladder_rungs returns the depth of the ladder now. */
uint32_t ross_ladder_rungs(const ross_ladder *q);

#endif
