//go:build cgo && linux

/* The memory that a model allocates: ross-cc and CMake have the linker put these functions in place of malloc and
 * the like (--wrap), in the model and in this library. They cost a comparison, unless the program checks rollback. */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "heap.h"
#include "own.h"

/* What --wrap calls the functions of the C library; 0 if the program is linked in another way. */
#define WEAK __attribute__((weak))
extern void *__real_malloc(size_t) WEAK;
extern void *__real_calloc(size_t, size_t) WEAK;
extern void *__real_realloc(void *, size_t) WEAK;
extern void __real_free(void *) WEAK;
extern int __real_posix_memalign(void **, size_t, size_t) WEAK;
extern void *__real_aligned_alloc(size_t, size_t) WEAK;

enum { HELD = 1, GONE = 2 }; /* freed, and still there; freed in a trial */

typedef struct block {
	char *at;
	size_t size;
	uint64_t number;     /* of the LP's blocks, by their allocation */
	struct block *next;  /* of the table */
	struct block *older; /* of the LP */
	struct block **back; /* what leads to it among those of the LP */
	unsigned char init, state, fresh; /* fresh: of the trial */
} block;

typedef struct owner {
	block *last;
	uint64_t count;
} owner;

int ross_heap_on;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static block **table;
static size_t room, blocks;
static owner *owners, nobody;
static size_t nowners;
typedef struct list {
	block **of;
	size_t n, room;
} list;
static list held;  /* freed since the first call of the event's handler */
static list first; /* allocated in that call */
static size_t again; /* how many of these the second call has got or allocated itself */
static int stage;
static uint64_t fresh; /* blocks of the trial that runs, from 1 on */
static ross_trial *trial;

void *ross_malloc(size_t n) { return __real_malloc ? __real_malloc(n) : (malloc)(n); }
void *ross_calloc(size_t n, size_t each) { return __real_calloc ? __real_calloc(n, each) : (calloc)(n, each); }
void *ross_realloc(void *p, size_t n) { return __real_realloc ? __real_realloc(p, n) : (realloc)(p, n); }
void *ross_aligned_alloc(size_t align, size_t n)
{
	return __real_aligned_alloc ? __real_aligned_alloc(align, n) : (aligned_alloc)(align, n);
}
void ross_free(void *p) { __real_free ? __real_free(p) : (free)(p); }

/* is_check reports whether the word is a beginning of --synch= and the last character is 6. */
static int is_check(const char *word, size_t n)
{
	const char *equals = memchr(word, '=', n);
	size_t name = equals ? (size_t)(equals - word) : 0;

	return name > 3 && name <= 7 && !strncmp(word, "--synch", name) && n == name + 2 && equals[1] == '6';
}

/* Whether the program checks rollback is known before main, from its command line, so that blocks of main are
 * noted, too. */
__attribute__((constructor)) static void look(void)
{
	static char words[65536];
	int file = __real_malloc ? open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC) : -1;
	ssize_t n = file < 0 ? 0 : read(file, words, sizeof words);

	if (file >= 0)
		close(file);
	for (ssize_t i = 0; i < n;) {
		size_t len = strnlen(words + i, (size_t)(n - i));

		if (is_check(words + i, len))
			ross_heap_on = 1;
		i += (ssize_t)len + 1;
	}
}

static void append(list *l, block *b)
{
	if (l->n == l->room) {
		l->room = l->room ? 2 * l->room : 256;
		l->of = realloc(l->of, l->room * sizeof *l->of);
		if (!l->of)
			abort();
	}
	l->of[l->n++] = b;
}

static block **place(const void *at)
{
	block **p = &table[((uintptr_t)at >> 4) * 0x9e3779b97f4a7c15u % room];

	while (*p && (*p)->at != at)
		p = &(*p)->next;
	return p;
}

