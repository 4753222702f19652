//go:build cgo && linux

/* What ross-refused.h declares: functions that end the program. */
#include "libross.h"

#define NO_QUEUE "the queue is the engine's: this part of the model needs ROSS itself"

void tw_event_free(tw_pe *pe, tw_event *event)
{
	(void)pe;
	(void)event;
	tw_error(TW_LOC, "tw_event_free: events are the engine's: it frees them");
}

void tw_pq_enqueue(void *queue, tw_event *event)
{
	(void)queue;
	(void)event;
	tw_error(TW_LOC, "tw_pq_enqueue: " NO_QUEUE);
}

tw_event *tw_pq_dequeue(void *queue)
{
	(void)queue;
	tw_error(TW_LOC, "tw_pq_dequeue: " NO_QUEUE);
}

void tw_hash_insert(void *index, tw_event *event, long pe)
{
	(void)index;
	(void)event;
	(void)pe;
	tw_error(TW_LOC, "tw_hash_insert: " NO_QUEUE);
}

tw_event *tw_hash_remove(void *index, tw_event *event, long pe)
{
	(void)index;
	(void)event;
	(void)pe;
	tw_error(TW_LOC, "tw_hash_remove: " NO_QUEUE);
}
