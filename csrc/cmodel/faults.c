//go:build cgo && linux

/* What becomes of a fault in a function of the model: it is reported with the LP, the time and the function, and the
 * program ends with the signal, so that a debugger or a core file shows the place. */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libross.h"

__thread ross_out *ross_running __attribute__((tls_model("initial-exec")));

static const int caught[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
enum { CAUGHT = sizeof caught / sizeof *caught };
static struct sigaction before[CAUGHT]; /* Go's handlers */

/* The model's static variables, if ross-cc has linked it; 0 otherwise. */
extern char ross_model_begin[] __attribute__((weak)), ross_model_end[] __attribute__((weak));

static void say(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		return;
}

static const char *function_of(const ross_call *c)
{
	const tw_lptype *t = c->lp->type;
	void *f = c->plain ? *(void *const *)&c->plain : *(void *const *)&c->handler;

	if (f == *(void *const *)&t->event)
		return "event handler";
	if (f == *(void *const *)&t->revent)
		return "reverse handler";
	if (f == *(void *const *)&t->commit)
		return "commit handler";
	if (f == *(void *const *)&t->init)
		return "init";
	if (f == *(void *const *)&t->pre_run)
		return "pre_run";
	return f == *(void *const *)&t->final ? "final" : "function";
}

/* symbol_in writes the name of the variable at an address into name: the symbol of the ELF file whose range it is
 * in. The file is mapped at base; ross_model_begin says by how much its addresses differ from those in memory. */
static void symbol_in(const char *base, uintptr_t at, char *name, size_t room)
{
	const ElfW(Ehdr) *h = (const void *)base;
	const ElfW(Shdr) *sections = (const void *)(base + h->e_shoff);
	uintptr_t shift = 0;

	for (int pass = 0; pass < 2; pass++) /* first ross_model_begin, then the variable */
		for (int i = 0; i < h->e_shnum; i++) {
			const ElfW(Sym) *s = (const void *)(base + sections[i].sh_offset);
			const char *names;

			if (sections[i].sh_type != SHT_SYMTAB)
				continue;
			names = base + sections[sections[i].sh_link].sh_offset;
			for (size_t n = sections[i].sh_size / sizeof *s; n > 0; n--, s++) {
				if (pass == 0 && !strcmp(names + s->st_name, "ross_model_begin"))
					shift = (uintptr_t)ross_model_begin - s->st_value;
				else if (pass == 1 && (s->st_info & 15) == STT_OBJECT && at - shift - s->st_value < s->st_size)
					snprintf(name, room, " %s", names + s->st_name);
			}
		}
}

static void variable_at(const void *at, char *name, size_t room)
{
	int file = open("/proc/self/exe", O_RDONLY);
	struct stat is;
	void *base;

	if (file < 0 || fstat(file, &is))
		return;
	base = mmap(NULL, (size_t)is.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	if (base != MAP_FAILED && !memcmp(base, ELFMAG, SELFMAG))
		symbol_in(base, (uintptr_t)at, name, room);
}

static int is_model(const void *at)
{
	return ross_model_begin && (const char *)at >= ross_model_begin && (const char *)at < ross_model_end;
}

static const char *name_of(int number)
{
	switch (number) {
	case SIGSEGV:
		return "SIGSEGV";
	case SIGBUS:
		return "SIGBUS";
	case SIGFPE:
		return "SIGFPE";
	}
	return "SIGILL";
}

static void report(int number, const siginfo_t *info, const ross_out *o)
{
	const ross_call *c = &o->call;
	const char *at = info->si_addr, *end = o->stack - ROSS_STACK;
	char text[512], name[256] = "";
	int n, digits = 14;

	do /* the shortest that is this number */
		snprintf(text, sizeof text, "%.*g", ++digits, tw_now(c->lp));
	while (digits < 17 && strtod(text, NULL) != tw_now(c->lp));
	n = snprintf(text, sizeof text, "ross: LP %llu at %.*g: its %s ", (unsigned long long)c->lp->gid, digits, tw_now(c->lp),
		function_of(c));

	if (number == SIGSEGV && is_model(at)) {
		variable_at(at, name, sizeof name);
		snprintf(text + n, sizeof text - (size_t)n, "writes the static variable%s, which LPs on several PEs share: "
			"make it part of the state, or run with --ranks instead of --pes: each process has its own; "
			"if it may be shared, set the environment variable ROSS_STATICS=shared\n", name);
	} else if (number == SIGSEGV && at < end && end - at <= 65536) {
		snprintf(text + n, sizeof text - (size_t)n, "has used up its stack of %d bytes: use less for local variables and recursion, "
			"or set the environment variable ROSS_CALLS=cgo, with which it has the stack of the thread\n", ROSS_STACK);
	} else if (number == SIGABRT) {
		snprintf(text + n, sizeof text - (size_t)n, "has called abort, as a failed assertion does\n");
	} else {
		snprintf(text + n, sizeof text - (size_t)n, "caused signal %d (%s) at address %p: look at it in a debugger, "
			"which stops there\n", number, name_of(number), (const void *)at);
	}
	say(text);
}

static void fault(int number, siginfo_t *info, void *context)
{
	const ross_out *o = ross_running;

	/* of the processor or of abort, and not of kill */
	if (o && (info->si_code > 0 || (number == SIGABRT && info->si_pid == getpid()))) {
		struct sigaction usual = { .sa_handler = SIG_DFL };

		ross_gives_up();
		ross_running = NULL;
		report(number, info, o);
		sigaction(number, &usual, NULL); /* the instruction is repeated, and ends the program */
		return;
	}
	for (int i = 0; i < CAUGHT; i++)
		if (caught[i] == number && before[i].sa_flags & SA_SIGINFO)
			before[i].sa_sigaction(number, info, context);
}

int ross_catch_faults(void)
{
	static int done;
	struct sigaction mine = { .sa_sigaction = fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART };

	if (done)
		return 0;
	done = 1;
	sigfillset(&mine.sa_mask);
	for (int i = 0; i < CAUGHT; i++) {
		sigaction(caught[i], NULL, &before[i]);
		sigaction(caught[i], &mine, NULL);
	}
	return 0;
}

int ross_guard(int on)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), size = (size_t)(ross_model_end - ross_model_begin);

	const char *shared = getenv("ROSS_STATICS");

	if (shared && !strcmp(shared, "shared")) /* the user knows */
		return 0;
	if (!ross_model_begin || (uintptr_t)ross_model_begin % page || size % page)
		return -1;
	return size ? mprotect(ross_model_begin, size, on ? PROT_READ : PROT_READ | PROT_WRITE) : 0;
}
