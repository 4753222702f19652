//go:build cgo && linux

/* The GVT hook and its triggers. */
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
	g_tw_gvt_hook(&o->pe, past_end != 0);
}
