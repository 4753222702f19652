/* What the models here have in common: the events and the final states of a run as text, as package models/classic
 * writes them. Commit handlers call record_event, each for its own LP; parallel PEs commit at the same time. */
#include <pthread.h>
#include <ross.h>

typedef struct recorded {
	tw_stime recv, send;
	tw_lpid to, from;
	size_t place; /* in the order of commits */
	int type;
} recorded;

static char record_trace[4096], record_states[4096];
static recorded *records;
static size_t records_len, records_room;
static pthread_mutex_t records_lock = PTHREAD_MUTEX_INITIALIZER;

static const tw_optdef record_options[] = {
	TWOPT_GROUP("Recording"),
	TWOPT_CHAR("trace", record_trace, "file for the committed events"),
	TWOPT_CHAR("states", record_states, "file for the final states"),
	TWOPT_END(),
};

static inline void record_event(const tw_lp *lp, tw_lpid from, tw_stime send, int type)
{
	if (!record_trace[0])
		return;
	pthread_mutex_lock(&records_lock);
	if (records_len == records_room) {
		records_room = 2 * records_room + 1024;
		records = realloc(records, records_room * sizeof *records);
		if (!records)
			tw_error(TW_LOC, "no memory for %zu records", records_room);
	}
	records[records_len] = (recorded){ tw_now(lp), send, lp->gid, from, records_len, type };
	records_len++;
	pthread_mutex_unlock(&records_lock);
}

static int records_compare(const void *a, const void *b)
{
	const recorded *x = a, *y = b;

	if (x->recv != y->recv)
		return x->recv < y->recv ? -1 : 1;
	return x->place < y->place ? -1 : 1;
}

/* record_finish writes the files, with what state writes for each LP. */
static inline void record_finish(void (*state)(FILE *to, tw_lp *lp))
{
	FILE *to;

	if (record_trace[0]) {
		if (!(to = fopen(record_trace, "w")))
			tw_error(TW_LOC, "--trace=%s cannot be written", record_trace);
		fprintf(to, "dest,src,send,recv,type\n");
		qsort(records, records_len, sizeof *records, records_compare);
		for (size_t i = 0; i < records_len; i++)
			fprintf(to, "%llu,%llu,%.17g,%.17g,%d\n", (unsigned long long)records[i].to, (unsigned long long)records[i].from,
				records[i].send, records[i].recv, records[i].type);
		fclose(to);
	}
	if (record_states[0]) {
		if (!(to = fopen(record_states, "w")))
			tw_error(TW_LOC, "--states=%s cannot be written", record_states);
		for (tw_lpid i = 0; i < g_tw_nlp; i++) {
			fprintf(to, "%llu ", (unsigned long long)g_tw_lp[i]->gid);
			state(to, g_tw_lp[i]);
			fputc('\n', to);
		}
		fclose(to);
	}
}
