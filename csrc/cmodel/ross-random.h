/* Random numbers. All streams are those of ROSS: the same seeds give the same numbers, in Go and in C. */
#ifndef ROSS_RANDOM_H
#define ROSS_RANDOM_H

#include "ross-types.h"

ROSS_BEGIN

/* A stream. Its fields are those of rng.Stream, package rng. */
struct tw_rng_stream {
	int32_t Cg[4];          /* components */
	uint64_t count;         /* draws made, less those undone */
	double ross_spare;      /* a normal value that was drawn with another one */
	uint64_t ross_spare_at; /* count just after that */
	uint64_t ross_more;     /* whether there is one; whether the stream was set */
};

#define tw_opi 6.28318530718

double tw_rand_unif(tw_rng_stream *g);         /* in [0, 1] */
double tw_rand_reverse_unif(tw_rng_stream *g); /* undoes the last draw */
long tw_rand_integer(tw_rng_stream *g, long low, long high);
unsigned long tw_rand_ulong(tw_rng_stream *g, unsigned long low, unsigned long high);
double tw_rand_exponential(tw_rng_stream *g, double mean);
long tw_rand_binomial(tw_rng_stream *g, long n, double p);
double tw_rand_pareto(tw_rng_stream *g, double shape, double scale);
double tw_rand_gamma(tw_rng_stream *g, double shape, double scale);
long tw_rand_geometric(tw_rng_stream *g, double p);
long tw_rand_poisson(tw_rng_stream *g, double lambda);
double tw_rand_weibull(tw_rng_stream *g, double mean, double shape);

/* These set *calls to the number of draws that they make, 2 or 0. */
double tw_rand_normal01(tw_rng_stream *g, unsigned int *calls);
double tw_rand_normal_sd(tw_rng_stream *g, double mu, double sd, unsigned int *calls);
double tw_rand_lognormal(tw_rng_stream *g, double mean, double sd, unsigned int *calls);

/* Makes *g the stream with an id, for streams of the model's own. The last argument has no effect. */
void tw_rand_initial_seed(tw_rng_stream *g, tw_lpid id, tw_rng *unused);

/* Former names, and the state of a stream: its four components. */
double rng_gen_val(tw_rng_stream *g);
double rng_gen_reverse_val(tw_rng_stream *g);
void rng_get_state(tw_rng_stream *g, uint32_t *components);
void rng_write_state(tw_rng_stream *g, FILE *to);

ROSS_END

#endif
