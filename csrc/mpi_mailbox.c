//go:build mpi && cgo && !purego

/* Mailboxes: messages of words between threads of ranks, without any call that waits,
 * and with as few MPI calls as possible.
 *
 * A message is a header of one word (header_of) and the words of the caller. If it is longer
 * than a buffer, its header announces it alone, and its words follow on the bulk
 * communicator, for which the receiver posts a receive of that length. So buffers
 * need no room for the longest message, and the order is kept.
 *
 * Receiving. A ring of persistent receives is posted ahead, for any source. MPI
 * matches messages with them in the order in which they were posted, so handing them
 * over in ring order keeps the order of every sender. The oldest shows whether
 * anything has arrived: an empty poll is one MPI_Test. (Open MPI's MPI_Testsome does
 * not check again after it has made progress, and so would be a poll late.) Only if
 * the oldest has arrived, one MPI_Testsome checks the next WINDOW. Receives that were
 * handed over are posted again in blocks of AGAIN.
 *
 *	 first      seen                        posted
 *	   | here     | not here, or out of order |  handed over, valid until the next poll
 *	+---+---+---+---+---+---+---+---+---+---+---+---+---+
 *
 * Sending. Buffers come from a pool, and return when MPI has finished with them. This
 * is checked only when the pool is empty, a pace is exhausted, or a long message is
 * to be sent. The caller may have one of them to fill.
 *
 * Pace. MPI accepts short messages even if the receiver does not poll, and keeps them
 * in its memory. So one of PACE messages to a mailbox is synchronous, that is,
 * complete when it is received. When OPEN of these are incomplete, there is no room:
 * at most PACE * OPEN messages of a sender wait outside the ring.
 *
 * Threads. A mailbox and everything it points to, including paces, is written by one
 * thread, and shares no cache line with another. It reads communicators of the world. */
#include "mpi_mailbox.h"

#include "mpi_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
	WINDOW = 8, /* receives that one MPI_Testsome checks: more make it slower */
	AGAIN = 8,  /* receives that are posted again at once; divides RECEIVES */
	PAGE = 64,  /* ranks of a page of paces */
	LINE = 64   /* bytes of a cache line */
};

typedef struct pace {
	uint32_t count; /* messages sent there */
	uint32_t open;  /* synchronous ones not received yet */
} pace;

/* What MPI sends and receives: words[0] is the header, cap words follow. */
typedef struct buffer {
	uint64_t *words;
	uint64_t cap;
} buffer;

typedef struct outgoing {
	buffer b;
	pace *waits;  /* 0: not synchronous */
	int requests; /* not complete */
} outgoing;

typedef struct incoming {
	buffer small, large;
	MPI_Request bulk; /* null unless words are to follow */
	int here;         /* complete, and not handed over */
	ross_mpi_arrival arrival;
} incoming;

typedef struct box {
	ross_mpi_mailbox head;
	ross_mpi_world_all *world;
	int self;
	uint64_t first, seen, posted;            /* the ring: counters modulo RECEIVES */
	MPI_Request receives[ROSS_MPI_RECEIVES]; /* persistent */
	incoming in[ROSS_MPI_RECEIVES];
	outgoing out[ROSS_MPI_SENDS];
	outgoing *idle[ROSS_MPI_SENDS]; /* head.free of them */
	outgoing *filling;              /* that of head.buffer */
	int nopen;                      /* requests of outgoing messages, and their owners */
	MPI_Request open[2 * ROSS_MPI_SENDS];
	outgoing *owner[2 * ROSS_MPI_SENDS];
	pace **paces[ROSS_MPI_MAILBOXES]; /* for each mailbox that was sent to, pages of ranks */
} box;

/* pages_of returns the number of pages that hold the paces of all ranks. */
static size_t pages_of(const box *m) { return ((size_t)m->world->head.size + PAGE - 1) / PAGE; }

static box *box_of(ross_mpi_mailbox *m) { return (box *)(void *)m; }

#define FAILED(b, ...) ROSS_MPI_FAILED(&(b)->head, __VA_ARGS__)

static uint64_t header_of(uint64_t n, int sender, int announced)
{
	return n << 16 | (uint64_t)sender << 1 | (uint64_t)announced;
}

/* lines returns whole cache lines. */
static void *lines(size_t bytes) { return aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE); }

/* reserve makes room for n words; the contents are lost. */
static int reserve(box *m, buffer *b, uint64_t n)
{
	uint64_t cap = ROSS_MPI_WORDS;

	if (n <= b->cap)
		return 1;
	while (cap < n)
		cap *= 2;
	free(b->words);
	b->words = lines((cap + 1) * sizeof *b->words);
	b->cap = b->words ? cap : 0;
	return b->words || !ross_mpi_failed(&m->head.fault, ROSS_MPI_NO_MEMORY, "aligned_alloc");
}

