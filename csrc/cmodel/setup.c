//go:build cgo && linux

/* From tw_opt_add to tw_end: the order of the calls, and the LPs and KPs that the model sees; and in their place, what a Go
 * program does. */
#include <stdlib.h>
#include <string.h>

#include "libross.h"

static tw_pe first_pe;

void tw_opt_add(const tw_optdef *options)
{
	ross_refuse_in_go("tw_opt_add", ROSS_GO_OPTIONS);
	if (!options || !options->type)
		return;
	if (ross_ngroups == ROSS_GROUPS)
		tw_error(TW_LOC, "tw_opt_add: more than %d groups of options", ROSS_GROUPS);
	ross_groups[ross_ngroups++] = options;
}

void tw_init(int *argc, char ***argv)
{
	ross_refuse_in_go("tw_init", ROSS_GO_RUNS);
	if (g_tw_pe)
		tw_error(TW_LOC, "tw_init: called a second time");
	g_tw_pe = ross_old_pes[0] = &first_pe;
	if (!ross_mpi_stage)
		ross_mpi_stage = 1;
	fflush(stdout);
	ross_go_init(argc, *argv);
	g_tw_mynode = (tw_peid)ross_rank;
	g_tw_pe->id = g_tw_mynode;
}

tw_peid tw_nnodes(void) { return ross_nodes > 1 ? (tw_peid)ross_nodes : 1; }

void tw_pe_settype(const tw_petype *type)
{
	ross_refuse_in_go("tw_pe_settype", ROSS_GO_PES);
	if (!g_tw_pe)
		tw_error(TW_LOC, "tw_pe_settype: call tw_init first");
	g_tw_pe->type = *type;
}

void tw_kp_onpe(tw_kpid id, tw_pe *pe)
{
	ross_refuse_in_go("tw_kp_onpe", ROSS_GO_MAPS);
	if (id >= g_tw_nkp)
		tw_error(TW_LOC, "tw_kp_onpe: there is no KP %lu: they are 0 to %lu", id, g_tw_nkp - 1);
	if (g_tw_kp[id])
		tw_error(TW_LOC, "tw_kp_onpe: called twice for KP %lu", id);
	g_tw_kp[id] = tw_calloc(TW_LOC, "KPs", sizeof(tw_kp), 1);
	g_tw_kp[id]->id = id;
	g_tw_kp[id]->pe = pe;
}

static tw_lp *lps; /* all of this node, by their index */

void tw_lp_onpe(tw_lpid index, tw_pe *pe, tw_lpid gid)
{
	tw_lp *lp;

	ross_refuse_in_go("tw_lp_onpe", ROSS_GO_MAPS);
	if (index >= g_tw_nlp)
		tw_error(TW_LOC, "tw_lp_onpe: there is no LP %llu on this node: they are 0 to %llu", (unsigned long long)index,
			(unsigned long long)g_tw_nlp - 1);
	if (gid >= g_tw_total_lps)
		tw_error(TW_LOC, "tw_lp_onpe: LP %llu gets the global id %llu: give 0 to %llu", (unsigned long long)index,
			(unsigned long long)gid, (unsigned long long)g_tw_total_lps - 1);
	if (g_tw_lp[index])
		tw_error(TW_LOC, "tw_lp_onpe: called twice for LP %llu", (unsigned long long)index);
	if (ross_by_gid[gid])
		tw_error(TW_LOC, "tw_lp_onpe: two LPs get the global id %llu", (unsigned long long)gid);
	lp = &lps[index];
	lp->gid = gid;
	lp->id = index;
	lp->pe = pe;
	g_tw_lp[index] = ross_by_gid[gid] = lp;
}

void tw_lp_onkp(tw_lp *lp, tw_kp *kp)
{
	ross_refuse_in_go("tw_lp_onkp", ROSS_GO_MAPS);
	if (!lp || !kp)
		tw_error(TW_LOC, "tw_lp_onkp: the %s is 0: call %s first", lp ? "KP" : "LP", lp ? "tw_kp_onpe" : "tw_lp_onpe");
	lp->kp = kp;
	kp->lp_count++;
}

