/* For tests and the invariants build. */
#ifndef ROSS_CHECK_H
#define ROSS_CHECK_H

#include "ladder.h"

/* ross_ladder_check returns 0, or the number of the first broken invariant
 * (the list is in check.c). */
int ross_ladder_check(const ross_ladder *q);

#endif
