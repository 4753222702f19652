//go:build cgo && linux

/* The model's own checks of rollback. */
#include <stdlib.h>

#include "libross.h"

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
