/* A model of C++: states with a map, a vector and a text, which new allocates. With --wrong=1 the reverse handler
 * forgets a flag behind a pointer. */
extern "C" {
#include <ross.h>
}

#include <map>
#include <string>
#include <vector>

namespace {

struct Box {
	std::map<unsigned long, double> held;
	std::vector<double> stack;
	std::string text;
	bool *open;
};

struct State {
	unsigned long count;
	Box *box;
};

struct Message {
	int kind;
	unsigned long key;
	double value;
	bool was, pushed;
};

unsigned int wrong;
const unsigned int lps = 4;
const tw_optdef options[] = { TWOPT_GROUP("heap"), TWOPT_UINT("wrong", wrong, "what goes wrong"), TWOPT_END() };

void send(int kind, tw_lpid to, double delay, tw_lp *lp)
{
	tw_event *e = tw_event_new(to, delay, lp);

	static_cast<Message *>(tw_event_data(e))->kind = kind;
	tw_event_send(e);
}

void init(void *sv, tw_lp *lp)
{
	State *s = static_cast<State *>(sv);

	s->box = new Box();
	s->box->open = new bool[3]();
	s->box->stack.reserve(64);
	for (int i = 0; i < 3; i++) {
		send(0, lp->gid, 1 + tw_rand_unif(lp->rng), lp);
		send(1, lp->gid, 1 + tw_rand_unif(lp->rng), lp);
	}
}

void event(void *sv, tw_bf *, void *msg, tw_lp *lp)
{
	State *s = static_cast<State *>(sv);
	Message *m = static_cast<Message *>(msg);
	Box *b = s->box;
	double u = tw_rand_unif(lp->rng);
	bool &open = b->open[s->count % 3];

	m->pushed = false;
	m->key = 0;
	m->was = open;
	if (m->kind == 0) { /* something comes */
		m->key = 1 + static_cast<unsigned long>(u * 1e9);
		b->held.emplace(m->key, u);
		b->text += std::to_string(m->key).substr(0, 3); /* grows again and again */
		if (b->stack.size() < 64) {
			b->stack.push_back(u);
			m->pushed = true;
		}
		open = u < 0.5;
		send(0, lp->gid, 1 + u, lp);
	} else {
		if (!b->held.empty()) { /* the first goes */
			m->key = b->held.begin()->first;
			m->value = b->held.begin()->second;
			b->held.erase(b->held.begin());
		}
		send(1, open ? (lp->gid + 1) % lps : lp->gid, 1 + u, lp);
		open = false;
	}
	s->count++;
}

void reverse(void *sv, tw_bf *, void *msg, tw_lp *lp)
{
	State *s = static_cast<State *>(sv);
	Message *m = static_cast<Message *>(msg);
	Box *b = s->box;

	s->count--;
	if (m->kind == 0) {
		b->held.erase(m->key);
		b->text.resize(b->text.size() - std::min<size_t>(3, std::to_string(m->key).size()));
		if (m->pushed)
			b->stack.pop_back();
	} else if (m->key) {
		b->held.emplace(m->key, m->value);
	}
	if (wrong != 1)
		b->open[s->count % 3] = m->was;
	tw_rand_reverse_unif(lp->rng);
}

void final(void *sv, tw_lp *lp)
{
	State *s = static_cast<State *>(sv);

	printf("LP %llu: %lu events, %zu held, %zu characters\n", static_cast<unsigned long long>(lp->gid), s->count,
		s->box->held.size(), s->box->text.size());
	delete[] s->box->open;
	delete s->box;
}

tw_lptype type = { init, nullptr, event, reverse, nullptr, final, nullptr, sizeof(State) };

} // namespace

int main(int argc, char **argv)
{
	tw_opt_add(options);
	g_tw_ts_end = 100;
	tw_init(&argc, &argv);
	tw_define_lps(lps, sizeof(Message));
	for (tw_lpid i = 0; i < lps; i++)
		tw_lp_settype(i, &type);
	tw_run();
	tw_end();
}
