/* Functions of ROSS that this library does not have. A call does not compile, and the compiler says why. */
#ifndef ROSS_REFUSED_H
#define ROSS_REFUSED_H

#include "ross-types.h"

#ifndef ROSS_REFUSE_AT_CALL

#if defined(__GNUC__)
#define ROSS_REFUSED(name, why) int ross_refused_##name(void) __attribute__((__error__(#name ": " why)));
#else
#define ROSS_REFUSED(name, why) int ross_refused_##name(void); /* the linker finds none */
#endif

ROSS_BEGIN

ROSS_REFUSED(tw_event_free, "events are the engine's: it frees them")
ROSS_REFUSED(tw_pq_enqueue, "the queue is the engine's: send events")
ROSS_REFUSED(tw_pq_dequeue, "the queue is the engine's: it hands events to their LPs")
ROSS_REFUSED(tw_hash_insert, "the index of events is the engine's")
ROSS_REFUSED(tw_hash_remove, "the index of events is the engine's")
#ifndef USE_RIO
ROSS_REFUSED(io_init, "compile models that store and load checkpoints with -DUSE_RIO")
#endif

ROSS_END

#define tw_event_free(...) ross_refused_tw_event_free()
#define tw_pq_enqueue(...) ross_refused_tw_pq_enqueue()
#define tw_pq_dequeue(...) ross_refused_tw_pq_dequeue()
#define tw_hash_insert(...) ross_refused_tw_hash_insert()
#define tw_hash_remove(...) ross_refused_tw_hash_remove()
#ifndef USE_RIO
#define io_init(...) ross_refused_io_init()
#endif

#else

/* With -DROSS_REFUSE_AT_CALL files that reach into the engine compile, and a call ends the program with the reason: so
 * models can be linked that need other parts of such files, as with CODES. */
ROSS_BEGIN

void tw_event_free(tw_pe *pe, tw_event *event);
void tw_pq_enqueue(void *queue, tw_event *event);
tw_event *tw_pq_dequeue(void *queue);
void tw_hash_insert(void *index, tw_event *event, long pe);
tw_event *tw_hash_remove(void *index, tw_event *event, long pe);

ROSS_END

#endif

#endif
