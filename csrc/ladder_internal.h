/* The private half of ladder.h: the whole ladder, for ladder.c and check.c. */
#ifndef ROSS_LADDER_INTERNAL_H
#define ROSS_LADDER_INTERNAL_H

#include "ladder.h"
#include "stack.h"

struct ross_ladder {
	ross_window w;
	ross_key *window_mem;
	ross_list tmp;
	uint32_t target;   /* keys to hand over in one window */
	uint32_t small;    /* with at most this many keys, all form the window */
	ross_stack stack;
};

#endif