/* map gives LPs ids and KPs, as g_tw_mapping says. */
static void map(void)
{
	tw_lpid each = (g_tw_nlp + g_tw_nkp - 1) / g_tw_nkp;

	if (g_tw_mapping == ROUND_ROBIN && g_tw_nlp * tw_nnodes() != g_tw_total_lps)
		tw_error(TW_LOC, "tw_define_lps: g_tw_mapping is ROUND_ROBIN, and nodes have different numbers of LPs, this one %llu of %llu: "
			"give all nodes as many", (unsigned long long)g_tw_nlp, (unsigned long long)g_tw_total_lps);
	if (g_tw_mapping == CUSTOM) {
		if (!g_tw_custom_initial_mapping)
			tw_error(TW_LOC, "tw_define_lps: g_tw_mapping is CUSTOM: set g_tw_custom_initial_mapping");
		g_tw_custom_initial_mapping();
	} else {
		for (tw_kpid k = 0; k < g_tw_nkp; k++)
			tw_kp_onpe(k, g_tw_pe);
		for (tw_lpid i = 0; i < g_tw_nlp; i++) {
			tw_lp_onpe(i, g_tw_pe, g_tw_mapping == LINEAR ? g_tw_lp_offset + i : g_tw_mynode + i * tw_nnodes());
			tw_lp_onkp(g_tw_lp[i], g_tw_kp[g_tw_mapping == LINEAR ? i / each : i % g_tw_nkp]);
		}
	}
	for (tw_lpid i = 0; i < g_tw_nlp; i++) {
		if (!g_tw_lp[i])
			tw_error(TW_LOC, "tw_define_lps: the mapping of the model leaves out LP %llu", (unsigned long long)i);
		if (!g_tw_lp[i]->kp)
			tw_error(TW_LOC, "tw_define_lps: the mapping of the model gives LP %llu no KP", (unsigned long long)i);
	}
}

unsigned int ross_early;
static char *early;

/* make_early gives LPs streams that models may draw from before tw_run, when the engine has none yet. */
static void make_early(void)
{
	size_t size = ROSS_CLOCK + g_tw_nRNG_per_lp * sizeof(tw_rng_stream);
	tw_rng_stream *g = NULL, *before = NULL;
	tw_lpid id, last = 0;

	ross_early = g_tw_nRNG_per_lp;
	early = tw_calloc(TW_LOC, "streams", size, g_tw_nlp);
	for (tw_lpid i = 0; i < g_tw_nlp; i++) {
		g_tw_lp[i]->rng = (tw_rng_stream *)(void *)(early + i * size + ROSS_CLOCK);
		for (unsigned int k = 0; k < ross_early; k++) {
			g = &g_tw_lp[i]->rng[k];
			id = g_tw_lp[i]->gid * ross_early + k;
			if (before && id == last + 1)
				ross_next_stream(g, before);
			else
				tw_rand_initial_seed(g, id, NULL);
			before = g;
			last = id;
		}
	}
}

int ross_drop_early(void)
{
	free(early);
	early = NULL;
	return 0;
}

void tw_define_lps(tw_lpid nlp, size_t msg_sz)
{
	uint64_t before, sum;
	void *all;

	ross_refuse_in_go("tw_define_lps", ROSS_GO_TYPES);
	if (!g_tw_pe || ross_stage)
		tw_error(TW_LOC, "tw_define_lps: call it once, after tw_init");
	if ((!nlp && tw_nnodes() == 1) || nlp > UINT32_MAX || !g_tw_nkp)
		tw_error(TW_LOC, "tw_define_lps: %llu LPs and %lu KPs: give at least 1, and at most %u LPs", (unsigned long long)nlp, g_tw_nkp,
			UINT32_MAX);
	ross_stage = 1;
	ross_go_count(nlp, &before, &sum);
	if (!sum || sum > UINT32_MAX)
		tw_error(TW_LOC, "tw_define_lps: %llu LPs on all nodes: give at least 1, and at most %u", (unsigned long long)sum, UINT32_MAX);
	g_tw_nlp = nlp;
	g_tw_lp_offset = before;
	g_tw_total_lps = sum;
	g_tw_msg_sz = msg_sz;
	g_tw_lp = tw_calloc(TW_LOC, "LPs", sizeof *g_tw_lp, nlp);
	ross_by_gid = tw_calloc(TW_LOC, "LPs", sizeof *ross_by_gid, sum);
	g_tw_kp = tw_calloc(TW_LOC, "KPs", sizeof *g_tw_kp, g_tw_nkp);
	if (posix_memalign(&all, 128, (nlp ? nlp : 1) * sizeof *lps))
		tw_error(TW_LOC, "tw_define_lps: no memory for %llu LPs", (unsigned long long)nlp);
	lps = memset(all, 0, nlp * sizeof *lps);
	map();
	make_early();
}

tw_lp *tw_getlocal_lp(tw_lpid gid)
{
	return ross_by_gid && gid < g_tw_total_lps ? ross_by_gid[gid] : NULL;
}

