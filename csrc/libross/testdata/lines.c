/* Prints a line for each event and at the end of each LP: more than fits into the buffer of a stream. */
#include <ross.h>

static void init(void *sv, tw_lp *lp)
{
	(void)sv;
	tw_event_send(tw_event_new(lp->gid, 1, lp));
}

static void event(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	(void)sv;
	(void)bf;
	(void)msg;
	printf("LP %llu has handled an event\n", (unsigned long long)lp->gid);
	tw_event_send(tw_event_new(lp->gid, 1, lp));
}

static void final(void *sv, tw_lp *lp)
{
	(void)sv;
	printf("LP %llu has come to its end\n", (unsigned long long)lp->gid);
}

static tw_lptype types[] = {
	{ init, NULL, event, NULL, NULL, final, NULL, sizeof(int) },
	{ 0 },
};

int main(int argc, char **argv)
{
	tw_init(&argc, &argv);
	tw_define_lps(300, 8);
	for (tw_lpid i = 0; i < g_tw_nlp; i++)
		tw_lp_settype(i, &types[0]);
	tw_run();
	tw_end();
	return 0;
}
