//go:build cgo && !purego

/* Sorting of windows: insertion for a bucket's few keys, runs of eight merged
 * without branches beyond that. The sort compares 128 bits; runs of keys that
 * agree in 96 bits are then ordered by their events. */
#include "sort.h"

#include <string.h>

enum { RUN = 8, INSERTION = 16 };

/* before reports whether k comes before (ts, lo), by a branch on the time, which
 * nearly always decides. */
static inline int before(const ross_key *k, uint64_t ts, uint64_t lo)
{
	return k->ts < ts || (k->ts == ts && k->lo < lo);
}

static inline void insertion(ross_key *k, uint64_t n)
{
	for (uint64_t i = 1; i < n; i++) {
		uint64_t ts = k[i].ts, lo = k[i].lo, j = i;
		if (!before(&k[i - 1], ts, lo))
			continue;
		do {
			k[j] = k[j - 1];
			j--;
		} while (j > 0 && before(&k[j - 1], ts, lo));
		k[j].ts = ts;
		k[j].lo = lo;
	}
}

static void merge(const ross_key *a, const ross_key *ae, const ross_key *b, const ross_key *be,
		  ross_key *out)
{
	while (a < ae && b < be) {
		int t = ross_key_lt(*a, *b);
		*out++ = t ? *b : *a;
		b += t;
		a += !t;
	}
	memcpy(out, a, (size_t)(ae - a) * sizeof *a);
	out += ae - a;
	memcpy(out, b, (size_t)(be - b) * sizeof *b);
}

static inline uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static void merge_runs(ross_key *k, ross_key *tmp, uint64_t n, uint64_t run)
{
	ross_key *src = k, *dst = tmp;

	for (uint64_t w = run; w < n; w *= 2) {
		for (uint64_t i = 0; i < n; i += 2 * w) {
			uint64_t m = least(i + w, n), e = least(i + 2 * w, n);
			merge(src + i, src + m, src + m, src + e, dst + i);
		}
		ross_key *t = src;
		src = dst;
		dst = t;
	}
	if (src != k)
		memcpy(k, src, n * sizeof *k);
}

/* order_same puts a run of keys that agree in 96 bits in their events' order:
 * merge sort, because a burst of zero-delay events may be long. */
static void order_same(const ross_arena *a, ross_key *k, ross_key *tmp, uint64_t n)
{
	if (n < 2)
		return;
	uint64_t h = n / 2, i = 0, j = h, o = 0;
	order_same(a, k, tmp, h);
	order_same(a, k + h, tmp, n - h);
	memcpy(tmp, k, n * sizeof *k);
	while (i < h && j < n)
		k[o++] = ross_less(a, tmp[i], tmp[j]) ? tmp[j++] : tmp[i++];
	while (i < h)
		k[o++] = tmp[i++];
	while (j < n)
		k[o++] = tmp[j++];
}

/* settle puts runs of keys that agree in 96 bits in order. */
static void settle(const ross_arena *a, ross_key *k, ross_key *tmp, uint64_t n)
{
	for (uint64_t i = 1; i < n; i++) {
		if (__builtin_expect(!ross_key_same(k[i - 1], k[i]), 1))
			continue;
		uint64_t from = i - 1;
		while (i < n && ross_key_same(k[from], k[i]))
			i++;
		order_same(a, k + from, tmp, i - from);
	}
}

void ross_sort(const ross_arena *a, ross_key *k, ross_key *tmp, uint64_t n)
{
	if (n <= INSERTION) {
		insertion(k, n);
	} else {
		for (uint64_t i = 0; i < n; i += RUN)
			insertion(k + i, least(RUN, n - i));
		merge_runs(k, tmp, n, RUN);
	}
	settle(a, k, tmp, n);
}
