//go:build cgo && linux

/* Places of static variables and functions: processes of one program have them at different addresses, but each as far from
 * the beginning of its file. */
#include <link.h>

#include "libross.h"

typedef struct search {
	int number, found; /* of files */
	uintptr_t at, begins;
} search;

static int has(struct dl_phdr_info *file, size_t size, void *arg)
{
	search *s = arg;

	(void)size;
	for (int i = 0; i < file->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &file->dlpi_phdr[i];

		if (h->p_type == PT_LOAD && s->at - file->dlpi_addr - h->p_vaddr < h->p_memsz) {
			s->found = s->number;
			s->begins = file->dlpi_addr;
			return 1;
		}
	}
	s->number++;
	return 0;
}

int ross_place_of(const void *p, uint64_t *offset)
{
	search s = { .found = -1, .at = (uintptr_t)p };

	dl_iterate_phdr(has, &s);
	*offset = s.at - s.begins;
	return s.found;
}

static int is(struct dl_phdr_info *file, size_t size, void *arg)
{
	search *s = arg;

	(void)size;
	if (s->number++ != s->found)
		return 0;
	s->begins = file->dlpi_addr;
	return 1;
}

void *ross_at_place(int file, uint64_t offset)
{
	search s = { .found = file };

	return dl_iterate_phdr(is, &s) ? (void *)(s.begins + (uintptr_t)offset) : NULL;
}

uint64_t ross_print_of(const void *p, size_t size)
{
	uint64_t sum = 14695981039346656037u; /* FNV-1a */

	for (size_t i = 0; i < size / sizeof(uintptr_t); i++) {
		uint64_t word = ((const uintptr_t *)p)[i], offset;
		int file = ross_place_of((const void *)(uintptr_t)word, &offset);

		sum = (sum ^ (uint64_t)(file + 1)) * 1099511628211u;
		sum = (sum ^ (file < 0 ? word : offset)) * 1099511628211u;
	}
	return sum;
}
