/* The total order of events, by their keys. */
#ifndef ROSS_ORDER_H
#define ROSS_ORDER_H

#include "event.h"

/* ross_less orders keys as their events are ordered. If two events wait with equal
 * signatures, it makes the later one ROSS_TIED: see Arena.Before in package internal/engine/event. */
int ross_less_same(const ross_arena *a, ross_key x, ross_key y);

static inline int ross_less(const ross_arena *a, ross_key x, ross_key y)
{
	if (__builtin_expect(ross_key_same(x, y), 0))
		return ross_less_same(a, x, y);
	return ross_key_lt(x, y);
}

#endif
