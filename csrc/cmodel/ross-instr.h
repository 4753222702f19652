/* Instrumentation of models, and their own checks of rollback. */
#ifndef ROSS_INSTR_H
#define ROSS_INSTR_H

#include <stdbool.h>

#include "ross-types.h"

ROSS_BEGIN

typedef void (*ev_trace_f)(void *msg, tw_lp *lp, char *buffer, int *collect);
typedef void (*model_stat_f)(void *state, tw_lp *lp, char *buffer);
typedef void (*sample_event_f)(void *state, tw_bf *bits, tw_lp *lp, void *sample);
typedef void (*sample_revent_f)(void *state, tw_bf *bits, tw_lp *lp, void *sample);

/* What a type of LPs adds to traces and samples. */
typedef struct st_model_types {
	ev_trace_f ev_trace;             /* about an event, in traces; *collect = 0 leaves it out */
	size_t ev_sz;                    /* bytes that ev_trace writes */
	model_stat_f model_stat_fn;      /* about an LP, at a GVT or a real time */
	size_t mstat_sz;                 /* bytes that model_stat_fn writes */
	sample_event_f sample_event_fn;  /* about an LP, at a virtual time */
	sample_revent_f sample_revent_fn; /* undoes what sample_event_fn did to the state */
	size_t sample_struct_sz;         /* bytes that sample_event_fn writes */
} st_model_types;

extern st_model_types *g_st_model_types;
void st_model_settype(tw_lpid lp, st_model_types *types);

/* Set by tw_init from --event-trace, --model-stats and --engine-stats. */
extern int g_st_ev_trace, g_st_model_stats, g_st_engine_stats;
extern int g_st_use_analysis_lps;

/* How --synch=6 compares the states of a type. lptype must be set. Without save_lp it compares all bytes. */
typedef struct crv_checkpointer {
	tw_lptype *lptype;
	size_t sz_storage; /* bytes that save_lp writes; 0: those of a state */
	void (*save_lp)(void *into, const void *from);
	void (*clean_lp)(void *saved);
	bool (*check_lps)(void *state, const void *saved); /* true if they agree */
	void (*print_lp)(FILE *to, const char *prefix, void *state);
	void (*print_checkpoint)(FILE *to, const char *prefix, void *saved);
	void (*print_event)(FILE *to, const char *prefix, void *state, void *msg);
} crv_checkpointer;

typedef void (*save_checkpoint_state_f)(void *into, const void *from);
typedef void (*clean_checkpoint_state_f)(void *saved);
typedef bool (*check_states_f)(void *state, const void *saved);
typedef void (*print_lpstate_f)(FILE *to, const char *prefix, void *state);
typedef void (*print_checkpoint_state_f)(FILE *to, const char *prefix, void *saved);
typedef void (*print_event_f)(FILE *to, const char *prefix, void *state, void *msg);

void crv_add_custom_state_checkpoint(crv_checkpointer *with);

ROSS_END

#endif
