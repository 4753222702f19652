/* Types of the C interface of ROSS, as models see them. Fields whose names begin with ross_ belong to the library. */
#ifndef ROSS_TYPES_H
#define ROSS_TYPES_H

#include <float.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#if defined(__GNUC__)
#define NORETURN __attribute__((__noreturn__))
#define ROSS_PRINTS(text, first) __attribute__((__format__(__printf__, text, first)))
#else
#define NORETURN
#define ROSS_PRINTS(text, first)
#endif

#ifdef __cplusplus
#define ROSS_BEGIN extern "C" {
#define ROSS_END }
#else
#define ROSS_BEGIN
#define ROSS_END
#endif

/* Models that test for these were written for both ways of breaking ties; this engine has the one by random numbers. */
#define USE_RAND_TIEBREAKER 1
#define RAND_NORMAL 1
#define ROSS_LIBROSS 1 /* this library, and not the original */

ROSS_BEGIN

typedef double tw_stime; /* virtual time */
typedef uint64_t tw_lpid;
typedef unsigned long tw_peid;
typedef tw_peid tw_kpid;
typedef unsigned long long tw_stat;
typedef uint64_t tw_clock; /* nanoseconds of real time */

#define MPI_TYPE_TW_STIME MPI_DOUBLE
#define TW_STIME_CRT(x) (x)
#define TW_STIME_DBL(x) (x)
#define TW_STIME_CMP(x, y) (((x) < (y)) ? -1 : ((x) > (y)))
#define TW_STIME_ADD(x, y) ((x) + (y))
#define TW_STIME_MAX DBL_MAX

typedef struct tw_lp tw_lp;
typedef struct tw_kp tw_kp;
typedef struct tw_pe tw_pe;
typedef struct tw_event tw_event;
typedef struct tw_lptype tw_lptype;
typedef struct tw_petype tw_petype;
typedef struct tw_rng_stream tw_rng_stream;
typedef struct tw_rng tw_rng; /* nobody needs its fields */
typedef int32_t *tw_seed;     /* four numbers */

/* Schedulers, by the numbers of --synch. */
typedef enum tw_synch {
	NO_SYNCH,
	SEQUENTIAL,
	CONSERVATIVE,
	OPTIMISTIC,
	OPTIMISTIC_DEBUG,
	OPTIMISTIC_REALTIME,
	SEQUENTIAL_ROLLBACK_CHECK
} tw_synch;

typedef enum tw_lp_map { LINEAR, ROUND_ROBIN, CUSTOM } tw_lp_map;

/* Bits of an event, zero when its handler begins; they tell the reverse handler which way the handler went. */
typedef struct tw_bf {
	unsigned int c0 : 1, c1 : 1, c2 : 1, c3 : 1, c4 : 1, c5 : 1, c6 : 1, c7 : 1;
	unsigned int c8 : 1, c9 : 1, c10 : 1, c11 : 1, c12 : 1, c13 : 1, c14 : 1, c15 : 1;
	unsigned int c16 : 1, c17 : 1, c18 : 1, c19 : 1, c20 : 1, c21 : 1, c22 : 1, c23 : 1;
	unsigned int c24 : 1, c25 : 1, c26 : 1, c27 : 1, c28 : 1, c29 : 1, c30 : 1, c31 : 1;
} tw_bf;

typedef void (*init_f)(void *state, tw_lp *lp);
typedef void (*pre_run_f)(void *state, tw_lp *lp);
typedef void (*event_f)(void *state, tw_bf *bits, void *msg, tw_lp *lp);
typedef void (*revent_f)(void *state, tw_bf *bits, void *msg, tw_lp *lp);
typedef void (*commit_f)(void *state, tw_bf *bits, void *msg, tw_lp *lp);
typedef void (*final_f)(void *state, tw_lp *lp);
typedef tw_peid (*map_f)(tw_lpid gid);
typedef tw_lp *(*map_local_f)(tw_lpid gid);
typedef void (*map_custom_f)(void);
typedef tw_lpid (*tw_typemap_f)(tw_lpid gid);
typedef void (*pe_init_f)(tw_pe *pe);
typedef void (*pe_gvt_f)(tw_pe *pe);
typedef void (*pe_final_f)(tw_pe *pe);

