// This file is the package documentation: what a report shows and what it needs.

// Package report is `rossreader report`: it makes one HTML file of a run, with charts and
// with findings: what slows the run down, and the option to change. With --base it compares two
// runs. The file needs no network: it contains Apache ECharts, which draws the charts (folder
// echarts).
//
// # Where the numbers come from
//
// The report uses the most numerous of samples by GVT, by real time and at virtual times. A
// sample counts what happened since the previous one; charts spread this evenly over the
// time between them. The start of the first sample of a file of ROSS is unknown: it counts
// in the sums but not in charts over time.
//
// Efficiency is ROSS's: 100 % less rolled back / net events, where net events are those
// handled less those rolled back; 0 if that is not positive. It is negative if more events
// were undone than stayed.
//
// # Findings
//
// docs/findings.md lists the rules, with their thresholds and the reasons. Package internal/output/findings
// has them, since the live page applies them as well; figures.judged passes the data, and
// figures.findings adds what each costs and where it is to be seen. testdata/runs.txt lists stored
// runs with the rules that must find something in them. What cannot be judged for want of data is in
// figures.lacks, with the options that collect it.
//
// # The time line
//
// Charts over real time share an axis and a cursor (charts.js, page.js). What the reader chooses, a stretch, a PE, KP
// or LP, or GVT as the axis, is applied in the page, without another reading of the files: timeline.js turns a chart
// into that of the choice, and computes the tables from stretches, which has the counts of PEs, KPs and LPs in the
// columns of the heat maps. Within a column they count as even.
//
// # Large runs
//
// The files are read twice ([survey.New]). The first reading determines how long the run
// was, so that the second one can fill a fixed number of buckets of time: as many as a PE
// has samples, at most [maxBuckets] for lines and [maxColumns] for heat maps. KPs beyond
// [maxRows], LPs beyond [maxTraffic] and PEs beyond [maxRows] share a row with their
// neighbours; of more than [maxLines] PEs the lowest, the median and the highest are drawn.
// Memory is bounded by this, by the number of KPs, and by the LPs that samples name. Of LPs, maxFollowed that stand out
// have a course over time, and maxNamed can be searched for.
package report
