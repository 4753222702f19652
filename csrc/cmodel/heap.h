/* The memory that a model allocates, for checks of rollback (--synch=6): which blocks belong to an LP, copies of
 * them, and events that are tried and taken back. heap.c owns it. */
#ifndef ROSS_HEAP_H
#define ROSS_HEAP_H

#include "libross.h"

/* A copy of the blocks that functions of an LP have allocated. */
typedef struct ross_heap_copy ross_heap_copy;

/* ross_heap_on says that blocks are noted down, from the start of the program, because its options say --synch=6. */
extern int ross_heap_on;

/* ross_heap_copy_of copies the blocks of an LP, 0 if it has none or there is no memory. ross_heap_drop frees a copy. */
ross_heap_copy *ross_heap_copy_of(tw_lpid gid);
void ross_heap_drop(ross_heap_copy *c);

/* ross_heap_differs says which blocks are no longer as in the copy, and returns their number, at most most: which
 * block of the LP each is, counted by their allocation, where it is and was copied to, its size, the first byte
 * that differs, and whether init or pre_run has allocated it. */
typedef struct ross_heap_where {
	uint64_t number;
	const char *at, *was;
	size_t size, byte;
	int init;
} ross_heap_where;
int ross_heap_differs(const ross_heap_copy *c, ross_heap_where *w, int most);

/* ross_heap_stage says what is called next: an event handler for the first time, its reverse handler, or it again.
 * What functions of the model free is really freed before the next first time: until then the check can return to
 * memory as it was. What the first call has allocated and its reverse handler freed, the second call gets again,
 * so that it finds the same addresses. It returns 0. */
enum { ROSS_FIRST, ROSS_REVERSE, ROSS_AGAIN };
int ross_heap_stage(int stage);

/* A trial: between begin and end, what the function of an LP does to its blocks, its state and the model's static
 * variables is taken back. With a copy, the blocks are first made what they were in it, or only the one at an
 * address. ross_heap_begin returns 0 if there is no memory. ross_try calls the handler of o->call; tried is then 0
 * if it has ended by tw_error or a signal. */
typedef struct ross_trial ross_trial;
ross_trial *ross_heap_begin(tw_lpid gid, void *state, size_t size, const ross_heap_copy *as, const char *only);
int ross_heap_end(ross_trial *t); /* returns 0 */
void ross_try(ross_out *o);
extern int ross_tried;

/* ross_heap_new returns a number for an address in a block that the trial has allocated, the same in a second
 * trial that does the same, and 0 for other words. */
uint64_t ross_heap_new(uint64_t word);

#endif
