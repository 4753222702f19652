//go:build cgo && linux

/* Calls of handlers, and what they do to the engine: it is noted down, and the engine takes it over afterwards. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libross.h"
#include "own.h"

enum { PAGE = 4096 };

/* new_stack returns the upper end of a stack, or 0 if there is no memory. Below it is a page that may not be
 * touched. */
static char *new_stack(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, ROSS_STACK + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || mprotect(p, page, PROT_NONE))
		return NULL;
	return p + page + ROSS_STACK;
}

ross_out *ross_out_new(tw_peid pe, size_t msg_sz)
{
	size_t size = (sizeof(ross_out) + 2 * PAGE - 1) / PAGE * PAGE;
	ross_out *o = aligned_alloc(PAGE, size);

	if (!o)
		return NULL;
	memset(o, 0, size);
	o->stack = new_stack();
	o->stride = (uint32_t)((ROSS_EVENT + (msg_sz > 16 ? msg_sz : 16) + sizeof(uint64_t) + 15) & ~(size_t)15);
	o->pe.id = pe;
	o->pe.ross_out = o;
	o->pe.pq = o->pe.hash_t = o;
	o->pe.abort_event = calloc(1, o->stride);
	if (g_tw_pe)
		o->pe.type = g_tw_pe->type;
	return o->stack && o->pe.abort_event ? o : NULL;
}

void ross_out_free(ross_out *o)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	for (size_t i = 0; i < o->room / ROSS_CHUNK; i++)
		free(o->chunks[i]);
	free(o->chunks);
	free(o->texts);
	free(o->copy);
	free(o->pe.abort_event);
	munmap(o->stack - ROSS_STACK - page, ROSS_STACK + page);
	free(o);
}

tw_event *ross_out_event(const ross_out *o, uint32_t i)
{
	return (tw_event *)(void *)(o->chunks[i / ROSS_CHUNK] + (size_t)(i % ROSS_CHUNK) * o->stride);
}

/* grow makes room for more events. Those that exist stay where they are. */
static void grow(ross_out *o)
{
	size_t n = o->room / ROSS_CHUNK, size = (size_t)ROSS_CHUNK * o->stride;
	char **chunks = realloc(o->chunks, (n + 1) * sizeof *chunks);
	char *chunk = chunks ? aligned_alloc(PAGE, (size + 2 * PAGE - 1) / PAGE * PAGE) : NULL; /* with room for what a message has too much */

	if (!chunk)
		tw_error(TW_LOC, "no memory for %u events of one handler", o->room + ROSS_CHUNK);
	o->chunks = chunks;
	chunks[n] = chunk;
	o->room += ROSS_CHUNK;
}

/* What is behind a message until it is sent. */
const uint64_t ross_behind = 0x9e3779b97f4a7c15;

tw_event *tw_event_new_user_prio(tw_lpid dest, tw_stime offset, tw_lp *sender, tw_stime priority)
{
	ross_out *o = sender->pe->ross_out;
	uint32_t i = o->count;
	tw_event *e;
	double now = tw_now(sender);

	if (i == o->room)
		grow(o);
	e = ross_out_event(o, i);
	o->count = i + 1;
	e->recv_ts = now + offset;
	e->send_ts = now;
	e->dest_lpid = dest;
	e->send_lp = sender->gid;
	e->src_lp = sender;
	e->ross_delay = offset;
	e->ross_priority = priority;
	e->ross_sent = 0;
	if (g_tw_msg_sz <= 16) /* there is room for that many bytes at least */
		memset(tw_event_data(e), 0, 16);
	else
		memset(tw_event_data(e), 0, g_tw_msg_sz);
	memcpy((char *)tw_event_data(e) + g_tw_msg_sz, &ross_behind, sizeof ross_behind);
	return e;
}

tw_event *tw_event_new(tw_lpid dest, tw_stime offset, tw_lp *sender)
{
	return tw_event_new_user_prio(dest, offset, sender, 1);
}

