/* Uses what no other model here uses, on two LPs. It prints what is wrong, and otherwise what the test compares. */
#include <ross.h>

typedef struct state {
	tw_stat events;
	tw_event_sig last;
} state;

typedef struct message {
	tw_peid from;
} message;

#define IS(what) ((what) ? (void)0 : (void)printf("line %d: %s\n", __LINE__, #what))

static unsigned long one;
static unsigned long long two;
static unsigned int stages;
static const tw_optdef options[] = {
	TWOPT_GROUP("names"),
	TWOPT_ULONG("one", one, "a number"),
	TWOPT_ULONGLONG("two", two, "another one"),
	TWOPT_END(),
};

static void before_lps(tw_pe *pe)
{
	IS(pe->id == 0);
	stages += 1;
}

static void after_run(tw_pe *pe)
{
	IS(pe->id == 0);
	stages += 10;
}

static const tw_petype pe_type = { before_lps, NULL, NULL, after_run };

static void trace(void *msg, tw_lp *lp, char *buffer, int *collect)
{
	(void)msg;
	(void)collect;
	buffer[0] = (char)lp->gid;
}

/* Samples at virtual times have the size that init sets. */
enum { SAMPLE = 300 };

static void sample(void *sv, tw_bf *bf, tw_lp *lp, void *buffer)
{
	(void)sv;
	(void)bf;
	memset(buffer, (int)lp->gid + 1, SAMPLE);
}

static void unsample(void *sv, tw_bf *bf, tw_lp *lp, void *buffer)
{
	(void)sv;
	(void)bf;
	for (size_t i = 0; i < SAMPLE; i++)
		IS(((char *)buffer)[i] == (char)lp->gid + 1);
}

static st_model_types of_type = { .ev_trace = trace, .ev_sz = 1, .sample_event_fn = sample, .sample_revent_fn = unsample };

static void init(void *sv, tw_lp *lp)
{
	tw_event *e = tw_event_new(lp->gid, 1, lp);

	(void)sv;
	IS(lp->model_types == &of_type && lp->type->state_sz == sizeof(state));
	IS(e->dest_lpid == lp->gid);
	tw_rand_init_streams(lp, 1, 1);
	tw_event_send(e);
	if (g_st_use_analysis_lps)
		lp->model_types->sample_struct_sz = SAMPLE;
}

static void event(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	state *s = sv;
	tw_event_sig now = tw_now_sig(lp);

	(void)bf;
	(void)msg;
	IS(lp->pe->id == 0 && lp->id == lp->gid);
	IS(!s->events || tw_event_sig_compare_ptr(&s->last, &now) < 0);
	IS(tw_event_sig_compare_ptr(&now, &now) == 0);
	s->last = now;
	s->events++;
	tw_event_send(tw_event_new(lp->gid, 1, lp));
}

static void final(void *sv, tw_lp *lp)
{
	uint32_t components[4];
	unsigned char bytes[18];

	rng_get_state(lp->rng, components);
	printf("%llu %u", ((state *)sv)->events, components[0]);
	tw_printf(TW_LOC, " of %d\n", (int)lp->gid);
	rng_write_state(lp->rng, stdout);
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (unsigned char)(i * 15);
	if (lp->gid == 1)
		tw_fprint_binary_array(stdout, "> ", bytes, sizeof bytes);
}

static tw_lptype types[] = { { init, NULL, event, NULL, NULL, final, NULL, sizeof(state) } };

static tw_lp *local(tw_lpid gid) { return tw_getlocal_lp(gid); }

int main(int argc, char **argv)
{
	int32_t seeds[4] = { 1, 2, 3, 4 };
	tw_clock before = tw_clock_read();
	tw_kp *kp;
	tw_rng_stream first;

	tw_opt_add(options);
	g_tw_rng_seed = seeds;
	g_tw_rng_default = 0;
	g_tw_mblock = 8;
	g_tw_gvt_interval = 4;
	tw_init(&argc, &argv);
	IS(one == 4000000000 && two == 18446744073709551615u);
	IS(g_tw_synchronization_protocol == SEQUENTIAL && g_tw_mblock == 8 && g_tw_gvt_interval == 4);
	IS(g_st_ev_trace == 3 && !g_st_model_stats == !g_st_use_analysis_lps && USE_RAND_TIEBREAKER);
	IS(tw_nnodes() == 1 && g_tw_masternode == g_tw_mynode && g_tw_clock_rate > 0);
	g_tw_custom_lp_global_to_local_map = local;
	tw_pe_settype(&pe_type);
	tw_define_lps(2, sizeof(message));
	IS(g_tw_msg_sz == sizeof(message) && g_tw_lp_offset == 0);
	kp = g_tw_kp[0];
	IS(kp->id == 0 && kp->lp_count >= 1);
	for (tw_lpid i = 0; i < g_tw_nlp; i++) {
		tw_lp_settype(i, &types[0]);
		st_model_settype(i, &of_type);
		IS(tw_getlocal_lp(i) == tw_getlp(i));
	}
	tw_warning(TW_LOC, "%s", "what a warning says");
	for (int i = 0; i < 1000; i++) /* before the run, and undone */
		tw_rand_unif(g_tw_lp[0]->rng);
	IS(g_tw_lp[0]->rng->count == 1000);
	for (int i = 0; i < 1000; i++)
		tw_rand_reverse_unif(g_tw_lp[0]->rng);
	tw_rand_initial_seed(&first, 0, NULL);
	IS(g_tw_lp[0]->rng->count == 0 && !memcmp(g_tw_lp[0]->rng->Cg, first.Cg, sizeof first.Cg));
	tw_rand_integer(g_tw_lp[1]->rng, 1, 6);
	tw_run();
	IS(tw_clock_read() > before && g_tw_gvt_done == 0);
	printf("stages %u\n", stages);
	tw_end();
	return 0;
}
