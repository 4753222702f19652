// This file teaches the package: what a report shows and what it takes.

// Package report is `rossreader report`: it makes one HTML file of a run, with charts
// and with remarks on what stands out. The file needs no network: Apache ECharts,
// which draws, is in it (folder echarts).
//
// # Where the numbers come from
//
// Of samples by GVT, by real time and at virtual times the report takes those of which
// there are most. A sample counts what happened since the one before it; charts spread
// that evenly over the time between them. The first sample of a file of ROSS has no known
// begin: it counts in the sums but not in charts over time.
//
// Efficiency is ROSS's: 100 % less rolled back / net events, net events being those
// handled less those rolled back; 0 if that is not positive. It is negative if more was
// undone than done for good.
//
// # Large runs
//
// The files are read twice ([survey.New]). The first reading tells how long the run was,
// so that the second one can fill a fixed number of buckets of time: as many as a PE has
// samples, at most [maxBuckets] for lines and [maxColumns] for heat maps. KPs beyond
// [maxRows], LPs beyond [maxTraffic] and PEs beyond [maxRows] share a row with their
// neighbours; of more than [maxLines] PEs the lowest, the median and the highest are
// drawn. Memory is bounded by this, by the number of KPs, and by the LPs that samples name.
package report
