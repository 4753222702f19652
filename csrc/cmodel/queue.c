//go:build cgo && linux

/* What a GVT hook does with the pending events of its node. Its first call has the engine hand over all of them, as copies
 * with their messages; the engine keeps the originals, and gets back what is left here when the hook has returned. */
#include <stdlib.h>
#include <string.h>

#include "libross.h"
#include "own.h"

int ross_looked;
uint64_t ross_held;

static enum { NOT_NOW, MAY_NOT, MAY, OPEN } stage; /* whether a hook runs, that may look into the queue, and has */
static int behind;                                   /* it comes after the events that have the signature of GVT */
static tw_event **heap;                              /* what the hook can take, the least first */
static size_t pending, room;
static tw_event *freed; /* copies that are kept until the hook returns, so that its mistakes are seen */

int ross_may_look(void)
{
	return ross_hook_trigger.kind == ROSS_AT ||
		(ross_hook_trigger.kind == ROSS_BY_MODEL && g_tw_synchronization_protocol != CONSERVATIVE);
}

int ross_open_hook(void)
{
	stage = ross_may_look() ? MAY : MAY_NOT;
	behind = ross_hook_trigger.kind == ROSS_BY_MODEL;
	return 0;
}

int ross_close_hook(void)
{
	stage = NOT_NOW;
	while (freed) {
		tw_event *e = freed;

		freed = e->next;
		free(e);
	}
	return 0;
}

/* is_before is the order of events. What is left when more tie-breakers are equal than there is room for comes in some
 * order that holds for all runs. */
static int is_before(const tw_event *a, const tw_event *b)
{
	int c = tw_event_sig_compare_ptr(&a->sig, &b->sig);

	if (!c)
		c = (a->dest_lpid > b->dest_lpid) - (a->dest_lpid < b->dest_lpid);
	if (!c)
		c = (a->send_lp > b->send_lp) - (a->send_lp < b->send_lp);
	return c ? c < 0 : a->send_ts < b->send_ts;
}

tw_event *ross_new_taken(const ross_out *o)
{
	tw_event *e = calloc(1, o->stride);

	if (!e)
		tw_error(TW_LOC, "tw_pq_dequeue: no memory for the copy of an event of %u bytes", o->stride);
	return e;
}

void ross_give(tw_event *event)
{
	size_t i = pending++;

	if (i == room) {
		room = 2 * room + 1024;
		heap = realloc(heap, room * sizeof *heap);
		if (!heap)
			tw_error(TW_LOC, "tw_pq_dequeue: no memory for %zu events", room);
	}
	event->ross_sent = 0;
	for (; i > 0 && is_before(event, heap[(i - 1) / 2]); i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = event;
}

tw_event *ross_next_back(void)
{
	tw_event *least, *last;
	size_t i = 0, child;

	if (!pending)
		return NULL;
	least = heap[0];
	last = heap[--pending];
	while ((child = 2 * i + 1) < pending) {
		if (child + 1 < pending && is_before(heap[child + 1], heap[child]))
			child++;
		if (!is_before(heap[child], last))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = last;
	return least;
}

/* look has the engine hand over the pending events. */
static void look(const char *call)
{
	ross_refuse_in_go(call, ROSS_GO_HOOK);
	if (stage == NOT_NOW)
		tw_error(TW_LOC, "%s: call it in the GVT hook, when nobody else uses the queue", call);
	if (stage == MAY_NOT)
		tw_error(TW_LOC, "%s: some LPs have gone on when such a hook is called: use tw_trigger_gvt_hook_at", call);
	if (stage == MAY) {
		stage = OPEN;
		ross_looked = 1;
		ross_go_take();
	}
}

/* check ends the program if the hook does not have an event. */
static void check(const tw_event *e, const char *call)
{
	if (!e || e->ross_sent != ROSS_TAKEN)
		tw_error(TW_LOC, "%s: give it an event of tw_pq_dequeue, and each of these once", call);
}

tw_event *tw_pq_dequeue(void *queue)
{
	tw_event *e;

	(void)queue;
	look("tw_pq_dequeue");
	e = ross_next_back();
	if (e) {
		e->ross_sent = ROSS_TAKEN;
		ross_held++;
	}
	return e;
}

void tw_pq_enqueue(void *queue, tw_event *event)
{
	const tw_pe *pe = &((ross_out *)queue)->pe;

	look("tw_pq_enqueue");
	check(event, "tw_pq_enqueue");
	if (!(event->recv_ts == event->sig.recv_ts))
		tw_error(TW_LOC, "tw_pq_enqueue: an event for LP %llu has two times, %g in recv_ts and %g in sig.recv_ts: set both",
			(unsigned long long)event->dest_lpid, event->recv_ts, event->sig.recv_ts);
	if (tw_event_sig_compare_ptr(&event->sig, &pe->GVT_sig) < behind)
		tw_error(TW_LOC, "tw_pq_enqueue: an event for LP %llu from LP %llu is put back at %g, and GVT is %g: give it a later time",
			(unsigned long long)event->dest_lpid, (unsigned long long)event->send_lp, event->recv_ts, pe->GVT_sig.recv_ts);
	ross_held--;
	ross_give(event);
}

void tw_event_free(tw_pe *pe, tw_event *event)
{
	(void)pe;
	look("tw_event_free");
	check(event, "tw_event_free");
	ross_held--;
	ross_go_free(event->ross_slot);
	event->ross_sent = 0;
	event->next = freed;
	freed = event;
}