/* A type of LPs. event must be set; revent may be 0: events of such LPs wait until they cannot be undone any more. */
struct tw_lptype {
	init_f init;       /* for each LP, before the run */
	pre_run_f pre_run; /* for each LP, after init of all */
	event_f event;
	revent_f revent;
	commit_f commit; /* for each event that is final, in order */
	final_f final;   /* for each LP, after the run */
	map_f map;       /* not called: nodes tell each other which LPs they have */
	size_t state_sz; /* bytes, at least 1 */
};

/* Functions of a PE. */
struct tw_petype {
	pe_init_f pre_lp_init;
	pe_init_f post_lp_init;
	pe_gvt_f gvt; /* not called, as in ROSS */
	pe_final_f final;
};

/* The signature of an event: what orders events. This engine compares more tie-breakers than there is room for here. */
#define MAX_TIE_CHAIN 20
typedef struct tw_event_sig {
	tw_stime recv_ts;
	double priority;
	unsigned int tie_lineage_length;
	double event_tiebreaker[MAX_TIE_CHAIN];
} tw_event_sig;

/* An event that a handler makes, or that a GVT hook has taken out of the queue, see tw_pq_dequeue. Its message follows it,
 * see tw_event_data. Handlers use what is next to the message; the rest is for hooks. */
enum { ROSS_EVENT = 320 };
struct tw_event {
	tw_event *next, *prev, *caused_by_me; /* the model's */
	tw_event_sig sig;                     /* of an event that has been taken */
	tw_lp *dest_lp;                       /* the same */
	uint64_t ross_slot;                   /* where the engine has it */
	tw_peid send_pe;
	unsigned int event_id; /* 0: models need not take it out of an index */
	struct {
		unsigned char owner, cancel_q, cancel_asend, remote;
	} state;
	uint64_t ross_spare[2];
	tw_stime recv_ts;
	tw_stime send_ts;
	tw_lpid dest_lpid;
	tw_lpid send_lp;
	tw_lp *src_lp;
	double ross_delay; /* of recv_ts after send_ts */
	double ross_priority;
	uint64_t ross_sent; /* 1: tw_event_send was called; ROSS_TWICE: again; ROSS_TAKEN: the hook has it */
};

/* An LP. Handlers use the first 64 bytes, in which there is room for a small state, and in the others for one that is not
 * much larger. The virtual time is in front of the first stream, by as many bytes as ROSS_CLOCK says, see tw_now. */
enum { ROSS_CLOCK = 56, ROSS_SMALL = 16, ROSS_ROOM = 48, ROSS_STREAMS = 64 };
struct tw_lp {
	tw_lpid gid;
	tw_lpid id; /* index on this node */
	tw_pe *pe;
	void *cur_state;
	tw_rng_stream *rng; /* the first of g_tw_nRNG_per_lp */
	tw_lptype *type;
	uint64_t ross_small[ROSS_SMALL / 8];
	tw_kp *kp;
	struct st_model_types *model_types;
	uint64_t ross_state[ROSS_ROOM / 8];
};

/* A group of LPs that the model forms. The engine has its own groups. */
struct tw_kp {
	tw_kpid id;
	tw_pe *pe;
	int lp_count;
	tw_event_sig last_sig; /* the model's: the engine does not set it */
};

/* A PE. Handlers see the one whose thread runs them; g_tw_pe is the first. */
struct tw_pe {
	tw_peid id;
	tw_petype type;
	tw_event_sig GVT_sig; /* recv_ts: all events before it are final */
	struct ross_out *ross_out;
	void *pq;              /* for tw_pq_dequeue and tw_pq_enqueue */
	void *hash_t;          /* for tw_hash_insert and tw_hash_remove */
	tw_event *abort_event; /* one that nobody sends */
#ifdef ROSS_REFUSE_AT_CALL
	tw_event *cur_event; /* GVT hooks may set it; it is not the event that a handler has */
	unsigned int avl_tree_size;
#endif
};

ROSS_END

#endif
