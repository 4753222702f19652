/* Functions and variables of the C interface of ROSS. */
#ifndef ROSS_EXTERN_H
#define ROSS_EXTERN_H

#include <stdbool.h>

#include "ross-random.h"
#include "ross-types.h"

ROSS_BEGIN

/* Options. A model gives its groups to tw_opt_add before tw_init, which reads the command line. */
typedef enum tw_opttype {
	TWOPTTYPE_GROUP = 1,
	TWOPTTYPE_ULONG,     /* unsigned long */
	TWOPTTYPE_ULONGLONG, /* unsigned long long */
	TWOPTTYPE_UINT,      /* unsigned int */
	TWOPTTYPE_STIME,     /* tw_stime */
	TWOPTTYPE_DOUBLE,    /* double */
	TWOPTTYPE_CHAR,      /* an array of char, large enough for any value */
	TWOPTTYPE_FLAG,      /* unsigned int, 1 if the option is there */
	TWOPTTYPE_ARGSFILE,  /* of the engine */
	TWOPTTYPE_SHOWHELP   /* of the engine */
} tw_opttype;

typedef struct tw_optdef {
	tw_opttype type;
	const char *name;
	const char *help;
	void *value;
} tw_optdef;

#define TWOPT_GROUP(h) { TWOPTTYPE_GROUP, NULL, (h), NULL }
#define TWOPT_ULONG(n, v, h) { TWOPTTYPE_ULONG, (n), (h), &(v) }
#define TWOPT_ULONGLONG(n, v, h) { TWOPTTYPE_ULONGLONG, (n), (h), &(v) }
#define TWOPT_UINT(n, v, h) { TWOPTTYPE_UINT, (n), (h), &(v) }
#define TWOPT_STIME(n, v, h) { TWOPTTYPE_STIME, (n), (h), &(v) }
#define TWOPT_DOUBLE(n, v, h) { TWOPTTYPE_DOUBLE, (n), (h), &(v) }
#define TWOPT_CHAR(n, v, h) { TWOPTTYPE_CHAR, (n), (h), &(v) }
#define TWOPT_FLAG(n, v, h) { TWOPTTYPE_FLAG, (n), (h), &(v) }
#define TWOPT_END() { (tw_opttype)0, NULL, NULL, NULL }

void tw_opt_add(const tw_optdef *options);

/* The run: call these in this order. tw_define_lps makes nlp LPs, which tw_lp_settype or tw_lp_setup_types then gives
 * types: those of this node. Each ends the program with a message if it cannot do its work. */
void tw_init(int *argc, char ***argv);
void tw_define_lps(tw_lpid nlp, size_t msg_sz);
void tw_lp_settype(tw_lpid lp, tw_lptype *type);
void tw_lp_setup_types(void);
void tw_pe_settype(const tw_petype *type);
void tw_run(void);
void tw_end(void);

/* A mapping of the model: g_tw_custom_initial_mapping calls these for each LP and KP of this node. All nodes together
 * have each global id, 0 to g_tw_total_lps - 1, once. */
void tw_lp_onpe(tw_lpid index, tw_pe *pe, tw_lpid gid);
void tw_lp_onkp(tw_lp *lp, tw_kp *kp);
void tw_kp_onpe(tw_kpid id, tw_pe *pe);

/* Events. Only handlers of the sender send, and only what they have made. tw_event_new takes one draw from a stream of
 * the engine, also if the event is not sent. */
tw_event *tw_event_new(tw_lpid dest, tw_stime offset, tw_lp *sender);
tw_event *tw_event_new_user_prio(tw_lpid dest, tw_stime offset, tw_lp *sender, tw_stime priority);
void tw_event_send(tw_event *event);

/* The message of an event, zero at first. */
static inline void *tw_event_data(tw_event *event)
{
	return (char *)event + ROSS_EVENT;
}

/* The virtual time of an LP: that of the event which is being handled, undone or committed. */
static inline tw_stime tw_now(const tw_lp *lp)
{
#ifdef ROSS_REFUSE_AT_CALL
	if (!lp->rng) /* it is no LP of a run: a test of a model has made it */
		return lp->kp->last_sig.recv_ts;
#endif
	return *(const double *)(const void *)((const char *)lp->rng - ROSS_CLOCK);
}

/* The LP ignores all events after this one until a rollback undoes it. The reverse handler of this event is called only
 * if reverses is not 0. code is the model's. */
void tw_lp_suspend(tw_lp *lp, int reverses, int code);

/* The GVT hook: a function that is called when its trigger fires, when all events before it are final and all others
 * undone. Set it and a trigger before tw_run; the hook sets the next trigger. It is called once for all PEs, which wait, so it
 * sees all LPs and may write static variables. */
extern void (*g_tw_gvt_hook)(tw_pe *pe, bool past_end_time);
extern unsigned int g_tw_gvt_done; /* calls of the hook */
void tw_trigger_gvt_hook_at(tw_stime time);
void tw_trigger_gvt_hook_at_event_sig(tw_event_sig sig);
void tw_trigger_gvt_hook_every(int gvts);
void tw_trigger_gvt_hook_when_model_calls(void);
void tw_trigger_gvt_hook_now(tw_lp *lp);     /* in an event handler */
void tw_trigger_gvt_hook_now_rev(tw_lp *lp); /* in its reverse handler */

