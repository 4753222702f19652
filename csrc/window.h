/* Forming a window: taking the keys of a rung's next buckets, in order. */
#ifndef ROSS_WINDOW_H
#define ROSS_WINDOW_H

#include "bucket.h"
#include "sort.h"

enum { ROSS_SLACK = 16 }; /* keys below the window that may be overwritten */

/* ross_window_take moves the keys of the buckets from b up to be to below end, sorted, the
 * least key last. b must be the least bucket. tmp has room for the keys of each. */
void ross_window_take(ross_pool *p, ross_bucket *b, ross_bucket *be, ross_key *tmp, ross_key *end);

#endif
