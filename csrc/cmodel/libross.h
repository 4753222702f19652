/* What the files of this library share with one another, and what C and Go share. */
#ifndef LIBROSS_H
#define LIBROSS_H

#define ROSS_REFUSE_AT_CALL /* the library has these functions */

#include "../event.h"
#include "ross-extern.h"
#include "ross-instr.h"
#include "ross-io.h"
#include "ross-refused.h"

_Static_assert(sizeof(tw_event) == ROSS_EVENT, "the message is behind the fields that events have");
_Static_assert(offsetof(tw_event, recv_ts) % 64 == 0, "what handlers use of an event, and a small message, are neighbours");

/* A call of a function of the model, and what it is about. */
typedef struct ross_call {
	event_f handler;
	event_f commit; /* to be called after handler, which is an event that nobody undoes; otherwise 0 */
	init_f plain;   /* init, pre_run or final, which take two of the arguments; otherwise 0 */
	void *state;
	tw_bf *bits;
	void *msg;
	tw_lp *lp;
} ross_call;

/* Bits of ross_out.notes: what a handler did besides sending. */
enum {
	ROSS_NOTE_TEXT = 1,    /* tw_output */
	ROSS_NOTE_SUSPEND = 2, /* tw_lp_suspend */
	ROSS_NOTE_HOOK = 4,    /* tw_trigger_gvt_hook_now */
	ROSS_NOTE_UNHOOK = 8   /* tw_trigger_gvt_hook_now_rev */
};

enum { ROSS_CHUNK = 64 };         /* events of a chunk */
enum { ROSS_STACK = 1024 * 1024 }; /* bytes of a stack of handlers */

/* What a PE's running handler does: the engine takes it over when the handler has returned. Only the thread of the PE
 * touches it, so each one has pages of its own. */
typedef struct ross_out {
	ross_call call;
	uint32_t count; /* events made by the handler */
	uint32_t notes;
	uint32_t room;   /* events in the chunks */
	uint32_t stride; /* bytes of an event with its message */
	char **chunks;
	const ross_node *nodes; /* further tie-breakers of events */
	char *stack;            /* of handlers, from its upper end down */
	char *texts; /* of tw_output, each with its zero */
	size_t texts_len, texts_room;
	int32_t suspend_reverses, suspend_code;
	int32_t collect;   /* whether the model wants an event in the trace */
	tw_bf sample_bits; /* of sample_event_fn */
	char *copy;        /* of tw_snapshot */
	size_t copy_size, copy_room;
	const tw_bf *copy_of; /* the event whose handler made it */
	int32_t undoes;       /* events may be undone */
	tw_pe pe;
} ross_out;

/* ross_out_new returns what a PE needs, or 0 if there is no memory. ross_out_event returns event i of the handler. */
ross_out *ross_out_new(tw_peid pe, size_t msg_sz);
void ross_out_free(ross_out *o);
tw_event *ross_out_event(const ross_out *o, uint32_t i);

/* The three ways to call a function of the model. o->call has the arguments. */
void ross_call_handler(ross_out *o);
void ross_call_plain(ross_out *o);
void ross_call_pe(pe_init_f f, tw_pe *pe);

/* Functions of st_model_types. */
void ross_call_trace(ev_trace_f f, ross_out *o, void *msg, tw_lp *lp, char *buffer);
void ross_call_stat(model_stat_f f, ross_out *o, void *state, tw_lp *lp, char *buffer);
void ross_call_sample(sample_event_f f, ross_out *o, void *state, tw_lp *lp, void *sample);

/* What Go does, see entry.go. */
void ross_go_init(int *argc, char **argv);
void ross_go_run(void);
void ross_go_end(void);
void ross_go_store(char *name, int file);

/* What ranks.go does. ross_go_look says which rank this is, and of how many, before tw_init as well. ross_go_connect starts
 * the others, or finds them; ross_go_leave ends that, for good if the model has ended MPI. Sending does not wait;
 * ross_go_receive returns what any rank has sent, for free, and without wait maybe nothing, from -1. ross_go_count adds up
 * the LPs of all nodes, and of those before this one. */
void ross_go_look(int *rank, int *nodes);
void ross_go_connect(void);
void ross_go_leave(int for_good);
int ross_go_start_mpi(void);
void ross_go_send(int to, int comm, int tag, void *data, size_t n);
void *ross_go_receive(int wait, int *from, int *comm, int *tag, size_t *n);
void ross_go_count(uint64_t lps, uint64_t *before, uint64_t *all);

/* This node and the number of nodes, and the communicator that the model has given. */
extern int ross_rank, ross_nodes, ross_comm, ross_comm_given;
void ross_comm_set(int comm);
int ross_comm_size(void); /* of that communicator */
int ross_start_mpi(void);

/* ross_combine combines more with to, n values each, by an operation of mpi/mpi.h, and returns 0 if there is none for the
 * type; then ross_check_op ends the program. */
int ross_combine(void *to, const void *more, int n, int type, int op);
void ross_check_op(int type, int op, const char *call);
size_t ross_size_of(int n, int type, const char *call); /* bytes of n values; ends the program if the type is for files */

/* ross_place_of returns the number of the file of the program, or of a library, that has an address, -1 if none has, and
 * how far behind its beginning. ross_at_place returns the address. */
