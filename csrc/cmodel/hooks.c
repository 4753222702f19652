//go:build cgo && linux

/* The GVT hook and its triggers, and the model's checks of rollback. */
#include <stdlib.h>

#include "libross.h"

void (*g_tw_gvt_hook)(tw_pe *pe, bool past_end_time);
unsigned int g_tw_gvt_done;
ross_trigger ross_hook_trigger;

static void set(ross_trigger t)
{
	ross_refuse_in_go("tw_trigger_gvt_hook_...", ROSS_GO_HOOK);
	t.is_new = 1;
	ross_hook_trigger = t;
}

void tw_trigger_gvt_hook_at(tw_stime time) { set((ross_trigger){ .kind = ROSS_AT, .sig = { .recv_ts = time } }); }
void tw_trigger_gvt_hook_at_event_sig(tw_event_sig sig) { set((ross_trigger){ .kind = ROSS_AT, .sig = sig }); }
void tw_trigger_gvt_hook_when_model_calls(void) { set((ross_trigger){ .kind = ROSS_BY_MODEL }); }

void tw_trigger_gvt_hook_every(int gvts)
{
	if (gvts < 1)
		tw_error(TW_LOC, "tw_trigger_gvt_hook_every: %d: give at least 1", gvts);
	set((ross_trigger){ .kind = ROSS_EVERY, .every = (uint64_t)gvts });
}

void tw_trigger_gvt_hook_now(tw_lp *lp) { lp->pe->ross_out->notes |= ROSS_NOTE_HOOK; }
void tw_trigger_gvt_hook_now_rev(tw_lp *lp) { lp->pe->ross_out->notes |= ROSS_NOTE_UNHOOK; }

void ross_call_hook(ross_out *o, int past_end)
{
	g_tw_gvt_done++;
	ross_open_hook();
	g_tw_gvt_hook(&o->pe, past_end != 0);
}

static int compare(double a, double b) { return (a > b) - (a < b); }

int tw_event_sig_compare_ptr(const tw_event_sig *a, const tw_event_sig *b)
{
	int c = compare(a->recv_ts, b->recv_ts);
	unsigned int n = a->tie_lineage_length < b->tie_lineage_length ? a->tie_lineage_length : b->tie_lineage_length;

	if (!c)
		c = compare(a->priority, b->priority);
	for (unsigned int i = 0; !c && i < n && i < MAX_TIE_CHAIN; i++)
		c = compare(a->event_tiebreaker[i], b->event_tiebreaker[i]);
	return c ? c : compare(a->tie_lineage_length, b->tie_lineage_length);
}

crv_checkpointer *ross_checks[ROSS_CHECKS];
int ross_nchecks;

void crv_add_custom_state_checkpoint(crv_checkpointer *with)
{
	if (!with || !with->lptype)
		tw_error(TW_LOC, "crv_add_custom_state_checkpoint: lptype is 0: set it to the type whose states are compared");
	if (!with->save_lp != !with->check_lps)
		tw_error(TW_LOC, "crv_add_custom_state_checkpoint: it has one of save_lp and check_lps: give both or neither");
	if (ross_nchecks == ROSS_CHECKS)
		tw_error(TW_LOC, "crv_add_custom_state_checkpoint: called more than %d times", ROSS_CHECKS);
	ross_checks[ross_nchecks++] = with;
}

void ross_check_save(const crv_checkpointer *c, void *into, const void *state) { c->save_lp(into, state); }
int ross_check_compare(const crv_checkpointer *c, void *state, const void *saved) { return c->check_lps(state, saved); }
void ross_check_clean(const crv_checkpointer *c, void *saved) { c->clean_lp(saved); }

char *ross_check_print(const crv_checkpointer *c, void *state)
{
	char *text = NULL;
	size_t n = 0;
	FILE *to = open_memstream(&text, &n);

	if (!to)
		return NULL;
	c->print_lp(to, "", state);
	fclose(to);
	return text;
}