/* What ROSS asks hooks to call first. Here the engine has done so. */
static inline void tw_scheduler_rollback_and_cancel_events_pe(tw_pe *pe) { (void)pe; }

/* The queue, for a hook whose trigger is a time or an LP. tw_pq_dequeue(pe->pq) takes the next pending event of this node
 * out of it, and returns 0 if there is none. The hook gives the event back, as it is or with another time (in recv_ts and
 * in sig.recv_ts), or frees it, or keeps it for a later call. After it has taken or put back one, tw_now of all LPs is GVT
 * until it returns, and it may send events in their names. ROSS asks models to take events of other nodes out of an index
 * and put them back there; here there is nothing to do. */
tw_event *tw_pq_dequeue(void *queue);
void tw_pq_enqueue(void *queue, tw_event *event);
void tw_event_free(tw_pe *pe, tw_event *event);
static inline void tw_hash_insert(void *index, tw_event *event, long pe)
{
	(void)index;
	(void)event;
	(void)pe;
}
static inline tw_event *tw_hash_remove(void *index, tw_event *event, long pe)
{
	(void)index;
	(void)pe;
	return event;
}

/* Deltas of states. An event handler copies the first bytes of its state before it changes them, keeps the difference
 * afterwards, and the reverse handler restores them: each at most once an event, with the same size. The difference is
 * kept until the event is final; its length is returned. What C allocates for it is not part of --max-memory. */
void tw_snapshot(tw_lp *lp, size_t size);
long tw_snapshot_delta(tw_lp *lp, size_t size);
void tw_snapshot_restore(tw_lp *lp, size_t size);

/* Signatures: that of the event which an LP handles, undoes or commits, with the first MAX_TIE_CHAIN tie-breakers; and
 * their order, a result below, equal to or above 0. */
tw_event_sig tw_now_sig(const tw_lp *lp);
int tw_event_sig_compare_ptr(const tw_event_sig *a, const tw_event_sig *b);

/* Texts. tw_output prints when the event is final. tw_error ends the program with status 1. */
#define TW_LOC __FILE__, __LINE__
int tw_output(tw_lp *lp, const char *format, ...) ROSS_PRINTS(2, 3);
void tw_error(const char *file, int line, const char *format, ...) NORETURN ROSS_PRINTS(3, 4);
void tw_warning(const char *file, int line, const char *format, ...) ROSS_PRINTS(3, 4);
void tw_printf(const char *file, int line, const char *format, ...) ROSS_PRINTS(3, 4);
void tw_fprint_binary_array(FILE *to, const char *prefix, const void *array, size_t size);

/* Zeroed memory, or the end of the program. */
void *tw_calloc(const char *file, int line, const char *who, size_t size, size_t n);

tw_clock tw_clock_read(void); /* nanoseconds */

/* The node: this process, one of those that mpirun or --ranks=N has started. All its PEs together are one node. tw_init
 * finds out its number, and how many there are. */
extern tw_peid g_tw_mynode, g_tw_masternode;
tw_peid tw_nnodes(void);
static inline int tw_ismaster(void) { return g_tw_mynode == g_tw_masternode; }

/* LPs, KPs and PEs. */
extern tw_lpid g_tw_nlp, g_tw_total_lps, g_tw_lp_offset;
extern tw_kpid g_tw_nkp;
extern tw_lp **g_tw_lp;
extern tw_kp **g_tw_kp;
extern tw_pe *g_tw_pe;
extern tw_lptype *g_tw_lp_types;
extern tw_typemap_f g_tw_lp_typemap;
extern tw_lp_map g_tw_mapping;
extern map_custom_f g_tw_custom_initial_mapping;
extern map_local_f g_tw_custom_lp_global_to_local_map;
static inline tw_lp *tw_getlp(tw_lpid id) { return g_tw_lp[id]; }
static inline tw_kp *tw_getkp(tw_kpid id) { return g_tw_kp[id]; }
static inline void *tw_getstate(tw_lp *lp) { return lp->cur_state; }
tw_lp *tw_getlocal_lp(tw_lpid gid); /* 0 if there is none on this node */

/* Settings. What a model sets before tw_init is the default of an option; what it sets between tw_init and tw_run
 * counts in place of the option. */
extern tw_synch g_tw_synchronization_protocol; /* --synch */
extern double g_tw_ts_end;                     /* --end */
extern double g_tw_lookahead;                  /* --cons-lookahead */
extern unsigned int g_tw_mblock;               /* --batch */
extern unsigned int g_tw_gvt_interval;         /* --gvt-interval */
extern unsigned int g_tw_nRNG_per_lp;          /* streams of each LP */
extern tw_seed g_tw_rng_seed, g_tw_core_rng_seed;
extern size_t g_tw_msg_sz;

/* Settings without effect: memory grows as a run needs it, and all LPs have the streams of ROSS. */
extern unsigned int g_tw_events_per_pe, g_tw_events_per_pe_extra, g_tw_gvt_threshold;
extern tw_lpid g_tw_rng_default;
static inline void tw_rand_init_streams(tw_lp *lp, unsigned int streams, unsigned int core_streams)
{
	(void)lp;
	(void)streams;
	(void)core_streams;
}
extern unsigned long long g_tw_clock_rate;

ROSS_END

#endif
