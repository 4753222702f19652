/* Heaps of keys that agree in all 96 bits: a list with the least key first. */
#ifndef ROSS_TIEHEAP_H
#define ROSS_TIEHEAP_H

#include "order.h"
#include "pool.h"

int ross_heap_push(ross_pool *p, ross_list *h, ross_key k);
ross_key ross_heap_pop(ross_pool *p, ross_list *h);
/* ross_heap_make makes a heap of a list in any order. */
void ross_heap_make(ross_pool *p, ross_list *h);

#endif
