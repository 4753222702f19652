/* For the files of the ladder driver: the world (a queue, its events and
 * the model with which it must agree), random numbers, memory that fails.
 *
 *   ladder_driver.c  what is played, and main
 *   world.c          Go's part of the queue, the model, their comparison
 *   memory.c         memory calls that can be made to fail */
#ifndef DRIVER_H
#define DRIVER_H

#include "../ladder.h"

enum {
	STRIDE = 64, /* bytes of an event with its payload */
	EVENTS = 1 << 16,
	NODES = 1 << 15,
	LPS = 64
};

/* A queue under test, its events, and the model with which it must agree. */
typedef struct world {
	const char *name;
	char *events;
	ross_node *nodes;
	uint32_t *unused, nunused, nnodes;
	ross_ladder *q;
	ross_window *w;
	ross_key *model; /* descending */
	uint32_t n;
	uint64_t ops, every; /* operations so far, and from check to check */
	double now;
	int bad;
} world;

/* world.c: the queue and its model, step by step. Once bad, a world ignores all
 * calls. */
int world_open(world *x, const char *name, uint32_t window, uint32_t n);
void world_close(world *x);
void add(world *x, double time, double prio, double tie, uint32_t lineage);
int take(world *x, ross_event *out);
void peek(world *x);
void drain(world *x);
void check(world *x);
void fail(world *x, const char *what, double got, double want);
void blind(world *x);
uint32_t extend(world *x, uint32_t parent, double tie);

/* world.c: random numbers, the same for each world of a seed. */
extern uint64_t seed;
uint64_t bits(void);
uint32_t below(uint32_t n);
double unif(void);
double from_bits(uint64_t x);

/* memory.c: refuse makes the memory calls from number first to number last
 * fail, counted from now; 0: none. memory_calls returns how many there were. */
void refuse(uint64_t first, uint64_t last);
uint64_t memory_calls(void);
void *must_malloc(size_t n); /* for the driver itself: never refused */

#endif
