// Balance measures runs whose PEs have different amounts of work, or less of a processor than others, with KPs that
// stay (--balance=off) and with KPs that move (--balance=on). bench/README.md has the table.
//
//	go run ./bench/balance                    all cases, each 7 times
//	go run ./bench/balance -only spin -runs 3 those whose name contains a word
//
// The two sides of a case run in turn, so that a disturbance of the machine meets both, and the table has
// medians of the event rates, the median of the ratios of neighbouring runs, and the range between their
// quartiles. Each pair of runs must commit the same events. In cases with a spinning process, a program
// that does nothing but compute is bound to the first processor, and the first side is the sequential
// run under that disturbance.
//
// Program hot is the model of most cases.
package main
