/* Does one thing wrong, in the event handler of LP 2 after time 2: what --fault says. */
#include <ross.h>

#include <string.h>

typedef struct state {
	int *nowhere;
	volatile int depth;
} state;

static unsigned int fault;
static int counter = 7;

enum { NONE, STATIC, POINTER, STACK, ABORT, ERROR, DESTINATION, DELAY, PRIORITY, SENDER, UNSENT, KEPT, TWICE, LONG };

static const tw_optdef options[] = { TWOPT_GROUP("faulty"), TWOPT_UINT("fault", fault, "what goes wrong"), TWOPT_END() };

static void init(void *sv, tw_lp *lp)
{
	(void)sv;
	counter++; /* LPs are initialised one after the other */
	tw_event_send(tw_event_new(lp->gid, 1, lp));
}

static int deep(state *s)
{
	volatile char much[4096];

	much[s->depth] = 1; /* a compiler that sees which byte is used may leave out the others */
	return s->depth++ < 1000 ? deep(s) + much[0] : 0;
}

static void event(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	state *s = sv;

	(void)bf;
	(void)msg;
	if (lp->gid == 2 && tw_now(lp) > 2)
		switch (fault) {
		case STATIC:
			counter++;
			break;
		case POINTER:
			*s->nowhere = 1;
			break;
		case STACK:
			deep(s);
			break;
		case ABORT:
			abort();
		case ERROR:
			tw_error(TW_LOC, "LP %d gives up", 2);
		case DESTINATION:
			tw_event_send(tw_event_new(99, 1, lp));
			break;
		case DELAY:
			tw_event_send(tw_event_new(lp->gid, -1, lp));
			break;
		case PRIORITY:
			tw_event_send(tw_event_new_user_prio(lp->gid, 1, lp, 3));
			break;
		case SENDER:
			tw_event_send(tw_event_new(lp->gid, 1, tw_getlp(3)));
			break;
		case KEPT:
			s->depth++; /* reverse does not undo it */
			break;
		case UNSENT:
			tw_event_new(lp->gid, 1, lp);
			break;
		case TWICE: {
			tw_event *e = tw_event_new(lp->gid, 1, lp);

			tw_event_send(e);
			tw_event_send(e);
			break;
		}
		case LONG: {
			tw_event *e = tw_event_new(lp->gid, 1, lp);

			memset(tw_event_data(e), 1, g_tw_msg_sz + 1);
			tw_event_send(e);
			break;
		}
		}
	tw_event_send(tw_event_new(lp->gid, 1, lp));
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
	(void)sv;
	(void)bf;
	(void)msg;
	(void)lp;
}

static tw_lptype type = { init, NULL, event, reverse, NULL, NULL, NULL, sizeof(state) };

int main(int argc, char **argv)
{
	tw_opt_add(options);
	tw_init(&argc, &argv);
	tw_define_lps(8, 8);
	for (tw_lpid i = 0; i < g_tw_nlp; i++)
		tw_lp_settype(i, &type);
	tw_run();
	printf("counter %d, left %d %s\n", counter, argc, argv[argc - 1]);
	tw_end();
	return 0;
}