static void grow(void)
{
	size_t old = room;
	block **were = table;

	room = room ? 4 * room : 65536;
	table = malloc(room * sizeof *table);
	if (!table)
		abort();
	memset(table, 0, room * sizeof *table);
	for (size_t i = 0; i < old; i++)
		for (block *b = were[i], *next; b; b = next) {
			block **p = &table[((uintptr_t)b->at >> 4) * 0x9e3779b97f4a7c15u % room];

			next = b->next;
			b->next = *p;
			*p = b;
		}
	free(were);
}

static owner *owner_of(tw_lpid gid)
{
	return gid < nowners ? &owners[gid] : &nobody;
}

/* note notes a block down: of the LP whose function runs, if one does. */
static void *note(void *at, size_t size)
{
	const ross_call *c = ross_running ? &ross_running->call : NULL;
	block *b;
	owner *o = &nobody;

	if (!at)
		return at;
	pthread_mutex_lock(&lock);
	if (blocks >= room)
		grow();
	if (c && c->lp) {
		if (!owners && (owners = malloc(g_tw_total_lps * sizeof *owners))) {
			nowners = g_tw_total_lps;
			memset(owners, 0, nowners * sizeof *owners);
		}
		o = owner_of(c->lp->gid);
	}
	b = malloc(sizeof *b);
	if (b) {
		block **p = place(at);

		if (*p) { /* something else has freed it */
			block *old = *p;

			*p = old->next;
			if (old->older)
				old->older->back = old->back;
			*old->back = old->older;
			free(old);
			blocks--;
			p = place(at);
		}
		*b = (block){ .at = at, .size = size, .number = o->count++, .next = *p, .older = o->last,
			.back = &o->last, .init = c && c->plain, .fresh = trial && c };
		*p = b;
		if (o->last)
			o->last->back = &b->older;
		o->last = b;
		blocks++;
		if (b->fresh)
			b->number = ++fresh;
		else if (c && !c->plain && stage == ROSS_FIRST)
			append(&first, b);
	}
	pthread_mutex_unlock(&lock);
	return at;
}

/* forget takes a block out of the table, and really frees it. */
static void forget(block *b)
{
	block **p = place(b->at);

	*p = b->next;
	if (b->older)
		b->older->back = b->back;
	*b->back = b->older;
	blocks--;
	__real_free(b->at);
	free(b);
}

/* drop frees a block. One that a function of an LP frees stays until the next event. Memory that was not noted stays for
 * good, if it is freed in a trial. */
static void drop(void *at)
{
	block *b;

	if (!at)
		return;
	pthread_mutex_lock(&lock);
	b = room ? *place(at) : NULL;
	if (!ross_running || !(b || trial)) {
		if (b)
			forget(b);
		else
			__real_free(at);
	} else if (b && !b->state) {
		b->state = trial ? GONE : HELD;
		append(&held, b);
	}
	pthread_mutex_unlock(&lock);
}

int ross_heap_stage(int next)
{
	pthread_mutex_lock(&lock);
	if (next == ROSS_FIRST) {
		for (size_t i = 0; i < held.n; i++)
			forget(held.of[i]);
		held.n = first.n = 0;
	}
	again = 0;
	stage = next;
	pthread_mutex_unlock(&lock);
	return 0;
}

/* same returns what the first call of a handler has got in place of this allocation of the second one, 0 if that is not
 * known, or in use. */
static void *same(size_t n)
{
	block *b;

	if (stage != ROSS_AGAIN || trial || !ross_running || again >= first.n)
		return NULL;
	b = first.of[again++];
	if (b->state != HELD || b->size != n)
		return NULL;
	pthread_mutex_lock(&lock);
	for (size_t i = held.n; i-- > 0;)
		if (held.of[i] == b)
			held.of[i] = held.of[--held.n];
	b->state = 0;
	pthread_mutex_unlock(&lock);
	return b->at;
}

void *__wrap_malloc(size_t n)
{
	void *p = ross_heap_on ? same(n) : NULL;

	if (p)
		return p;
	p = __real_malloc(n);
	return ross_heap_on ? note(p, n) : p;
}

