/* Prints what each distribution draws from the stream with an id, and its count after each round. */
#include <ross.h>

int main(int argc, char **argv)
{
	tw_rng_stream g;
	unsigned int calls;

	tw_rand_initial_seed(&g, argc > 1 ? strtoull(argv[1], NULL, 10) : 0, NULL);
	for (int i = 0; i < 200; i++) { /* one draw a statement: C does not say which argument comes first */
		printf("%.17g ", tw_rand_unif(&g));
		printf("%ld ", tw_rand_integer(&g, -5, 1000000000000));
		printf("%ld ", tw_rand_integer(&g, 3, 2));
		printf("%lu ", tw_rand_ulong(&g, 0, ULONG_MAX));
		printf("%lu ", tw_rand_ulong(&g, 5, 4));
		printf("%.17g ", tw_rand_exponential(&g, 2.5));
		printf("%ld ", tw_rand_binomial(&g, 10, 0.3));
		printf("%.17g ", tw_rand_pareto(&g, 1.5, 2));
		printf("%.17g ", tw_rand_gamma(&g, 2.5, 3));
		printf("%.17g ", tw_rand_gamma(&g, 0.5, 3));
		printf("%.17g ", tw_rand_gamma(&g, 1, 3));
		printf("%ld ", tw_rand_geometric(&g, 0.2));
		printf("%ld ", tw_rand_geometric(&g, 1e-7));
		printf("%ld ", tw_rand_poisson(&g, 4.5));
		printf("%.17g ", tw_rand_weibull(&g, 3, 1.7));
		printf("%.17g ", tw_rand_normal01(&g, &calls));
		if (i % 3 == 0)
			printf("%.17g ", tw_rand_normal_sd(&g, 1, 2, &calls));
		if (i % 5 == 0)
			printf("%.17g ", tw_rand_lognormal(&g, 1, 2, &calls));
		printf("%.17g ", tw_rand_reverse_unif(&g));
		printf("%lu\n", g.count);
	}
	return 0;
}