tw_event_sig tw_now_sig(const tw_lp *lp)
{
	tw_event_sig sig = { .recv_ts = tw_now(lp) };
	const ross_event *e;
	const ross_out *o;

	if (!lp->rng) /* it is no LP of a run, see tw_now */
		return lp->kp->last_sig;
	o = lp->pe->ross_out;
	if (o->call.plain || !o->call.bits) /* init, pre_run or final */
		return sig;
	e = (const void *)((const char *)o->call.bits - offsetof(ross_event, bits));
	sig.priority = e->prio;
	sig.tie_lineage_length = 1;
	sig.event_tiebreaker[0] = e->tie;
	for (uint32_t i = e->lineage; i; i = o->nodes[i].parent) {
		const ross_node *n = &o->nodes[i];

		if (n->depth < MAX_TIE_CHAIN)
			sig.event_tiebreaker[n->depth] = n->tie;
		if (i == e->lineage)
			sig.tie_lineage_length = n->depth < MAX_TIE_CHAIN ? n->depth + 1 : MAX_TIE_CHAIN;
	}
	return sig;
}

void tw_event_send(tw_event *event) { event->ross_sent = event->ross_sent == 1 ? ROSS_TWICE : 1; }

void tw_lp_suspend(tw_lp *lp, int reverses, int code)
{
	ross_out *o = lp->pe->ross_out;

	o->notes |= ROSS_NOTE_SUSPEND;
	o->suspend_reverses = reverses;
	o->suspend_code = code;
}

int tw_output(tw_lp *lp, const char *format, ...)
{
	ross_out *o = lp->pe->ross_out;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (n < 0)
		return n;
	if (o->texts_room - o->texts_len <= (size_t)n) {
		size_t room = 2 * (o->texts_len + (size_t)n) + 256;
		char *texts = realloc(o->texts, room);

		if (!texts)
			tw_error(TW_LOC, "no memory for %d bytes of tw_output", n);
		o->texts = texts;
		o->texts_room = room;
	}
	va_start(args, format);
	vsnprintf(o->texts + o->texts_len, (size_t)n + 1, format, args);
	va_end(args);
	o->texts_len += (size_t)n + 1;
	o->notes |= ROSS_NOTE_TEXT;
	return n;
}

void ross_call_handler(ross_out *o)
{
	tw_lp *lp = o->call.lp;

	lp->pe = &o->pe;
	ross_running = o;
	o->call.handler(o->call.state, o->call.bits, o->call.msg, lp);
	if (o->call.commit)
		o->call.commit(o->call.state, o->call.bits, o->call.msg, lp);
	ross_running = NULL;
}

void ross_call_plain(ross_out *o)
{
	tw_lp *lp = o->call.lp;

	lp->pe = &o->pe;
	ross_running = o;
	o->call.plain(o->call.state, lp);
	ross_running = NULL;
	o->call.plain = NULL;
}

void ross_call_pe(pe_init_f f, tw_pe *pe) { f(pe); }

void ross_call_trace(ev_trace_f f, ross_out *o, void *msg, tw_lp *lp, char *buffer)
{
	int collect = 1;

	lp->pe = &o->pe;
	f(msg, lp, buffer, &collect);
	o->collect = collect;
}

void ross_call_stat(model_stat_f f, ross_out *o, void *state, tw_lp *lp, char *buffer)
{
	lp->pe = &o->pe;
	f(state, lp, buffer);
}

void ross_call_sample(sample_event_f f, ross_out *o, void *state, tw_lp *lp, void *sample)
{
	lp->pe = &o->pe;
	f(state, &o->sample_bits, lp, sample);
}

static int compare(double a, double b) { return (a > b) - (a < b); }

int tw_event_sig_compare_ptr(const tw_event_sig *a, const tw_event_sig *b)
{
	int c = compare(a->recv_ts, b->recv_ts);
	unsigned int n = a->tie_lineage_length < b->tie_lineage_length ? a->tie_lineage_length : b->tie_lineage_length;

	if (!c)
		c = compare(a->priority, b->priority);
	for (unsigned int i = 0; !c && i < n && i < MAX_TIE_CHAIN; i++)
		c = compare(a->event_tiebreaker[i], b->event_tiebreaker[i]);
	return c ? c : compare(a->tie_lineage_length, b->tie_lineage_length);
}