void *__wrap_calloc(size_t n, size_t each)
{
	void *p = ross_heap_on && each && n <= SIZE_MAX / each ? same(n * each) : NULL;

	if (p)
		return memset(p, 0, n * each);
	p = __real_calloc(n, each);
	return ross_heap_on ? note(p, n * each) : p;
}

void *__wrap_aligned_alloc(size_t align, size_t n)
{
	void *p = __real_aligned_alloc(align, n);

	return ross_heap_on ? note(p, n) : p;
}

char *__wrap_strdup(const char *s)
{
	size_t n = strlen(s) + 1;
	void *p = __wrap_malloc(n);

	return p ? memcpy(p, s, n) : NULL;
}

int __wrap_posix_memalign(void **p, size_t align, size_t n)
{
	int failed = __real_posix_memalign(p, align, n);

	if (ross_heap_on && !failed)
		note(*p, n);
	return failed;
}

void __wrap_free(void *p)
{
	if (ross_heap_on)
		drop(p);
	else
		__real_free(p);
}

/* new and delete of C++, in their place everywhere: the library of C++ allocates strings itself. */
WEAK void *_Znwm(size_t n)
{
	void *p = ross_heap_on ? __wrap_malloc(n ? n : 1) : ross_malloc(n ? n : 1);

	if (!p)
		tw_error(TW_LOC, "operator new: no memory for %zu bytes", n);
	return p;
}

WEAK void _ZdlPv(void *p)
{
	if (ross_heap_on)
		__wrap_free(p);
	else
		ross_free(p);
}

WEAK void *_Znam(size_t n) { return _Znwm(n); }
WEAK void _ZdaPv(void *p) { _ZdlPv(p); }
WEAK void _ZdlPvm(void *p, size_t n) { (void)n; _ZdlPv(p); }
WEAK void _ZdaPvm(void *p, size_t n) { (void)n; _ZdlPv(p); }

/* A block that a function of an LP makes larger is another one, so that the old one is still there. */
void *__wrap_realloc(void *p, size_t n)
{
	size_t old = 0;
	block *b;
	void *to;

	if (!ross_heap_on)
		return __real_realloc(p, n);
	if (!p)
		return __wrap_malloc(n);
	pthread_mutex_lock(&lock);
	b = room ? *place(p) : NULL;
	if (b)
		old = b->size;
	pthread_mutex_unlock(&lock);
	if (!b)
		return note(__real_realloc(p, n), n);
	if (!n) {
		__wrap_free(p);
		return NULL;
	}
	to = __wrap_malloc(n);
	if (to) {
		memcpy(to, p, n < old ? n : old);
		__wrap_free(p);
	}
	return to;
}

struct ross_heap_copy {
	size_t n;
	struct entry {
		block *of;
		char *at;
		size_t size, from;
	} *entries;
	char *bytes;
};

ross_heap_copy *ross_heap_copy_of(tw_lpid gid)
{
	ross_heap_copy *c = NULL;
	size_t n = 0, size = 0;

	if (!ross_heap_on || gid >= nowners)
		return NULL;
	for (block *b = owners[gid].last; b; b = b->older)
		if (!b->state) {
			n++;
			size += (b->size + 15) & ~(size_t)15;
		}
	if (!n || !(c = malloc(sizeof *c + n * sizeof *c->entries + size)))
		return NULL;
	c->n = 0;
	c->entries = (struct entry *)(c + 1);
	c->bytes = (char *)(c->entries + n);
	size = 0;
	for (block *b = owners[gid].last; b; b = b->older)
		if (!b->state) {
			c->entries[c->n++] = (struct entry){ b, b->at, b->size, size };
			memcpy(c->bytes + size, b->at, b->size);
			size += (b->size + 15) & ~(size_t)15;
		}
	return c;
}

void ross_heap_drop(ross_heap_copy *c) { free(c); }

