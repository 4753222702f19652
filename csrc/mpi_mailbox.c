//go:build mpi && cgo && !purego

/* Mailboxes: messages of words between threads of ranks, without any call that
 * waits.
 *
 * Receiving. A ring of receives is posted ahead, for any source. MPI matches
 * messages with them in the order in which they were posted, so looking at the
 * oldest one tells whether anything has come in, and handing them over in ring
 * order keeps the order of every sender. An empty poll is one MPI_Test.
 *
 *	       head      seen                     posted = head - handed + RECEIVES
 *	 handed | ready   | not seen yet            |
 *	+---+---+---+-----+---+---+---+---+---+---+---+
 *
 * Sending. A message is copied into a buffer of the pool, which is free again
 * when MPI has done with it. One longer than a buffer of the receiver's ring is
 * announced by a message that has its length; its words follow on the bulk
 * communicator, for which the receiver posts a receive of that length.
 *
 * Pace. MPI takes short messages whether the receiver looks or not, and keeps
 * them in its memory. So one of PACE messages to a mailbox is synchronous, that is
 * complete when it is received, and when OPEN of them are not, there is no room:
 * PACE * OPEN messages of a sender wait beside the ring, at most. */
#include "mpi_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct pace {
	uint32_t count; /* messages sent there */
	uint32_t open;  /* synchronous ones not received yet */
} pace;

typedef struct buffer {
	uint64_t *words;
	uint64_t cap;
} buffer;

typedef struct outgoing {
	buffer b;
	uint64_t length; /* of the message, when it is announced */
	pace *waits;     /* 0: not synchronous */
	int requests;    /* not complete */
} outgoing;

typedef struct incoming {
	buffer small, large;
	MPI_Request request, bulk; /* bulk is null unless words are to follow */
	ross_mpi_arrival arrival;
} incoming;

typedef struct box {
	ross_mpi_mailbox head;
	ross_mpi_world_all *world;
	int self;
	uint64_t first, seen, handed; /* the ring: counters modulo RECEIVES; first is its head */
	incoming in[ROSS_MPI_RECEIVES];
	outgoing out[ROSS_MPI_SENDS];
	outgoing *idle[ROSS_MPI_SENDS]; /* head.free of them */
	int nopen;                      /* requests of what goes out, and whose they are */
	MPI_Request open[2 * ROSS_MPI_SENDS];
	outgoing *owner[2 * ROSS_MPI_SENDS];
	pace *paces[ROSS_MPI_MAILBOXES]; /* for each rank, when a mailbox is first sent to */
} box;

static box *box_of(ross_mpi_mailbox *m) { return (box *)(void *)m; }

/* FAILED makes a call of MPI, counts it, and notes its error. */
#define FAILED(b, call, ...) ((b)->head.calls++, ross_mpi_failed(&(b)->head.fault, call(__VA_ARGS__), #call))

/* reserve makes room for n words; what was there is lost. */
static int reserve(box *m, buffer *b, uint64_t n)
{
	uint64_t cap = ROSS_MPI_WORDS;

	if (n <= b->cap)
		return 1;
	while (cap < n)
		cap *= 2;
	free(b->words);
	b->words = malloc(cap * sizeof *b->words);
	b->cap = b->words ? cap : 0;
	return b->words || !ross_mpi_failed(&m->head.fault, ROSS_MPI_NO_MEMORY, "malloc");
}

static int receive(box *m, incoming *in)
{
	return !FAILED(m, MPI_Irecv, in->small.words, ROSS_MPI_WORDS, MPI_UINT64_T, MPI_ANY_SOURCE, MPI_ANY_TAG,
	               m->world->messages[m->self], &in->request);
}

static void setup(box *m)
{
	for (int i = 0; i < ROSS_MPI_SENDS; i++)
		m->idle[m->head.free++] = &m->out[i];
	for (int i = 0; i < ROSS_MPI_RECEIVES; i++)
		m->in[i].request = m->in[i].bulk = MPI_REQUEST_NULL;
	if (!ross_mpi_dup(&m->head.fault, m->world->comm, &m->world->messages[m->self]) ||
	    !ross_mpi_dup(&m->head.fault, m->world->comm, &m->world->bulk[m->self]))
		return;
	for (int i = 0; i < ROSS_MPI_RECEIVES; i++)
		if (!reserve(m, &m->in[i].small, ROSS_MPI_WORDS) || !receive(m, &m->in[i]))
			return;
}

ross_mpi_mailbox *ross_mpi_mailbox_new(ross_mpi_world *w, int i)
{
	box *m = calloc(1, sizeof *m);

	if (!m)
		return 0;
	m->world = ross_mpi_all(w);
	m->self = i;
	setup(m);
	return &m->head;
}

/* What is still under way when a mailbox goes is cancelled if it comes in, and
 * left to MPI, with its buffer, if it goes out. */
void ross_mpi_mailbox_free(ross_mpi_mailbox *head)
{
	box *m = box_of(head);

	for (int i = 0; i < ROSS_MPI_RECEIVES; i++) {
		MPI_Request *requests[] = { &m->in[i].request, &m->in[i].bulk };
		for (int k = 0; k < 2; k++)
			if (*requests[k] != MPI_REQUEST_NULL) {
				MPI_Cancel(requests[k]);
				MPI_Wait(requests[k], MPI_STATUS_IGNORE);
			}
		free(m->in[i].small.words);
		free(m->in[i].large.words);
	}
	for (int i = 0; i < m->nopen; i++)
		MPI_Request_free(&m->open[i]);
	for (int i = 0; i < ROSS_MPI_SENDS; i++)
		if (!m->out[i].requests)
			free(m->out[i].b.words);
	for (int i = 0; i < ROSS_MPI_MAILBOXES; i++)
		free(m->paces[i]);
	free(m);
}