/* post_receives posts n receives, from counter posted on. */
static int post_receives(box *m, uint64_t n)
{
	while (n > 0) {
		uint64_t at = m->posted % ROSS_MPI_RECEIVES, left = ROSS_MPI_RECEIVES - at;
		uint64_t part = n < left ? n : left;
		if (FAILED(m, MPI_Startall, (int)part, &m->receives[at]))
			return 0;
		m->posted += part;
		n -= part;
	}
	return 1;
}

static void setup(box *m)
{
	ross_mpi_mailbox *head = &m->head;
	MPI_Comm *messages = &m->world->messages[m->self];

	for (int i = 0; i < ROSS_MPI_SENDS; i++)
		m->idle[head->free++] = &m->out[i];
	for (int i = 0; i < ROSS_MPI_RECEIVES; i++)
		m->receives[i] = m->in[i].bulk = MPI_REQUEST_NULL;
	if (!ross_mpi_dup(&head->fault, &head->calls, m->world->comm, messages) ||
	    !ross_mpi_dup(&head->fault, &head->calls, m->world->comm, &m->world->bulk[m->self]))
		return;
	for (int i = 0; i < ROSS_MPI_RECEIVES; i++)
		if (!reserve(m, &m->in[i].small, ROSS_MPI_WORDS) ||
		    FAILED(m, MPI_Recv_init, m->in[i].small.words, ROSS_MPI_WORDS + 1, MPI_UINT64_T, MPI_ANY_SOURCE,
		           MPI_ANY_TAG, *messages, &m->receives[i]))
			return;
	post_receives(m, ROSS_MPI_RECEIVES);
}

ross_mpi_mailbox *ross_mpi_mailbox_new(ross_mpi_world *w, int i)
{
	box *m = lines(sizeof *m);

	if (!m)
		return 0;
	memset(m, 0, sizeof *m);
	m->world = ross_mpi_all(w);
	m->self = i;
	setup(m);
	return &m->head;
}

/* cancel ends a receive that is under way. */
static void cancel(box *m, MPI_Request *r)
{
	(void)FAILED(m, MPI_Cancel, r);
	(void)FAILED(m, MPI_Wait, r, MPI_STATUS_IGNORE);
}

/* done records that a send request is complete. */
static void done(box *m, outgoing *o)
{
	if (--o->requests)
		return;
	if (o->waits)
		o->waits->open--;
	m->idle[m->head.free++] = o;
}

/* reclaim checks which sends are complete. */
static int reclaim(box *m)
{
	int index[2 * ROSS_MPI_SENDS], n, left = 0;

	if (!m->nopen)
		return 1;
	if (FAILED(m, MPI_Testsome, m->nopen, m->open, &n, index, MPI_STATUSES_IGNORE))
		return 0;
	if (n <= 0)
		return 1;
	for (int i = 0; i < n; i++)
		done(m, m->owner[index[i]]);
	for (int i = 0; i < m->nopen; i++)
		if (m->open[i] != MPI_REQUEST_NULL) {
			m->open[left] = m->open[i];
			m->owner[left++] = m->owner[i];
		}
	m->nopen = left;
	return 1;
}

/* When a mailbox is freed, receives under way are cancelled; sends under way, with
 * their buffers, are left to MPI. */
ross_mpi_mailbox ross_mpi_mailbox_free(ross_mpi_mailbox *head)
{
	box *m = box_of(head);

	for (uint64_t i = m->first; i < m->posted; i++)
		if (!m->in[i % ROSS_MPI_RECEIVES].here)
			cancel(m, &m->receives[i % ROSS_MPI_RECEIVES]);
	for (int i = 0; i < ROSS_MPI_RECEIVES; i++) {
		incoming *in = &m->in[i];
		if (in->bulk != MPI_REQUEST_NULL)
			cancel(m, &in->bulk);
		if (m->receives[i] != MPI_REQUEST_NULL)
			(void)FAILED(m, MPI_Request_free, &m->receives[i]);
		free(in->small.words);
		free(in->large.words);
	}
	reclaim(m);
	for (int i = 0; i < m->nopen; i++)
		(void)FAILED(m, MPI_Request_free, &m->open[i]);
	for (int i = 0; i < ROSS_MPI_SENDS; i++)
		if (!m->out[i].requests)
			free(m->out[i].b.words);
	for (int i = 0; i < ROSS_MPI_MAILBOXES; i++) {
		for (size_t page = 0; m->paces[i] && page < pages_of(m); page++)
			free(m->paces[i][page]);
		free(m->paces[i]);
	}
	ross_mpi_mailbox left = *head;
	free(m);
	return left;
}

