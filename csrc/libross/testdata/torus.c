/* Nodes in a torus of 4 x 2 x 2 x 2 x 2 that route chunks of packets, and a process at each that sends them: the
 * events of the model torus of ROSS with uniform traffic. Nodes have the ids 0 to 63, their processes 64 to 127. */
#include <math.h>

#include "record.h"

enum { DIMS = 5, PORTS = 2 * DIMS, NODES = 64, CHUNKS = 16 };
enum { GENERATE = 1, ARRIVE, SEND, CREDIT = 5, MPI_OUT = 7, MPI_IN };
enum { UNROUTED = -1 };

static const int size[DIMS] = { 4, 2, 2, 2, 2 };
static const double interval = 200;
static const int limit = 100; /* packets of a process */
static double head, credit_time, credit_mean;

typedef struct node {
	double link[PORTS], credit[PORTS]; /* when the link is free; when the last credit has been sent */
	int busy[PORTS];                   /* chunks without credit */
	int generated;
} node;

typedef struct process {
	double avail, travel, most;
	long finished, hops;
	int count;
} process;

typedef struct message {
	double sent, start;
	tw_lpid from;
	int type, dst, port, chunk, hop;
	/* what the event changes */
	double was[2];
	int was_port;
} message;

static unsigned int mem_factor;
static const tw_optdef options[] = {
	TWOPT_GROUP("Torus Model"),
	TWOPT_UINT("mem_factor", mem_factor, "without effect"),
	TWOPT_END(),
};

/* send makes an event like another one; its fields differ as the arguments say. */
static void send(tw_lp *lp, tw_lpid to, double delay, int type, const message *like, int port, int chunk, int hop)
{
	tw_event *e = tw_event_new(to, delay, lp);
	message *m = tw_event_data(e);

	m->type = type;
	m->from = lp->gid;
	m->sent = tw_now(lp);
	m->start = like->start;
	m->dst = like->dst;
	m->port = port;
	m->chunk = chunk;
	m->hop = hop;
	tw_event_send(e);
}

static double local(tw_lp *lp)
{
	return 0.1 + tw_rand_exponential(lp->rng, interval / 200);
}

/* route returns the port of a node on the way to another: 2d down and 2d+1 up in dimension d. */
static int route(int from, int to)
{
	for (int d = 0; d < DIMS; d++) {
		int way = from % size[d] - to % size[d], half = size[d] / 2;

		if (way != 0)
			return way > half || (way < 0 && way >= -half) ? 2 * d + 1 : 2 * d;
		from /= size[d];
		to /= size[d];
	}
	tw_error(TW_LOC, "a node sends to itself");
}

static int neighbour(int from, int port)
{
	int step = 1, d = port / 2, at;

	for (int i = 0; i < d; i++)
		step *= size[i];
	at = from / step % size[d];
	return from + ((at + (port % 2 ? 1 : size[d] - 1)) % size[d] - at) * step;
}

static void node_event(node *n, tw_bf *bf, message *m, tw_lp *lp)
{
	double now = tw_now(lp), ts;
	int k;

	(void)bf;
	switch (m->type) {
	case GENERATE:
		k = route((int)lp->gid, m->dst);
		for (int i = 0; i < CHUNKS; i++)
			send(lp, lp->gid, local(lp), SEND, m, k, i, 0);
		break;
	case SEND:
		k = m->was_port = m->port == UNROUTED ? route((int)lp->gid, m->dst) : m->port;
		if (n->busy[k] == CHUNKS * 512)
			tw_error(TW_LOC, "port %d of node %d is full", k, (int)lp->gid);
		ts = tw_rand_exponential(lp->rng, head / 200) + head;
		m->was[0] = n->link[k];
		n->link[k] = fmax(n->link[k], now) + ts;
		send(lp, (tw_lpid)neighbour((int)lp->gid, k), n->link[k] - now, ARRIVE, m, k, m->chunk, m->hop);
		n->busy[k]++;
		n->generated += m->chunk == CHUNKS - 1 && m->hop == 0;
		break;
	case ARRIVE:
		k = m->port;
		m->was[0] = n->credit[k];
		ts = credit_time + tw_rand_exponential(lp->rng, credit_mean);
		n->credit[k] = fmax(n->credit[k], now) + ts;
		send(lp, m->from, n->credit[k] - now, CREDIT, m, k, 0, 0);
		ts = local(lp);
		if (m->dst != (int)lp->gid)
			send(lp, lp->gid, ts, SEND, m, UNROUTED, m->chunk, m->hop + 1);
		else if (m->chunk == CHUNKS - 1)
			send(lp, lp->gid + NODES, ts, MPI_IN, m, 0, 0, m->hop + 1);
		break;
	case CREDIT:
		n->busy[m->port]--;
		break;
	}
}

static void node_reverse(node *n, tw_bf *bf, message *m, tw_lp *lp)
{
	(void)bf;
	switch (m->type) {
	case GENERATE:
		for (int i = 0; i < CHUNKS; i++)
			tw_rand_reverse_unif(lp->rng);
		break;
	case SEND:
		tw_rand_reverse_unif(lp->rng);
		n->link[m->was_port] = m->was[0];
		n->busy[m->was_port]--;
		n->generated -= m->chunk == CHUNKS - 1 && m->hop == 0;
		break;
	case ARRIVE:
		tw_rand_reverse_unif(lp->rng);
		tw_rand_reverse_unif(lp->rng);
		n->credit[m->port] = m->was[0];
		break;
	case CREDIT:
		n->busy[m->port]++;
		break;
	}
}