/* The size of the state, which is the last field, stands where a function should. */
int ross_is_old(const tw_lptype *type)
{
	const uintptr_t fields[] = { (uintptr_t)type->commit, (uintptr_t)type->final, (uintptr_t)type->map };

	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		if (fields[i] > 0 && fields[i] < 65536)
			return 1;
	return 0;
}

void tw_lp_settype(tw_lpid lp, tw_lptype *type)
{
	ross_refuse_in_go("tw_lp_settype", ROSS_GO_TYPES);
	if (ross_stage != 1 || lp >= g_tw_nlp)
		tw_error(TW_LOC, "tw_lp_settype: LP %llu: call it after tw_define_lps and before tw_run, for 0 to %llu",
			(unsigned long long)lp, (unsigned long long)g_tw_nlp - 1);
	if (!type)
		tw_error(TW_LOC, "tw_lp_settype: LP %llu: its type is 0", (unsigned long long)lp);
	if (!type->state_sz && ross_is_old(type))
		tw_error(TW_LOC, "tw_lp_settype: LP %llu: state_sz is 0 and a number stands where a function should: the initialiser of the "
			"type has fewer fields than tw_lptype (init, pre_run, event, revent, commit, final, map, state_sz)",
			(unsigned long long)lp);
	g_tw_lp[lp]->type = type;
}

void tw_lp_setup_types(void)
{
	ross_refuse_in_go("tw_lp_setup_types", ROSS_GO_TYPES);
	if (!g_tw_lp_types)
		tw_error(TW_LOC, "tw_lp_setup_types: g_tw_lp_types is 0: set it to the table of types");
	for (tw_lpid i = 0; i < g_tw_nlp; i++)
		tw_lp_settype(i, &g_tw_lp_types[g_tw_lp_typemap(g_tw_lp[i]->gid)]);
}

tw_lpid ross_type_of(const tw_lp *lp) { return g_tw_lp_typemap(lp->gid); }

void st_model_settype(tw_lpid lp, st_model_types *types)
{
	ross_refuse_in_go("st_model_settype", ROSS_GO_TYPES);
	if (ross_stage != 1 || lp >= g_tw_nlp)
		tw_error(TW_LOC, "st_model_settype: LP %llu: call it after tw_define_lps and before tw_run", (unsigned long long)lp);
	g_tw_lp[lp]->model_types = types;
}

void tw_run(void)
{
	ross_refuse_in_go("tw_run", ROSS_GO_RUNS);
	if (ross_stage != 1)
		tw_error(TW_LOC, "tw_run: call it once, after tw_define_lps");
	for (tw_lpid i = 0; i < g_tw_nlp; i++)
		if (!g_tw_lp[i]->type)
			tw_error(TW_LOC, "tw_run: LP %llu has no type: call tw_lp_settype", (unsigned long long)i);
	ross_stage = 2;
	fflush(stdout);
	ross_go_run();
	ross_stage = 3;
}

void tw_end(void)
{
	ross_refuse_in_go("tw_end", ROSS_GO_RUNS);
	fflush(stdout);
	ross_go_end();
}

int ross_in_go;

void ross_refuse_in_go(const char *function, const char *instead)
{
	if (ross_in_go)
		tw_error(TW_LOC, "%s: %s", function, instead);
}

static tw_kp only_kp, *kps[1] = { &only_kp };

int ross_enter(tw_lpid n, tw_lp **by_gid, size_t msg_sz, ross_out *first)
{
	first_pe = (tw_pe){ .ross_out = first };
	g_tw_pe = ross_old_pes[0] = &first_pe;
	g_tw_kp = kps;
	g_tw_nkp = 1;
	only_kp = (tw_kp){ .pe = g_tw_pe };
	for (tw_lpid i = 0; i < n; i++)
		if (by_gid[i]) {
			by_gid[i]->kp = &only_kp;
			by_gid[i]->pe = g_tw_pe;
			only_kp.lp_count++;
		}
	g_tw_nlp = g_tw_total_lps = n;
	g_tw_msg_sz = msg_sz;
	g_tw_lp = ross_by_gid = by_gid;
	ross_stage = 2;
	return 0;
}

int ross_leave(void)
{
	g_tw_lp = ross_by_gid = NULL;
	g_tw_nlp = g_tw_total_lps = 0;
	g_tw_pe = ross_old_pes[0] = NULL;
	g_tw_kp = NULL;
	ross_stage = 0;
	return 0;
}
