/* Events and their keys as C sees them: the twins of the Go structs in internal/engine/event.
 * layout.c exports the offsets; a test compares. */
#ifndef ROSS_EVENT_H
#define ROSS_EVENT_H

#include <stddef.h>
#include <stdint.h>

typedef struct ross_event {
	double time;      /* receive time */
	double tie;       /* first tie-breaker */
	double send_time;
	uint64_t src;     /* global id of the sender */
	double prio;
	uint32_t dst;     /* local index of the receiver */
	uint32_t lineage; /* node of the other tie-breakers, 0: none */
	uint32_t bits;
	uint16_t type;
	uint8_t state;
	uint8_t size_class; /* 0: the payload follows; else of its block */
} ross_event;

/* States of an event that matter here. */
enum { ROSS_PENDING = 1, ROSS_TIED = 6 };

typedef struct ross_node {
	double tie;
	uint32_t parent, jump, depth, refs;
} ross_node;

/* Key: time bits, then prefix of (priority, tie-breaker) << 32 | event index. */
typedef struct ross_key {
	uint64_t ts, lo;
} ross_key;

/* The memory of the events: a key has the index of one. */
typedef struct ross_arena {
	char *events;
	uint64_t stride;
	const ross_node *nodes;
} ross_arena;

static inline ross_event *ross_event_at(const ross_arena *a, ross_key k)
{
	return (ross_event *)(a->events + a->stride * (uint32_t)k.lo);
}

/* Order by all 128 bits. */
static inline int ross_key_lt(ross_key a, ross_key b)
{
	return (a.ts < b.ts) | ((a.ts == b.ts) & (a.lo < b.lo));
}

static inline int ross_key_ge(ross_key a, ross_key b) { return !ross_key_lt(a, b); }

/* Equal in the 96 bits from the signatures: only the events have the order. */
static inline int ross_key_same(ross_key a, ross_key b)
{
	return (a.ts == b.ts) & ((a.lo >> 32) == (b.lo >> 32));
}

#endif
