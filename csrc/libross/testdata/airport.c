/* Airports on a grid of 32 x 32, between which planes fly: the events of the model airport of ROSS. */
#include "record.h"

enum { SIDE = 32, AIRPORTS = SIDE * SIDE };
enum { ARRIVAL = 1, DEPARTURE, LAND };

typedef struct airport {
	int landings, ground;
	double waiting; /* sum of the times between arrival and the beginning of landing */
	double far;     /* when the runway is free */
} airport;

typedef struct message {
	int type;
	tw_lpid from;
	double sent, wait;
	double was; /* far or waiting before the event */
} message;

static unsigned int planes = 1, memory = 1000;
static double mean = 1, lookahead = 1e-8;

static const tw_optdef options[] = {
	TWOPT_GROUP("Airport Model"),
	TWOPT_UINT("nplanes", planes, "planes of each airport at the start"),
	TWOPT_STIME("mean", mean, "mean time of a flight"),
	TWOPT_UINT("memory", memory, "without effect"),
	TWOPT_STIME("lookahead", lookahead, "lookahead of the engine"),
	TWOPT_END(),
};

static void send(tw_lp *lp, tw_lpid to, double delay, int type, double wait)
{
	tw_event *e = tw_event_new(to, delay, lp);
	message *m = tw_event_data(e);

	m->type = type;
	m->from = lp->gid;
	m->sent = tw_now(lp);
	m->wait = wait;
	tw_event_send(e);
}

static void init(airport *a, tw_lp *lp)
{
	a->ground = (int)planes;
	for (unsigned int i = 0; i < planes; i++)
		send(lp, lp->gid, tw_rand_exponential(lp->rng, 30), DEPARTURE, 0);
}

static tw_lpid neighbour(tw_lpid id, long way)
{
	switch (way) {
	case 0: /* one column off, as in the original, and so in the next case */
		return id < SIDE ? id + AIRPORTS - SIDE : id - SIDE + 1;
	case 1:
		return id >= AIRPORTS - SIDE ? id - (AIRPORTS - SIDE) : id + SIDE - 1;
	case 2:
		return id % SIDE == SIDE - 1 ? id - (SIDE - 1) : id + 1;
	}
	return id % SIDE == 0 ? id + SIDE - 1 : id - 1;
}

static void event(airport *a, tw_bf *bf, message *m, tw_lp *lp)
{
	double ts;

	(void)bf;
	switch (m->type) {
	case DEPARTURE:
		a->ground--;
		ts = tw_rand_exponential(lp->rng, mean);
		send(lp, neighbour(lp->gid, tw_rand_integer(lp->rng, 0, 3)), ts, ARRIVAL, 0);
		break;
	case ARRIVAL:
		m->was = a->far;
		if (a->far < tw_now(lp))
			a->far = tw_now(lp);
		ts = tw_rand_exponential(lp->rng, 10);
		send(lp, lp->gid, ts + a->far - tw_now(lp), LAND, a->far - tw_now(lp));
		a->far += ts;
		break;
	case LAND:
		m->was = a->waiting;
		a->landings++;
		a->waiting += m->wait;
		send(lp, lp->gid, tw_rand_exponential(lp->rng, 30), DEPARTURE, 0);
		break;
	default:
		tw_error(TW_LOC, "event of type %d", m->type);
	}
}

static void reverse(airport *a, tw_bf *bf, message *m, tw_lp *lp)
{
	(void)bf;
	tw_rand_reverse_unif(lp->rng);
	switch (m->type) {
	case DEPARTURE:
		tw_rand_reverse_unif(lp->rng);
		a->ground++;
		break;
	case ARRIVAL:
		a->far = m->was;
		break;
	case LAND:
		a->landings--;
		a->waiting = m->was;
		break;
	}
}

static void commit(airport *a, tw_bf *bf, message *m, tw_lp *lp)
{
	(void)a;
	(void)bf;
	record_event(lp, m->from, m->sent, m->type);
}

static double waiting;

static void final(airport *a, tw_lp *lp)
{
	(void)lp;
	waiting += a->waiting / a->landings / AIRPORTS;
}

static tw_lptype type = { (init_f)init, NULL, (event_f)event, (revent_f)reverse, (commit_f)commit, (final_f)final, NULL, sizeof(airport) };

static void state(FILE *to, tw_lp *lp)
{
	const airport *a = lp->cur_state;

	fprintf(to, "landings=%d on_ground=%d waiting=%.17g furthest=%.17g", a->landings, a->ground, a->waiting, a->far);
}

int main(int argc, char **argv)
{
	tw_opt_add(options);
	tw_opt_add(record_options);
	tw_init(&argc, &argv);
	g_tw_lookahead = lookahead;
	g_tw_events_per_pe = planes * AIRPORTS + memory;
	tw_define_lps(record_share(AIRPORTS), sizeof(message));
	for (tw_lpid i = 0; i < g_tw_nlp; i++)
		tw_lp_settype(i, &type);
	record_begin();
	tw_run();
	waiting = record_sum(waiting);
	if (tw_ismaster())
		printf("\nAirport Model Statistics:\n\tAverage waiting time %.4f\n\tNumber of planes %u\n", waiting, planes * AIRPORTS);
	record_finish(state);
	tw_end();
	return 0;
}
