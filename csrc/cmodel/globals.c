//go:build cgo && linux

/* The variables of the interface, with the defaults that they have in ROSS. */
#include "libross.h"

tw_peid g_tw_mynode, g_tw_masternode;

tw_lpid g_tw_nlp, g_tw_total_lps, g_tw_lp_offset;
tw_kpid g_tw_nkp = 16;
tw_lp **g_tw_lp;
tw_kp **g_tw_kp;
tw_pe *g_tw_pe;
tw_lptype *g_tw_lp_types;
tw_lp_map g_tw_mapping = LINEAR;
map_custom_f g_tw_custom_initial_mapping;
map_local_f g_tw_custom_lp_global_to_local_map;

static tw_lpid one_type(tw_lpid gid)
{
	(void)gid;
	return 0;
}
tw_typemap_f g_tw_lp_typemap = one_type;

tw_synch g_tw_synchronization_protocol = NO_SYNCH;
double g_tw_ts_end = 100000;
double g_tw_lookahead = 0.005;
unsigned int g_tw_mblock = 16;
unsigned int g_tw_gvt_interval = 16;
unsigned int g_tw_nRNG_per_lp = 1;
tw_seed g_tw_rng_seed, g_tw_core_rng_seed;
size_t g_tw_msg_sz;

unsigned int g_tw_events_per_pe = 2048, g_tw_events_per_pe_extra, g_tw_gvt_threshold = 1000;
tw_lpid g_tw_rng_default = 1;
unsigned long long g_tw_clock_rate = 1000000000;

st_model_types *g_st_model_types;
int g_st_ev_trace, g_st_model_stats, g_st_engine_stats, g_st_use_analysis_lps;

/* What ross-old.h declares. */
tw_pe *ross_old_pes[1];
tw_peid g_tw_npe = 1;
unsigned int g_tw_memory_nqueues, g_tw_memory_nqueues_extra;

const tw_optdef *ross_groups[ROSS_GROUPS + 1];
int ross_ngroups;
tw_lp **ross_by_gid;
uint32_t ross_seeds[4] = { 11111111, 22222222, 33333333, 44444444 };
int ross_stage;
int ross_mpi_stage;