/* here returns the block of an entry, 0 if it is no longer there. */
static block *here(const struct entry *e)
{
	block *b = *place(e->at);

	return b == e->of && b->size == e->size ? b : NULL;
}

int ross_heap_differs(const ross_heap_copy *c, ross_heap_where *w, int most)
{
	int found = 0;

	for (size_t i = c ? c->n : 0; i-- > 0 && found < most;) { /* the oldest block first */
		const struct entry *e = &c->entries[i];
		const char *was = c->bytes + e->from;
		const block *b = here(e);

		if (!b || !memcmp(b->at, was, e->size))
			continue;
		*w = (ross_heap_where){
			.number = b->number, .at = b->at, .was = was, .size = b->size, .init = b->init };
		while (b->at[w->byte] == was[w->byte])
			w->byte++;
		w++;
		found++;
	}
	return found;
}

extern char ross_model_begin[] WEAK, ross_model_end[] WEAK;

struct ross_trial {
	tw_lpid gid;
	ross_heap_copy *blocks;
	char *state, *state_was, *statics;
	size_t size;
};

static void restore(const ross_heap_copy *c, const char *only)
{
	for (size_t i = 0; i < (c ? c->n : 0); i++) {
		const block *b = here(&c->entries[i]);

		if (b && (!only || only == b->at))
			memcpy(b->at, c->bytes + c->entries[i].from, b->size);
	}
}

int ross_heap_end(ross_trial *t)
{
	trial = NULL;
	pthread_mutex_lock(&lock);
	/* What the trial has freed is there again, what it has allocated is not. */
	while (held.n > 0 && held.of[held.n - 1]->state == GONE)
		held.of[--held.n]->state = 0;
	for (block *b = owner_of(t->gid)->last, *older; b; b = older) {
		older = b->older;
		if (b->fresh)
			forget(b);
	}
	pthread_mutex_unlock(&lock);
	restore(t->blocks, NULL);
	memcpy(t->state, t->state_was, t->size);
	if (t->statics)
		memcpy(ross_model_begin, t->statics, (size_t)(ross_model_end - ross_model_begin));
	free(t->blocks);
	free(t->state_was);
	free(t->statics);
	free(t);
	return 0;
}

ross_trial *ross_heap_begin(tw_lpid gid, void *state, size_t size, const ross_heap_copy *as, const char *only)
{
	size_t statics = ross_model_begin ? (size_t)(ross_model_end - ross_model_begin) : 0;
	ross_trial *t = malloc(sizeof *t);

	if (!t)
		return NULL;
	*t = (ross_trial){ gid, NULL, state, malloc(size + 1), statics ? malloc(statics) : NULL, size };
	t->blocks = ross_heap_copy_of(gid);
	if (!t->state_was || (statics && !t->statics)) {
		free(t->blocks);
		free(t->state_was);
		free(t->statics);
		free(t);
		return NULL;
	}
	memcpy(t->state_was, state, size);
	if (statics)
		memcpy(t->statics, ross_model_begin, statics);
	restore(as, only);
	fresh = 0;
	trial = t;
	return t;
}

static sigjmp_buf leave;
static volatile int trying;
int ross_tried;

void ross_try(ross_out *o)
{
	ross_tried = 0;
	if (!sigsetjmp(leave, 1)) {
		trying = 1;
		ross_call_handler(o);
		ross_tried = 1;
	}
	trying = 0;
	ross_running = NULL;
}

void ross_gives_up(void)
{
	if (trying)
		siglongjmp(leave, 1);
}

uint64_t ross_heap_new(uint64_t word)
{
	uint64_t found = 0;

	if (word < 4096 || !trial)
		return 0;
	for (block *b = owner_of(trial->gid)->last; b && b->fresh && !found; b = b->older)
		if (word - (uintptr_t)b->at <= b->size)
			found = (b->number << 32) + (word - (uintptr_t)b->at) + 1;
	return found;
}
