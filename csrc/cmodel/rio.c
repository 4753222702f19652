//go:build cgo && linux

/* Checkpoints of the model: what it says before tw_run is noted down, and its functions are called. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libross.h"

io_lptype *g_io_lp_types;
int g_io_number_of_files = 1;
int g_io_events_buffered_per_rank;
io_load_type g_io_load_at = NONE;
char g_io_checkpoint_name[1024];

char ross_version[ROSS_VERSION + 1];
int ross_keeps, ross_appends;

void io_init(void)
{
	ross_refuse_in_go("io_init", ROSS_GO_STORES);
	if (!g_tw_pe || ross_stage >= 2)
		tw_error(TW_LOC, "io_init: call it between tw_init and tw_run");
	ross_keeps = 1;
}

void io_register_model_version(char *version)
{
	ross_refuse_in_go("io_register_model_version", ROSS_GO_STORES);
	if (ross_stage >= 2)
		tw_error(TW_LOC, "io_register_model_version: call it before tw_run");
	if (!version || strlen(version) > ROSS_VERSION)
		tw_error(TW_LOC, "io_register_model_version: %s: give at most %d characters", version ? version : "0", ROSS_VERSION);
	strcpy(ross_version, version);
}

void io_load_checkpoint(char *name, io_load_type at)
{
	ross_refuse_in_go("io_load_checkpoint", ROSS_GO_STORES);
	if (ross_stage != 1)
		tw_error(TW_LOC, "io_load_checkpoint: call it between tw_define_lps and tw_run");
	if (!name || !name[0] || strlen(name) >= sizeof g_io_checkpoint_name)
		tw_error(TW_LOC, "io_load_checkpoint: the name is empty or has %zu characters and more: give a shorter one",
			sizeof g_io_checkpoint_name);
	if (at < PRE_INIT || at > POST_INIT)
		tw_error(TW_LOC, "io_load_checkpoint: %s: mode %d: give PRE_INIT, INIT or POST_INIT", name, (int)at);
	memmove(g_io_checkpoint_name, name, strlen(name) + 1);
	g_io_load_at = at;
}

void io_store_checkpoint(char *name, int data_file_number)
{
	ross_refuse_in_go("io_store_checkpoint", ROSS_GO_STORES);
	if (ross_stage != 3)
		tw_error(TW_LOC, "io_store_checkpoint: call it between tw_run and tw_end");
	if (!name || !name[0])
		tw_error(TW_LOC, "io_store_checkpoint: the name is empty: give a path");
	fflush(stdout);
	ross_go_store(name, data_file_number);
}

void io_appending_job(void)
{
	ross_refuse_in_go("io_appending_job", ROSS_GO_STORES);
	ross_appends = 1;
}

/* enter says for faults whose function runs. */
static void enter(ross_out *o, tw_lp *lp)
{
	lp->pe = &o->pe;
	o->call.lp = lp;
	o->call.plain = NULL;
	o->call.handler = NULL;
	o->call.bits = NULL;
	ross_running = o;
}

size_t ross_call_size(model_size_f f, ross_out *o, void *state, tw_lp *lp)
{
	size_t n;

	enter(o, lp);
	n = f(state, lp);
	ross_running = NULL;
	return n;
}

void ross_call_serialize(serialize_f f, ross_out *o, void *state, void *buffer, tw_lp *lp)
{
	enter(o, lp);
	f(state, buffer, lp);
	ross_running = NULL;
}

/* is_address reports whether a word is the address of memory of this process. Numbers below 2^40 are taken for numbers. */
static int is_address(uintptr_t word)
{
	const uintptr_t least = (uintptr_t)1 << 40, most = (uintptr_t)1 << 48;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char in;

	return word >= least && word < most && !mincore((void *)(word / page * page), page, &in);
}

long ross_find_address(const void *state, size_t size)
{
	const uintptr_t *words = state;

	for (size_t i = 0; i < size / sizeof *words; i++)
		if (is_address(words[i]))
			return (long)(i * sizeof *words);
	return -1;
}
