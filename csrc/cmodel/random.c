//go:build cgo && linux

/* Random numbers: the streams of package rng, to the last bit. The compiler must not fuse products and sums: gcc
 * does not with -std=c11, and the pragma is for clang. */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#include <limits.h>
#include <math.h>

#include "libross.h"

static const uint64_t m[4] = { 2147483647, 2147483543, 2147483423, 2147483323 };
static const uint64_t a[4] = { 45991, 207707, 138556, 49689 };
static const uint64_t inverse[4] = { 1441196816, 1463744518, 499766181, 660421676 };
static const uint64_t far[4] = { 584425330, 1351201844, 1323813018, 28067816 }; /* a^(2^72) */

static const double w0 = 4.65661287524579692e-10, w1 = 4.65661310075985993e-10;
static const double w2 = 4.65661336096842131e-10, w3 = 4.65661357780891134e-10;

enum { HAS_SPARE = 1 };

/* mod returns x mod m[j] for x below 2^49. */
static inline uint64_t mod(uint64_t x, int j)
{
	uint64_t k = 2147483648u - m[j], y = (x & 2147483647) + (x >> 31) * k;

	return y >= m[j] ? y - m[j] : y;
}

/* combine returns the number that the components stand for: their alternating sum modulo 1. */
static inline double combine(const uint64_t s[4])
{
	double u = w0 * (double)(int64_t)s[0];

	u -= w1 * (double)(int64_t)s[1];
	if (u < 0)
		u += 1;
	u += w2 * (double)(int64_t)s[2];
	if (u >= 1)
		u -= 1;
	u -= w3 * (double)(int64_t)s[3];
	if (u < 0)
		u += 1;
	return u;
}

static inline int near_wrap(int64_t d)
{
	return (uint32_t)d * 2 + 2 * 1024 < 4 * 1024;
}

/* The sums of the components say which partial sums leave [0, 1), unless one is near a multiple of 2^31: package rng,
 * CLCG4.Unif, explains it. */
static inline double draw(tw_rng_stream *g)
{
	static const double unit[2] = { 0, 1 };
	uint64_t s[4];
	int64_t d1, d2, d3, n1, n2, n3;
	double u;

	for (int j = 0; j < 4; j++) {
		s[j] = mod((uint64_t)(uint32_t)g->Cg[j] * a[j], j);
		g->Cg[j] = (int32_t)s[j];
	}
	g->count++;
	d1 = (int64_t)(s[0] - s[1]);
	d2 = d1 + (int64_t)s[2];
	d3 = d2 - (int64_t)s[3];
	if (near_wrap(d1) || near_wrap(d2) || near_wrap(d3))
		return combine(s);
	n1 = d1 >> 31, n2 = d2 >> 31, n3 = d3 >> 31;
	u = w0 * (double)(int64_t)s[0];
	u -= w1 * (double)(int64_t)s[1];
	u += unit[-n1 & 1];
	u += w2 * (double)(int64_t)s[2];
	u -= unit[(n2 - n1) & 1];
	u -= w3 * (double)(int64_t)s[3];
	u += unit[(n2 - n3) & 1];
	return u;
}

double tw_rand_unif(tw_rng_stream *g) { return draw(g); }
double rng_gen_val(tw_rng_stream *g) { return draw(g); }

static void drop_spare(tw_rng_stream *g)
{
	g->ross_spare = 0;
	g->ross_spare_at = 0;
	g->ross_more &= ~(uint64_t)HAS_SPARE;
}

double tw_rand_reverse_unif(tw_rng_stream *g)
{
	uint64_t s[4];

	for (int j = 0; j < 4; j++) {
		s[j] = (uint32_t)g->Cg[j] * inverse[j] % m[j];
		g->Cg[j] = (int32_t)s[j];
	}
	g->count--;
	if (g->ross_more & HAS_SPARE && (int64_t)(g->count - g->ross_spare_at) < 0)
		drop_spare(g);
	return combine(s);
}

double rng_gen_reverse_val(tw_rng_stream *g) { return tw_rand_reverse_unif(g); }

/* scale maps u to 0, ..., n - 1; 0 stands for 2^64. */
static uint64_t scale(double u, uint64_t n)
{
	if (u >= 1)
		return n - 1;
	if ((int64_t)n > 0)
		return (uint64_t)(int64_t)(u * (double)(int64_t)n);
	return (uint64_t)(u * (n ? (double)n : 18446744073709551616.0));
}

long tw_rand_integer(tw_rng_stream *g, long low, long high)
{
	if (high < low)
		return 0;
	return (long)((uint64_t)low + scale(draw(g), (uint64_t)high - (uint64_t)low + 1));
}

unsigned long tw_rand_ulong(tw_rng_stream *g, unsigned long low, unsigned long high)
{
	if (high < low) {
		if (low - high != 1)
			return 0;
		draw(g);
		return low;
	}
	return low + scale(draw(g), (uint64_t)high - low + 1);
}

