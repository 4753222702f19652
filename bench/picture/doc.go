// Picture draws bench/scaling.svg: the rate of PHOLD against each parameter that the benchmark
// Scaling changes, with a line for each scheduler.
//
//	go test -run '^$' -bench Scaling -benchtime 3000000x -count 6 ./bench >scaling.txt
//	go run ./bench/picture scaling.txt >bench/scaling.svg
//
// It reads the output of go test from files, or from standard input if none is named, and writes
// SVG to standard output. Lines that are not results of Scaling are ignored.
//
// # What it shows
//
// Scaling's results have names such as BenchmarkScaling/by=lps/at=1024/synch=3/pes=2-2 and a figure
// in Mev/s. There is a panel for each value of by, with at on its horizontal axis. All panels have
// the same vertical axis, which starts at 0, so that heights compare. A marker is the median of all
// results of one name, and a bar behind it reaches from their lower quartile to the upper.
//
// The horizontal axis is logarithmic, with powers of two, if the values are 1 or more and the
// greatest is at least four times the least. Schedulers differ by colour, by marker and by dashes,
// so the lines can be distinguished in grey and by colour-blind readers. The colours are from Okabe and
// Ito, "Color Universal Design" (2008).
package main
