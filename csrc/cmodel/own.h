/* Memory of the library itself: allocated in calls of handlers, it is not the model's (heap.h). */
#ifndef ROSS_OWN_H
#define ROSS_OWN_H

#include <stdlib.h>

void *ross_malloc(size_t n);
void *ross_calloc(size_t n, size_t each);
void *ross_realloc(void *p, size_t n);
void *ross_aligned_alloc(size_t align, size_t n);
void ross_free(void *p);

#define malloc(n) ross_malloc(n)
#define calloc(n, each) ross_calloc(n, each)
#define realloc(p, n) ross_realloc(p, n)
#define aligned_alloc(align, n) ross_aligned_alloc(align, n)
#define free(p) ross_free(p)

#endif