static void process_init(process *p, tw_lp *lp)
{
	(void)p;
	send(lp, lp->gid, tw_rand_exponential(lp->rng, interval), MPI_OUT, &(message){ 0 }, 0, 0, 0);
}

static void process_event(process *p, tw_bf *bf, message *m, tw_lp *lp)
{
	double now = tw_now(lp), ts;
	message packet = { 0 };

	if (m->type == MPI_IN) {
		double time = now - m->start;

		m->was[0] = p->travel;
		m->was[1] = p->most;
		p->finished++;
		p->hops += m->hop;
		p->travel += time;
		p->most = fmax(p->most, time);
		return;
	}
	if (p->count >= limit)
		return;
	bf->c4 = 1;
	m->was[0] = p->avail;
	packet.dst = (int)tw_rand_integer(lp->rng, NODES, 2 * NODES - 1) - NODES;
	if (packet.dst == (int)lp->gid - NODES)
		packet.dst = (packet.dst + NODES / 2) % NODES;
	ts = local(lp);
	p->avail = fmax(p->avail, now) + ts;
	packet.start = now + ts;
	send(lp, lp->gid - NODES, p->avail - now, GENERATE, &packet, 0, 0, 0);
	p->count++;
	send(lp, lp->gid, 0.1 + tw_rand_exponential(lp->rng, interval), MPI_OUT, &packet, 0, 0, 0);
}

static void process_reverse(process *p, tw_bf *bf, message *m, tw_lp *lp)
{
	if (m->type == MPI_IN) {
		p->finished--;
		p->hops -= m->hop;
		p->travel = m->was[0];
		p->most = m->was[1];
	} else if (bf->c4) {
		for (int i = 0; i < 3; i++)
			tw_rand_reverse_unif(lp->rng);
		p->avail = m->was[0];
		p->count--;
	}
}

static void commit(void *sv, tw_bf *bf, message *m, tw_lp *lp)
{
	(void)sv;
	(void)bf;
	record_event(lp, m->from, m->sent, m->type);
}

static process all;
static int generated;

static void node_final(node *n, tw_lp *lp)
{
	(void)lp;
	generated += n->generated;
}

static void process_final(process *p, tw_lp *lp)
{
	(void)lp;
	all.finished += p->finished;
	all.hops += p->hops;
	all.travel += p->travel;
	all.most = fmax(all.most, p->most);
}

static tw_lptype node_type = { NULL, NULL, (event_f)node_event, (revent_f)node_reverse, (commit_f)commit, (final_f)node_final, NULL,
	sizeof(node) };
static tw_lptype process_type = { (init_f)process_init, NULL, (event_f)process_event, (revent_f)process_reverse, (commit_f)commit,
	(final_f)process_final, NULL, sizeof(process) };

/* map is a mapping of the model's own: a process is in the KP of its node. Nodes of the torus that are one behind the other
 * are on one node of the run. */
static void map(void)
{
	tw_lpid n = g_tw_nlp / 2, first = NODES * g_tw_mynode / tw_nnodes();

	for (tw_kpid k = 0; k < g_tw_nkp; k++)
		tw_kp_onpe(k, g_tw_pe);
	for (tw_lpid i = 0; i < g_tw_nlp; i++) {
		tw_lp_onpe(i, g_tw_pe, i < n ? first + i : NODES + first + i - n);
		tw_lp_onkp(tw_getlp(i), tw_getkp(i % n % g_tw_nkp));
	}
}

static void show(FILE *to, tw_lp *lp)
{
	if (lp->type == &process_type) {
		const process *p = lp->cur_state;

		fprintf(to, "mpi count=%d avail=%.17g", p->count, p->avail);
		return;
	}
	fprintf(to, "node wait=0");
	for (int k = 0; k < PORTS; k++) {
		const node *n = lp->cur_state;

		fprintf(to, " %d:%.17g:%.17g", n->busy[k], n->link[k], n->credit[k]);
	}
}

/* sum_up adds up what the nodes of the run have. */
static void sum_up(void)
{
	double most = all.most;

	all.finished = (long)record_sum((double)all.finished);
	all.hops = (long)record_sum((double)all.hops);
	all.travel = record_sum(all.travel);
	generated = (int)record_sum(generated);
	MPI_Reduce(&most, &all.most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_ROSS);
}

int main(int argc, char **argv)
{
	double per_byte = 1 / (2.0 * 10 / PORTS);

	head = (float)(per_byte * 32);
	credit_time = (float)(per_byte * 8);
	credit_mean = (float)(credit_time / 1000);
	tw_opt_add(options);
	tw_opt_add(record_options);
	tw_init(&argc, &argv);
	g_tw_mapping = CUSTOM;
	g_tw_custom_initial_mapping = map;
	g_tw_lookahead = 0.1;
	tw_define_lps(2 * record_share(NODES), sizeof(message));
	for (tw_lpid i = 0; i < g_tw_nlp; i++)
		tw_lp_settype(i, g_tw_lp[i]->gid < NODES ? &node_type : &process_type);
	record_begin();
	tw_run();
	sum_up();
	printf("\n ****************** \n total packets finished:         %ld and %ld; \n", all.finished, all.finished);
	printf(" total MPI messages finished:         %ld; \n total generate:       %d; \n", all.finished, generated);
	printf(" total hops:           %f; \n average travel time:  %f; \nMax latency is %f\n", (double)all.hops / (double)all.finished,
		all.travel / (double)all.finished, all.most);
	record_finish(show);
	tw_end();
	return 0;
}
