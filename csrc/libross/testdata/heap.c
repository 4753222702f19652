/* Servers whose states point to memory of init and of events. A job arrives and makes its server idle or busy; a credit
 * wakes an idle server. With --wrong=1 the reverse handler forgets a flag. */
#include <ross.h>

#include <stdlib.h>
#include <string.h>

enum { QUEUES = 3, SLOTS = 64, JOBS = 4 };

typedef struct job {
	struct job *next;
	double size;
} job;

typedef struct entry { /* of a cache */
	char known;
	double value; /* there is padding in front of it */
} entry;

typedef struct server {
	unsigned long arrived, woken;
	int *idle;      /* of each queue */
	double *stack;  /* what is above top is what has been there the last time */
	unsigned top;
	entry *cache;
	job *jobs;      /* of events, freed by commit */
	char *label;    /* another one with each job; commit frees the one before */
} server;

enum { ARRIVE, CREDIT, WAKE };

typedef struct message {
	int kind, queue;
	int was;
	char *label;
	job *taken;
	double popped;
} message;

static unsigned int wrong, lps = 4;
static unsigned long woken; /* of the node */
static const tw_optdef options[] = { TWOPT_GROUP("heap"), TWOPT_UINT("wrong", wrong, "what goes wrong"),
	TWOPT_END() };

static void send(int kind, tw_lpid to, double delay, int queue, tw_lp *lp)
{
	tw_event *e = tw_event_new(to, delay, lp);
	message *m = tw_event_data(e);

	m->kind = kind;
	m->queue = queue;
	tw_event_send(e);
}

static void init(void *sv, tw_lp *lp)
{
	server *s = sv;

	s->idle = calloc(QUEUES, sizeof *s->idle);
	s->stack = malloc(SLOTS * sizeof *s->stack);
	s->cache = calloc(8, sizeof *s->cache);
	s->label = strdup("0");
	for (int i = 0; i < JOBS; i++) {
		send(ARRIVE, lp->gid, 1 + tw_rand_unif(lp->rng), i % QUEUES, lp);
		send(CREDIT, lp->gid, 1 + tw_rand_unif(lp->rng), i % QUEUES, lp);
	}
}

static double cached(server *s, int i)
{
	entry *e = &s->cache[i % 8];

	if (!e->known) {
		e->known = 1;
		e->value = 0.25 * (i % 8 + 1);
	}
	return e->value;
}

static void event(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	server *s = sv;
	message *m = msg;

	bf->c0 = bf->c1 = 0;
	switch (m->kind) {
	case ARRIVE: {
		job *j = realloc(malloc(sizeof(double)), sizeof *j);
		char label[24];

		s->arrived++;
		j->size = tw_rand_unif(lp->rng);
		j->next = s->jobs;
		s->jobs = j;
		snprintf(label, sizeof label, "%lu", s->arrived);
		m->label = s->label;
		s->label = strdup(label);
		if (s->top < SLOTS && j->size < 0.7) {
			bf->c0 = 1;
			s->stack[s->top++] = j->size;
		}
		m->was = s->idle[m->queue];
		s->idle[m->queue] = j->size < 0.5;
		send(ARRIVE, lp->gid, cached(s, (int)s->arrived) + j->size, (m->queue + 1) % QUEUES, lp);
		break;
	}
	case CREDIT:
		if (s->idle[m->queue]) {
			bf->c1 = 1;
			s->idle[m->queue] = 0;
			send(WAKE, (lp->gid + 1) % lps, 1 + tw_rand_unif(lp->rng), 0, lp);
		}
		m->taken = s->jobs;
		if (m->taken)
			s->jobs = m->taken->next;
		if (s->top > 0) {
			bf->c0 = 1;
			m->popped = s->stack[--s->top];
		}
		send(CREDIT, lp->gid, 1 + m->popped, m->queue, lp);
		break;
	case WAKE:
		s->woken++;
		woken++;
	}
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	server *s = sv;
	message *m = msg;
	job *j;

	switch (m->kind) {
	case ARRIVE:
		s->arrived--;
		j = s->jobs;
		s->jobs = j->next;
		free(j);
		free(s->label);
		s->label = m->label;
		if (bf->c0)
			s->top--;
		if (wrong != 1)
			s->idle[m->queue] = m->was;
		tw_rand_reverse_unif(lp->rng);
		break;
	case CREDIT:
		if (bf->c1) {
			s->idle[m->queue] = 1;
			tw_rand_reverse_unif(lp->rng);
		}
		if (m->taken)
			s->jobs = m->taken;
		if (bf->c0)
			s->top++;
		m->popped = 0;
		break;
	case WAKE:
		s->woken--;
		woken--;
	}
}

static void commit(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	message *m = msg;

	(void)sv;
	(void)bf;
	(void)lp;
	if (m->kind == ARRIVE)
		free(m->label);
	else if (m->kind == CREDIT)
		free(m->taken);
}

static void final(void *sv, tw_lp *lp)
{
	server *s = sv;

	printf("server %lu: %lu arrived, %lu woken, label %s\n", (unsigned long)lp->gid, s->arrived, s->woken, s->label);
	if (lp->gid + 1 == lps)
		printf("node: %lu woken\n", woken);
}

static tw_lptype type = { init, NULL, event, reverse, commit, final, NULL, sizeof(server) };

int main(int argc, char **argv)
{
	tw_opt_add(options);
	g_tw_ts_end = 200;
	tw_init(&argc, &argv);
	tw_define_lps(lps, sizeof(message));
	for (tw_lpid i = 0; i < lps; i++)
		tw_lp_settype(i, &type);
	tw_run();
	tw_end();
	return 0;
}
