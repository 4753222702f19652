/* Memory calls that can be made to fail: with the linker's --wrap, all
 * memory calls of the program come here. */
#include "driver.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static uint64_t calls;         /* memory calls so far */
static uint64_t first_refused; /* number of the first call to fail, 0: none */
static uint64_t last_refused;  /* and of the last */

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__real_mmap(void *p, size_t n, int prot, int flags, int fd, off_t off);
int __real_mprotect(void *p, size_t n, int prot);

void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
void *__wrap_mmap(void *p, size_t n, int prot, int flags, int fd, off_t off);
int __wrap_mprotect(void *p, size_t n, int prot);

static int refused(void)
{
	calls++;
	if (!first_refused || calls < first_refused || calls > last_refused)
		return 0;
	errno = ENOMEM;
	return 1;
}

void *__wrap_malloc(size_t n) { return refused() ? 0 : __real_malloc(n); }
void *__wrap_calloc(size_t n, size_t size) { return refused() ? 0 : __real_calloc(n, size); }
void *__wrap_realloc(void *p, size_t n) { return refused() ? 0 : __real_realloc(p, n); }

void *__wrap_mmap(void *p, size_t n, int prot, int flags, int fd, off_t off)
{
	return refused() ? MAP_FAILED : __real_mmap(p, n, prot, flags, fd, off);
}

int __wrap_mprotect(void *p, size_t n, int prot)
{
	return refused() ? -1 : __real_mprotect(p, n, prot);
}

void refuse(uint64_t first, uint64_t last)
{
	calls = 0;
	first_refused = first;
	last_refused = last;
}

uint64_t memory_calls(void) { return calls; }

void *must_malloc(size_t n)
{
	void *p = __real_malloc(n);
	if (p)
		return p;
	fprintf(stderr, "ladder_driver: the system has no memory\n");
	exit(2);
}
