/* The stack: rungs, each nearer than the one before it, and the top beyond them. It has
 * the keys that are beyond the window. */
#ifndef ROSS_STACK_H
#define ROSS_STACK_H

#include "rung.h"

enum {
	ROSS_SPLIT = 96,      /* a bucket with more keys becomes a rung */
	ROSS_MAX_RUNGS = 128,
	ROSS_STAGE_CAP = 256  /* keys that are placed at once */
};

typedef struct ross_stack {
	ross_pool pool;
	ross_list top;     /* unordered */
	ross_key top_cut;
	uint32_t nr;
	ross_rung r[ROSS_MAX_RUNGS]; /* nr of them; r[nr - 1] is the innermost */
} ross_stack;

int ross_stack_init(ross_stack *s, ross_arena arena, uint64_t *bytes, uint32_t *failed);
void ross_stack_free(ross_stack *s);

/* ross_stack_cut returns the cut of the innermost of nr rungs, or of the top. */
ross_key ross_stack_cut(const ross_stack *s, uint32_t nr);
/* ross_stack_spawn makes the keys of src the innermost rung. If src is the top, keys
 * beyond the last bucket stay there; otherwise the last bucket takes them. It returns 0
 * when memory fails. */
int ross_stack_spawn(ross_stack *s, ross_list *src, int from_top);
/* ross_stack_part makes the next bucket of the innermost rung, which is not its last, a rung, by ross_rung_halve. It
 * returns 0 when memory fails. */
int ross_stack_part(ross_stack *s);
/* ross_stack_drop removes the innermost rungs that are empty. */
void ross_stack_drop(ross_stack *s);
/* ross_stack_gather moves the keys of all rungs to out, which may be the top. */
void ross_stack_gather(ross_stack *s, ross_list *out);

/* ross_stack_place puts up to ROSS_STAGE_CAP keys, none before the innermost cut, where
 * they belong. */
void ross_stack_place(ross_stack *s, const ross_key *k, uint32_t n);

#endif
