/* Names of former versions of ROSS, with several PEs in a process and memory buffers of events: for models that
 * were not changed since. Compile them with "ross-cc -include ross-old.h". There is one PE to see. */
#ifndef ROSS_OLD_H
#define ROSS_OLD_H

#include <ross.h>

ROSS_BEGIN

/* The PEs of the node, and their number. */
extern tw_pe *ross_old_pes[1];
extern tw_peid g_tw_npe;
#define g_tw_pe ross_old_pes
static inline tw_pe *tw_getpe(tw_peid id) { return ross_old_pes[id]; }

/* Kinds of memory buffers: without effect, since events have none. */
extern unsigned int g_tw_memory_nqueues, g_tw_memory_nqueues_extra;

#define ROSS_MAX(a, b) ((a) > (b) ? (a) : (b))
#define ROSS_MIN(a, b) ((a) < (b) ? (a) : (b))
#define TW_TRUE 1
#define TW_FALSE 0

ROSS_END

#endif