double tw_rand_exponential(tw_rng_stream *g, double mean)
{
	return -mean * log(draw(g));
}

long tw_rand_binomial(tw_rng_stream *g, long n, double p)
{
	long hits = 0;

	for (long i = 0; i < n; i++)
		hits += draw(g) <= p;
	return hits;
}

double tw_rand_pareto(tw_rng_stream *g, double shape, double scale_)
{
	double u = draw(g);

	return shape > 0 ? scale_ / pow(u, 1 / shape) : NAN;
}

double tw_rand_weibull(tw_rng_stream *g, double mean, double shape)
{
	double u = draw(g);

	return shape > 0 ? mean / tgamma(1 + 1 / shape) * pow(-log(u), 1 / shape) : NAN;
}

enum { TRIES = 1000 }; /* each succeeds with a probability of a half at least */

/* Cheng's method. */
static double gamma_large(tw_rng_stream *g, double k)
{
	const double phi = 4.5, a1 = 1 / sqrt(2 * k - 1), b = k - log(4), q = k + 1 / a1, d = 1 + log(phi);

	for (int i = 0; i < TRIES; i++) {
		double u1 = draw(g), u2 = draw(g), v = a1 * log(u1 / (1 - u1)), y = k * exp(v), z = u1 * u1 * u2;
		double w = b + q * v - y;

		if (w + d - phi * z >= 0 || w >= log(z))
			return y;
	}
	return k;
}

/* The method of Ahrens and Dieter. */
static double gamma_small(tw_rng_stream *g, double k)
{
	const double b = (M_E + k) / M_E;

	for (int i = 0; i < TRIES; i++) {
		double p = b * draw(g), u2 = draw(g), y;

		if (p <= 1) {
			y = pow(p, 1 / k);
			if (u2 <= exp(-y))
				return y;
		} else {
			y = -log((b - p) / k);
			if (u2 <= pow(y, k - 1))
				return y;
		}
	}
	return k;
}

double tw_rand_gamma(tw_rng_stream *g, double shape, double scale_)
{
	if (!(shape > 0) || isinf(shape))
		return NAN;
	if (shape == 1)
		return tw_rand_exponential(g, scale_);
	return scale_ * (shape > 1 ? gamma_large(g, shape) : gamma_small(g, shape));
}

long tw_rand_geometric(tw_rng_stream *g, double p)
{
	if (p < 1e-6) { /* counting would take too long */
		double x = p > 0 ? 1 + log(draw(g)) / log1p(-p) : (draw(g), HUGE_VAL);

		return x < 9223372036854775808.0 ? (long)x : LONG_MAX;
	}
	for (long tries = 1;; tries++)
		if (!(draw(g) > p))
			return tries;
}

long tw_rand_poisson(tw_rng_stream *g, double lambda)
{
	double limit = exp(-lambda), product = draw(g);
	long n = 0;

	for (; product >= limit; n++)
		product *= draw(g);
	return n;
}

double tw_rand_normal01(tw_rng_stream *g, unsigned int *calls)
{
	double radius, angle;

	*calls = 0;
	if (g->ross_more & HAS_SPARE) {
		double value = g->ross_spare;

		drop_spare(g);
		return value;
	}
	*calls = 2;
	radius = sqrt(-2 * log(draw(g)));
	angle = tw_opi * draw(g);
	g->ross_spare = radius * cos(angle);
	g->ross_spare_at = g->count;
	g->ross_more |= HAS_SPARE;
	return radius * sin(angle);
}

double tw_rand_normal_sd(tw_rng_stream *g, double mu, double sd, unsigned int *calls)
{
	return mu + tw_rand_normal01(g, calls) * sd;
}

double tw_rand_lognormal(tw_rng_stream *g, double mean, double sd, unsigned int *calls)
{
	return exp(mean + sd * tw_rand_normal01(g, calls));
}

void tw_rand_initial_seed(tw_rng_stream *g, tw_lpid id, tw_rng *unused)
{
	(void)unused;
	*g = (tw_rng_stream){ .count = 0 };
	for (int j = 0; j < 4; j++) {
		uint64_t c = ross_seeds[j], jump = far[j];

		for (tw_lpid n = id; n; n >>= 1) {
			if (n & 1)
				c = c * jump % m[j];
			jump = jump * jump % m[j];
		}
		g->Cg[j] = (int32_t)c;
	}
}

void ross_next_stream(tw_rng_stream *g, const tw_rng_stream *before)
{
	*g = (tw_rng_stream){ .count = 0 };
	for (int j = 0; j < 4; j++)
		g->Cg[j] = (int32_t)((uint32_t)before->Cg[j] * far[j] % m[j]);
}

void rng_get_state(tw_rng_stream *g, uint32_t *components)
{
	for (int j = 0; j < 4; j++)
		components[j] = (uint32_t)g->Cg[j];
}

void rng_write_state(tw_rng_stream *g, FILE *to)
{
	for (int j = 0; j < 4; j++)
		fprintf(to, "%u ", (uint32_t)g->Cg[j]);
}