/* zeroed returns whole cache lines of zeros. */
static void *zeroed(box *m, size_t bytes)
{
	void *p = lines(bytes);

	if (!p)
		ross_mpi_failed(&m->head.fault, ROSS_MPI_NO_MEMORY, "aligned_alloc");
	else
		memset(p, 0, bytes);
	return p;
}

/* pace_of returns the pace of a mailbox. Only pages with a rank that was sent to exist. */
static pace *pace_of(box *m, int rank, int mailbox)
{
	pace ***table = &m->paces[mailbox];

	if (!*table)
		*table = zeroed(m, pages_of(m) * sizeof **table);
	if (!*table)
		return 0;
	pace **page = &(*table)[rank / PAGE];
	if (!*page)
		*page = zeroed(m, PAGE * sizeof **page);
	return *page ? &(*page)[rank % PAGE] : 0;
}

/* room reports whether a message can be sent: 1, 0, or -1 for a fault. have is 1 if it has
 * a buffer already. */
static int room(box *m, const pace *p, int have)
{
	if (!p)
		return -1;
	for (int again = 0;; again = 1) {
		if ((have || m->head.free) && p->open < ROSS_MPI_OPEN)
			return 1;
		if (again)
			return 0;
		if (!reclaim(m))
			return -1;
	}
}

int ross_mpi_room(ross_mpi_mailbox *m, int rank, int mailbox)
{
	return room(box_of(m), pace_of(box_of(m), rank, mailbox), 0);
}

int ross_mpi_idle(ross_mpi_mailbox *m)
{
	box *b = box_of(m);

	return reclaim(b) ? !b->nopen : -1;
}

/* start makes one request for o. */
static int start(box *m, outgoing *o, const uint64_t *words, uint64_t n, int rank, int tag, MPI_Comm comm)
{
	MPI_Request *r = &m->open[m->nopen];

	if (o->waits && !o->requests ? FAILED(m, MPI_Issend, words, (int)n, MPI_UINT64_T, rank, tag, comm, r)
	                             : FAILED(m, MPI_Isend, words, (int)n, MPI_UINT64_T, rank, tag, comm, r))
		return -1;
	m->owner[m->nopen++] = o;
	o->requests++;
	m->head.words_sent += n;
	return 1;
}

/* send sends the n words in o. */
static int send(box *m, outgoing *o, pace *p, uint64_t n, int rank, int mailbox)
{
	int announced = n > ROSS_MPI_WORDS;

	o->waits = ++p->count % ROSS_MPI_PACE ? 0 : p;
	if (o->waits)
		p->open++;
	m->head.sent++;
	o->b.words[0] = header_of(n, m->self, announced);
	int sent = start(m, o, o->b.words, announced ? 1 : n + 1, rank, 0, m->world->messages[mailbox]);
	return sent < 0 || !announced ? sent : start(m, o, o->b.words + 1, n, rank, m->self, m->world->bulk[mailbox]);
}

/* take takes an idle buffer for n words. There must be one; for a long message it
 * takes one that is long enough, if there is one. */
static outgoing *take(box *m, uint64_t n)
{
	uint64_t last = m->head.free - 1, i = last;

	if (n > ROSS_MPI_WORDS)
		while (i > 0 && m->idle[i]->b.cap < n)
			i--;
	outgoing *o = m->idle[i];
	if (!reserve(m, &o->b, n ? n : 1))
		return 0;
	m->idle[i] = m->idle[last];
	m->head.free = last;
	return o;
}

int ross_mpi_post(ross_mpi_mailbox *head, int rank, int mailbox, const uint64_t *words, int64_t length)
{
	box *m = box_of(head);
	uint64_t n = (uint64_t)length;
	pace *p = pace_of(m, rank, mailbox);

	if (n > ROSS_MPI_WORDS && !reclaim(m)) /* so that few buffers grow, and stay in the cache */
		return -1;
	int have = room(m, p, 0);
	if (have != 1)
		return have;
	outgoing *o = take(m, n);
	if (!o)
		return -1;
	if (n)
		memcpy(o->b.words + 1, words, n * sizeof *words);
	return send(m, o, p, n, rank, mailbox);
}

/* refill takes a buffer for the caller, if one is idle. */
static void refill(box *m)
{
	m->filling = m->head.free ? take(m, 0) : 0;
	m->head.buffer = m->filling ? m->filling->b.words + 1 : 0;
}