/* done takes note that a request of what goes out is complete. */
static void done(box *m, outgoing *o)
{
	if (--o->requests)
		return;
	if (o->waits)
		o->waits->open--;
	m->idle[m->head.free++] = o;
}

/* reclaim finds out which sends are complete. */
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

static pace *pace_of(box *m, int rank, int mailbox)
{
	if (!m->paces[mailbox]) {
		m->paces[mailbox] = calloc((size_t)m->world->head.size, sizeof(pace));
		if (!m->paces[mailbox]) {
			ross_mpi_failed(&m->head.fault, ROSS_MPI_NO_MEMORY, "calloc");
			return 0;
		}
	}
	return &m->paces[mailbox][rank];
}

static int blocked(const box *m, const pace *p) { return !m->head.free || p->open == ROSS_MPI_OPEN; }

static int room(box *m, const pace *p)
{
	if (!p)
		return -1;
	if (blocked(m, p) && !reclaim(m))
		return -1;
	return !blocked(m, p);
}

int ross_mpi_room(ross_mpi_mailbox *m, int rank, int mailbox)
{
	return room(box_of(m), pace_of(box_of(m), rank, mailbox));
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

/* take finds an idle buffer, for a long message one that is long enough, if
 * there is one: MPI is done with the last ones first. */
static outgoing *take(box *m, uint64_t n)
{
	uint64_t last = --m->head.free, i = last;

	if (n > ROSS_MPI_WORDS)
		while (i > 0 && m->idle[i]->b.cap < n)
			i--;
	outgoing *o = m->idle[i];
	m->idle[i] = m->idle[last];
	return o;
}

int ross_mpi_post(ross_mpi_mailbox *head, int rank, int mailbox, const uint64_t *words, int64_t length)
{
	box *m = box_of(head);
	uint64_t n = (uint64_t)length;
	pace *p = pace_of(m, rank, mailbox);
	int have = room(m, p);

	if (have != 1)
		return have;
	outgoing *o = take(m, n);
	if (!reserve(m, &o->b, n)) {
		m->idle[head->free++] = o;
		return -1;
	}
	if (n)
		memcpy(o->b.words, words, n * sizeof *words);
	o->waits = ++p->count % ROSS_MPI_PACE ? 0 : p;
	if (o->waits)
		p->open++;
	head->sent++;
	MPI_Comm comm = m->world->messages[mailbox];
	if (n <= ROSS_MPI_WORDS)
		return start(m, o, o->b.words, n, rank, 2 * m->self, comm);
	o->length = n;
	if (start(m, o, &o->length, 1, rank, 2 * m->self + 1, comm) < 0)
		return -1;
	return start(m, o, o->b.words, n, rank, m->self, m->world->bulk[mailbox]);
}

/* look takes note of a message that has come into the ring, and asks for the
 * words of one that is announced. */
static int look(box *m, incoming *in, const MPI_Status *status)
{
	int n, tag = status->MPI_TAG;

	if (FAILED(m, MPI_Get_count, status, MPI_UINT64_T, &n))
		return 0;
	m->head.words_received += (uint64_t)n;
	in->arrival = (ross_mpi_arrival){ in->small.words, (uint64_t)n, status->MPI_SOURCE, tag / 2 };
	if (tag % 2 == 0)
		return 1;
	in->arrival.n = *in->small.words;
	if (!reserve(m, &in->large, in->arrival.n))
		return 0;
	in->arrival.words = in->large.words;
	m->head.words_received += in->arrival.n;
	return !FAILED(m, MPI_Irecv, in->large.words, (int)in->arrival.n, MPI_UINT64_T, in->arrival.rank,
	               in->arrival.mailbox, m->world->bulk[m->self], &in->bulk);
}

/* complete reports whether a request is: 1 yes, 0 no, -1 fault. */
static int complete(box *m, MPI_Request *r, MPI_Status *status)
{
	int flag;

	return FAILED(m, MPI_Test, r, &flag, status) ? -1 : flag;
}

int ross_mpi_poll(ross_mpi_mailbox *head)
{
	box *m = box_of(head);
	uint64_t posted = m->first + ROSS_MPI_RECEIVES;
	MPI_Status status;
	int ok = 1, n = 0;

	for (; m->handed; m->handed--)
		if (!receive(m, &m->in[(m->first - m->handed) % ROSS_MPI_RECEIVES]))
			return -1;
	if (!reclaim(m))
		return -1;
	for (; m->seen < posted; m->seen++) {
		incoming *in = &m->in[m->seen % ROSS_MPI_RECEIVES];
		ok = complete(m, &in->request, &status);
		if (ok == 1 && !look(m, in, &status))
			ok = -1;
		if (ok != 1)
			break;
	}
	for (; ok >= 0 && m->first < m->seen; m->first++) {
		incoming *in = &m->in[m->first % ROSS_MPI_RECEIVES];
		if (in->bulk != MPI_REQUEST_NULL && (ok = complete(m, &in->bulk, &status)) != 1)
			break;
		head->arrival[n++] = in->arrival;
	}
	m->handed = (uint64_t)n;
	head->received += (uint64_t)n;
	return ok < 0 ? -1 : n;
}