int ross_place_of(const void *p, uint64_t *offset);
void *ross_at_place(int file, uint64_t offset);

/* ross_print_of returns a number for what is in memory, words that may be addresses: the same in all processes. */
uint64_t ross_print_of(const void *p, size_t size);

/* The PE whose function of the model this thread runs, 0 if it runs none. */
extern __thread ross_out *ross_running;

/* ross_catch_faults has faults of the model reported, and returns 0. ross_guard makes the model's static variables
 * read-only, or writable again; it returns 0, or -1 if it does not know them, because the model was not linked by
 * ross-cc. */
int ross_catch_faults(void);
int ross_guard(int on);

/* The groups of options that the model has added, and their number. */
enum { ROSS_GROUPS = 64 };
extern const tw_optdef *ross_groups[ROSS_GROUPS + 1];
extern int ross_ngroups;

/* The trigger of the GVT hook that was set last. */
typedef struct ross_trigger {
	enum { ROSS_NEVER, ROSS_AT, ROSS_EVERY, ROSS_BY_MODEL } kind;
	int is_new; /* since the engine has looked */
	tw_event_sig sig;
	uint64_t every;
} ross_trigger;
extern ross_trigger ross_hook_trigger;
void ross_call_hook(ross_out *o, int past_end);

/* Events that the hook takes out of the queue, see queue.c. ross_go_take gives all that there are to
 * ross_give, in memory of ross_new_taken. When the hook has returned, ross_next_back returns one after the other those that
 * go back to the engine, for free, and then 0. ross_looked says that a hook has looked into the queue, and ross_held counts
 * what hooks have taken and neither put back nor freed. */
enum { ROSS_TAKEN = 2, ROSS_TWICE }; /* of tw_event.ross_sent */
extern const uint64_t ross_behind;  /* behind each message until it is sent */
extern int ross_looked;
extern uint64_t ross_held;
int ross_may_look(void); /* reports whether the hook that is due may look into the queue */
int ross_open_hook(void);  /* returns 0 */
int ross_close_hook(void); /* returns 0 */
tw_event *ross_new_taken(const ross_out *o);
void ross_give(tw_event *event);
tw_event *ross_next_back(void);
void ross_go_take(void);
void ross_go_free(uint64_t slot);

/* The checks of rollback that the model has added, and their number. */
enum { ROSS_CHECKS = 256 };
extern crv_checkpointer *ross_checks[ROSS_CHECKS];
extern int ross_nchecks;
void ross_check_save(const crv_checkpointer *c, void *into, const void *state);
int ross_check_compare(const crv_checkpointer *c, void *state, const void *saved);
void ross_check_clean(const crv_checkpointer *c, void *saved);
char *ross_check_print(const crv_checkpointer *c, void *state); /* a text for free, or 0 */

/* ross_gives_up leaves the function of the model that the check of rollback tries (heap.h). It returns if there is none. */
void ross_gives_up(void);

/* What the model has said about checkpoints, and its functions for them. */
enum { ROSS_VERSION = 40 }; /* characters */
extern char ross_version[ROSS_VERSION + 1];
extern int ross_keeps, ross_appends;
size_t ross_call_size(model_size_f f, ross_out *o, void *state, tw_lp *lp);
void ross_call_serialize(serialize_f f, ross_out *o, void *state, void *buffer, tw_lp *lp);

/* ross_find_address returns the place of the first word of a state that is the address of memory of this process, -1 if
 * there is none. */
long ross_find_address(const void *state, size_t size);

/* A Go program whose simulation has LPs of C, see mixed.go. ross_in_go says that there is one: what is the Go program's
 * then ends the program, with what ross_refuse_in_go says. ross_enter sets the variables for a run, whose LPs of C are
 * in by_gid, and ross_leave takes them away; both return 0. */
extern int ross_in_go;
void ross_refuse_in_go(const char *function, const char *instead);
int ross_enter(tw_lpid lps, tw_lp **by_gid, size_t msg_sz, ross_out *first);
int ross_leave(void);
int ross_drop_deltas(void); /* all of tw_snapshot_delta; returns 0 */

/* ross_is_old reports whether the initialiser of a type is that of a former version of ROSS, with fewer fields. */
int ross_is_old(const tw_lptype *type);

/* ross_type_of returns what g_tw_lp_typemap says of an LP. */
tw_lpid ross_type_of(const tw_lp *lp);

/* LPs of this node by their gid, 0 if there is none. */
extern tw_lp **ross_by_gid;

/* What ross-old.h declares. */
extern tw_pe *ross_old_pes[1];
extern tw_peid g_tw_npe;
extern unsigned int g_tw_memory_nqueues, g_tw_memory_nqueues_extra;

/* The seeds of the streams, for tw_rand_initial_seed. ross_next_stream makes *g the stream behind one from which nobody has
 * drawn. */
extern uint32_t ross_seeds[4];
void ross_next_stream(tw_rng_stream *g, const tw_rng_stream *before);

/* Streams for draws before tw_run, and their number for each LP. The engine goes on with those from which the model has
 * drawn, and calls ross_drop_early, which returns 0. */
extern unsigned int ross_early;
int ross_drop_early(void);

/* What mpi/mpi.h needs. */
extern int ross_mpi_stage;

/* 1 from tw_define_lps to the end of the program, 2 from tw_run on, 3 after it. */
extern int ross_stage;

#endif
