// Package fit finds distributions for data: measured times between arrivals, times of service, sizes. It reads a column
// of numbers from a CSV file, fits six distributions to it, and says how well each fits:
//
//	times, err := fit.Column("triage.csv", "minutes")
//	report, err := fit.All(times)
//	err = report.WriteText(os.Stdout)
//
//	5000 numbers from 0.043209 to 16.3091, mean 2.99534, standard deviation 2.10901
//	distribution  parameters                    log-likelihood  distance
//	gamma         shape 2.00368, scale 1.49491  -9902.96        0.0112
//	weibull       mean 3.0049, shape 1.48618    -9935.65        0.0222
//
// A [Fit] draws by the stream of an LP, with the parameters that the functions of package rng have:
//
//	service := report.Best() // before the run
//	ross.Send(lp, lp.ID(), service.Draw(lp.RNG()), Done{})
//
// # Without a formula
//
// [rng.NewEmpirical] draws from the data themselves: Draw interpolates between numbers, Resample draws the numbers. An
// empirical distribution has no values beyond those of its sample. That matters for tails, such as the longest waits.
//
// # How parameters are found
//
// All are those of maximum likelihood: the parameters for which the data are most probable. Those of exponential,
// normal, lognormal and uniform distributions have formulas; gamma and Weibull take some steps of Newton's method.
// Parameters and log-likelihoods have the same bits on all processors; distances may differ in the last digits.
//
// # How well a distribution fits
//
// The log-likelihood compares distributions with one another: the greatest is best. It says nothing about whether the
// best one is good. The distance of Kolmogorov and Smirnov does: it is the greatest difference between the distribution
// function and the share of the data at or below a number. For data that have the distribution, and parameters known
// beforehand, it exceeds 1.36/sqrt(n) in 5 % of all samples of n numbers. With parameters fitted to the same data it is
// less, so a distance above that is a reason to doubt the distribution, and a distance below is not a proof. With very
// many numbers no distribution fits; look at how large the distance is.
package fit
