/* Functions of ROSS that this library does not have. A call does not compile, and the compiler says why. */
#ifndef ROSS_REFUSED_H
#define ROSS_REFUSED_H

#include "ross-types.h"

/* What C types of a Go program (ROSS_IN_GO) do not call, since the program does that. */
#define ROSS_GO_RUNS "the Go program makes and runs the simulation: ross.Run"
#define ROSS_GO_TYPES "the Go program says which LPs have the type: cmodel.Type"
#define ROSS_GO_OPTIONS "options are those of the Go program: ross.Options"
#define ROSS_GO_PES "functions of PEs are those of the Go program: ross.Config, PE"
#define ROSS_GO_MAPS "the Go program says where LPs are: ross.Config, Mapping"
#define ROSS_GO_HOOK "the GVT hook is that of the Go program: ross.Config, GVTHook and HookTrigger"
#define ROSS_GO_STORES "checkpoints are those of the Go program: ross.Config, Checkpoints"

#ifndef ROSS_REFUSE_AT_CALL

#if defined(__GNUC__)
#define ROSS_REFUSED(name, why) int ross_refused_##name(void) __attribute__((__error__(#name ": " why)));
#else
#define ROSS_REFUSED(name, why) int ross_refused_##name(void); /* the linker finds none */
#endif

ROSS_BEGIN

#ifdef ROSS_IN_GO
ROSS_REFUSED(tw_event_free, ROSS_GO_HOOK)
ROSS_REFUSED(tw_pq_enqueue, ROSS_GO_HOOK)
ROSS_REFUSED(tw_pq_dequeue, ROSS_GO_HOOK)
ROSS_REFUSED(tw_opt_add, ROSS_GO_OPTIONS)
ROSS_REFUSED(tw_init, ROSS_GO_RUNS)
ROSS_REFUSED(tw_define_lps, ROSS_GO_TYPES)
ROSS_REFUSED(tw_lp_settype, ROSS_GO_TYPES)
ROSS_REFUSED(tw_lp_setup_types, ROSS_GO_TYPES)
ROSS_REFUSED(st_model_settype, ROSS_GO_TYPES)
ROSS_REFUSED(tw_pe_settype, ROSS_GO_PES)
ROSS_REFUSED(tw_run, ROSS_GO_RUNS)
ROSS_REFUSED(tw_end, ROSS_GO_RUNS)
ROSS_REFUSED(tw_lp_onpe, ROSS_GO_MAPS)
ROSS_REFUSED(tw_lp_onkp, ROSS_GO_MAPS)
ROSS_REFUSED(tw_kp_onpe, ROSS_GO_MAPS)
ROSS_REFUSED(tw_trigger_gvt_hook_at, ROSS_GO_HOOK)
ROSS_REFUSED(tw_trigger_gvt_hook_at_event_sig, ROSS_GO_HOOK)
ROSS_REFUSED(tw_trigger_gvt_hook_every, ROSS_GO_HOOK)
ROSS_REFUSED(tw_trigger_gvt_hook_when_model_calls, ROSS_GO_HOOK)
ROSS_REFUSED(io_init, ROSS_GO_STORES)
ROSS_REFUSED(io_register_model_version, ROSS_GO_STORES)
ROSS_REFUSED(io_load_checkpoint, ROSS_GO_STORES)
ROSS_REFUSED(io_store_checkpoint, ROSS_GO_STORES)
ROSS_REFUSED(io_appending_job, ROSS_GO_STORES)
#elif !defined USE_RIO
ROSS_REFUSED(io_init, "compile models that store and load checkpoints with -DUSE_RIO")
#endif

ROSS_END

#ifdef ROSS_IN_GO
#define tw_event_free(...) ross_refused_tw_event_free()
#define tw_pq_enqueue(...) ross_refused_tw_pq_enqueue()
#define tw_pq_dequeue(...) ross_refused_tw_pq_dequeue()
#define tw_opt_add(...) ross_refused_tw_opt_add()
#define tw_init(...) ross_refused_tw_init()
#define tw_define_lps(...) ross_refused_tw_define_lps()
#define tw_lp_settype(...) ross_refused_tw_lp_settype()
#define tw_lp_setup_types(...) ross_refused_tw_lp_setup_types()
#define st_model_settype(...) ross_refused_st_model_settype()
#define tw_pe_settype(...) ross_refused_tw_pe_settype()
#define tw_run(...) ross_refused_tw_run()
#define tw_end(...) ross_refused_tw_end()
#define tw_lp_onpe(...) ross_refused_tw_lp_onpe()
#define tw_lp_onkp(...) ross_refused_tw_lp_onkp()
#define tw_kp_onpe(...) ross_refused_tw_kp_onpe()
#define tw_trigger_gvt_hook_at(...) ross_refused_tw_trigger_gvt_hook_at()
#define tw_trigger_gvt_hook_at_event_sig(...) ross_refused_tw_trigger_gvt_hook_at_event_sig()
#define tw_trigger_gvt_hook_every(...) ross_refused_tw_trigger_gvt_hook_every()
#define tw_trigger_gvt_hook_when_model_calls(...) ross_refused_tw_trigger_gvt_hook_when_model_calls()
#define io_register_model_version(...) ross_refused_io_register_model_version()
#define io_load_checkpoint(...) ross_refused_io_load_checkpoint()
#define io_store_checkpoint(...) ross_refused_io_store_checkpoint()
#define io_appending_job(...) ross_refused_io_appending_job()
#endif
#if defined ROSS_IN_GO || !defined USE_RIO
#define io_init(...) ross_refused_io_init()
#endif

#endif

#endif