uint64_t *ross_mpi_buffer(ross_mpi_mailbox *head)
{
	box *m = box_of(head);

	if (!head->buffer && (head->free || reclaim(m)))
		refill(m);
	return head->buffer;
}

int ross_mpi_post_buffer(ross_mpi_mailbox *head, int rank, int mailbox, int64_t n)
{
	box *m = box_of(head);
	pace *p = pace_of(m, rank, mailbox);
	int have = room(m, p, 1);

	if (have != 1)
		return have;
	outgoing *o = m->filling;
	refill(m);
	return send(m, o, p, (uint64_t)n, rank, mailbox);
}

/* look records a message that has arrived in the ring. */
static void look(box *m, uint64_t at, const MPI_Status *status)
{
	incoming *in = &m->in[at];
	uint64_t header = in->small.words[0], n = header >> 16;
	int sender = (int)(header >> 1 & (ROSS_MPI_MAILBOXES - 1));

	in->here = 1;
	in->arrival = (ross_mpi_arrival){ in->small.words + 1, n, status->MPI_SOURCE, sender };
	m->head.words_received += n + 1;
}

/* fetch posts the receive of the words of a long message. */
static int fetch(box *m, incoming *in)
{
	uint64_t n = in->arrival.n;

	if (!reserve(m, &in->large, n))
		return 0;
	in->arrival.words = in->large.words + 1;
	return !FAILED(m, MPI_Irecv, in->arrival.words, (int)n, MPI_UINT64_T, in->arrival.rank, in->arrival.mailbox,
	               m->world->bulk[m->self], &in->bulk);
}

/* pass goes on to the oldest message that has not arrived. Only here it fetches the words of
 * long ones: MPI matches them with receives in the order in which these are posted, and short
 * messages may complete in another order (MPICH, if the first of two is synchronous). */
static int pass(box *m)
{
	for (; m->seen < m->posted && m->in[m->seen % ROSS_MPI_RECEIVES].here; m->seen++) {
		incoming *in = &m->in[m->seen % ROSS_MPI_RECEIVES];
		if ((in->small.words[0] & 1) && !fetch(m, in))
			return 0;
	}
	return 1;
}

/* look_on checks the receives after a complete one. They may complete out of order. */
static int look_on(box *m)
{
	int index[WINDOW], n, size;
	MPI_Status status[WINDOW];

	do {
		if (!pass(m))
			return 0;
		uint64_t at = m->seen % ROSS_MPI_RECEIVES, end = ROSS_MPI_RECEIVES - at, left = m->posted - m->seen;
		uint64_t most = left < end ? left : end;
		size = most < WINDOW ? (int)most : WINDOW;
		if (!size)
			return 1;
		if (FAILED(m, MPI_Testsome, size, &m->receives[at], &n, index, status))
			return 0;
		for (int i = 0; i < n; i++)
			look(m, at + (uint64_t)index[i], &status[i]);
	} while (n == size);
	return 1;
}

/* complete reports whether a request is complete: 1 yes, 0 no, -1 fault. */
static int complete(box *m, MPI_Request *r, MPI_Status *status)
{
	int flag;

	return FAILED(m, MPI_Test, r, &flag, status) ? -1 : flag;
}

/* collect looks for messages. It returns 1, or 0 for a fault. */
static int collect(box *m)
{
	MPI_Status status;

	if (m->seen == m->posted)
		return 1; /* all have arrived, and wait for the words of the first */
	uint64_t at = m->seen % ROSS_MPI_RECEIVES;
	int is = complete(m, &m->receives[at], &status);
	if (is != 1)
		return is == 0;
	look(m, at, &status);
	return look_on(m);
}

int ross_mpi_poll(ross_mpi_mailbox *head)
{
	box *m = box_of(head);
	uint64_t back = m->first + ROSS_MPI_RECEIVES - m->posted;
	int n = 0;

	if (back >= AGAIN && !post_receives(m, back / AGAIN * AGAIN))
		return -1;
	if (!collect(m) || !pass(m))
		return -1;
	for (; m->first < m->posted && m->in[m->first % ROSS_MPI_RECEIVES].here; m->first++) {
		incoming *in = &m->in[m->first % ROSS_MPI_RECEIVES];
		int is = in->bulk == MPI_REQUEST_NULL ? 1 : complete(m, &in->bulk, MPI_STATUS_IGNORE);
		if (is < 0)
			return -1;
		if (!is)
			break;
		in->here = 0;
		head->arrival[n++] = in->arrival;
	}
	head->received += (uint64_t)n;
	return n;
}
