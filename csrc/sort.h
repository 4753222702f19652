/* Sorting keys. */
#ifndef ROSS_SORT_H
#define ROSS_SORT_H

#include "order.h"

/* ross_sort sorts n keys in descending order, by ross_less. tmp has room for n keys. */
void ross_sort(const ross_arena *a, ross_key *k, ross_key *tmp, uint64_t n);

#endif
