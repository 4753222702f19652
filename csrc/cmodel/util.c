//go:build cgo && linux

/* Texts, memory and time. */
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "libross.h"

static void say(FILE *to, const char *kind, const char *file, int line, const char *format, va_list args)
{
	fprintf(to, "node: %lu: %s: %s:%i: ", g_tw_mynode, kind, file, line);
	vfprintf(to, format, args);
	if (ross_running && ross_running->call.lp)
		fprintf(to, " (LP %llu at %g)", (unsigned long long)ross_running->call.lp->gid, tw_now(ross_running->call.lp));
	fputc('\n', to);
	fflush(to);
}

/* The program ends at once: other threads may be in handlers, so what atexit has to call is not called. */
void tw_error(const char *file, int line, const char *format, ...)
{
	va_list args;

	ross_gives_up();
	fflush(NULL);
	va_start(args, format);
	say(stdout, "error", file, line, format, args);
	va_end(args);
	fflush(NULL);
	_exit(EXIT_FAILURE);
}

void tw_warning(const char *file, int line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(stdout, "warning", file, line, format, args);
	va_end(args);
}

void tw_printf(const char *file, int line, const char *format, ...)
{
	va_list args;

	(void)file;
	(void)line;
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	fflush(stdout);
}

void *tw_calloc(const char *file, int line, const char *who, size_t size, size_t n)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		tw_error(file, line, "no memory for %zu * %zu bytes of %s", n, size, who);
	return p;
}

tw_clock tw_clock_read(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (tw_clock)t.tv_sec * 1000000000u + (tw_clock)t.tv_nsec;
}

void tw_fprint_binary_array(FILE *to, const char *prefix, const void *array, size_t size)
{
	const unsigned char *at = array;

	for (size_t i = 0; i < size; i++) {
		if (i % 16 == 0)
			fprintf(to, "%s%s%04zx ", i ? "\n" : "", prefix, i);
		fprintf(to, " %02x", at[i]);
	}
	fputc('\n', to);
}
