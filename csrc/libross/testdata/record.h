/* What the models here have in common: the events and the final states of a run as text, as package models/internal/classic
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

/* Handlers may not write static variables if there are several PEs, so the records are elsewhere. */
static struct {
	recorded *all;
	size_t n, room;
	pthread_mutex_t lock;
} *records;

static const tw_optdef record_options[] = {
	TWOPT_GROUP("Recording"),
	TWOPT_CHAR("trace", record_trace, "file for the committed events"),
	TWOPT_CHAR("states", record_states, "file for the final states"),
	TWOPT_END(),
};

/* record_share returns how many of n LPs this node has. */
static inline tw_lpid record_share(tw_lpid n)
{
	return n * (g_tw_mynode + 1) / tw_nnodes() - n * g_tw_mynode / tw_nnodes();
}

/* record_sum adds up a number of all nodes, on the first one. */
static inline double record_sum(double x)
{
	double sum = x;

	MPI_Reduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_ROSS);
	return sum;
}

/* record_open opens a file to write: if there are several nodes, each has one, with its number behind the name. */
static inline FILE *record_open(const char *name)
{
	char path[sizeof record_trace + 20];
	FILE *to;

	snprintf(path, sizeof path, tw_nnodes() > 1 ? "%s.%d" : "%s", name, (int)g_tw_mynode);
	to = fopen(path, "w");
	if (!to)
		tw_error(TW_LOC, "%s cannot be written", path);
	return to;
}

/* record_begin makes room for records. Call it before tw_run. */
static inline void record_begin(void)
{
	records = tw_calloc(TW_LOC, "records", sizeof *records, 1);
	pthread_mutex_init(&records->lock, NULL);
}

static inline void record_event(const tw_lp *lp, tw_lpid from, tw_stime send, int type)
{
	if (!record_trace[0])
		return;
	pthread_mutex_lock(&records->lock);
	if (records->n == records->room) {
		records->room = 2 * records->room + 1024;
		records->all = realloc(records->all, records->room * sizeof *records->all);
		if (!records->all)
			tw_error(TW_LOC, "no memory for %zu records", records->room);
	}
	records->all[records->n] = (recorded){ tw_now(lp), send, lp->gid, from, records->n, type };
	records->n++;
	pthread_mutex_unlock(&records->lock);
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
		to = record_open(record_trace);
		fprintf(to, "dest,src,send,recv,type\n");
		qsort(records->all, records->n, sizeof *records->all, records_compare);
		for (const recorded *r = records->all; r < records->all + records->n; r++)
			fprintf(to, "%llu,%llu,%.17g,%.17g,%d\n", (unsigned long long)r->to, (unsigned long long)r->from, r->send, r->recv, r->type);
		fclose(to);
	}
	if (record_states[0]) {
		to = record_open(record_states);
		for (tw_lpid i = 0; i < g_tw_nlp; i++) {
			fprintf(to, "%llu ", (unsigned long long)g_tw_lp[i]->gid);
			state(to, g_tw_lp[i]);
			fputc('\n', to);
		}
		fclose(to);
	}
}
