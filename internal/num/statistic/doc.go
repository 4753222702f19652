// Package statistic holds the data of the statistics of package stats, without their API: what
// a field of a state remembers, how an observation changes it, how it is stored in a
// checkpoint, and how those of many LPs become a table.
//
// # Types
//
//	Counter, Tally, Level   data in the state of an LP
//	Histogram, Series       data in the state, and more in a Store
//	Profile                 what a Store has of a Level with intervals or quantiles
//	Exact                   the sums that Tally and Level refer to
//	Sum                     an exact sum of any size
//	Op                      what a recording does
//	Field                   a statistic in the state of an LP type
//	Store                   what the statistics of a PE have outside of the states
//	Hidden                  statistics that a handler must not read, while it runs
//	Table, Row              the result
//
// A Histogram and a Series have the number of their entry in the Store of their PE. A Tally and a Level
// have a pointer to an Exact, so that models can ask them for a mean without their LP. Nothing copies
// these pointers: statistics are scratch, which deltas, Save and checkpoints leave out.
//
// # Equal bits everywhere
//
// [Store.Apply] is called with the observations of a field in the order of the LP's committed
// events, which is the same in every scheduler. Between LPs there is no order on which all layouts
// agree. All sums are exact ([Exact], [Sum], and the pairs of [Course]), so that no order matters, and
// a result is rounded once.
//
// A recording usually costs two additions, of 128 bits and of 256. These words hold numbers whose
// sizes differ by a factor of up to 2^72, with room for many of the largest; what is outside of that
// goes to a Sum, and so do the words when they are full. Squares are summed and not deviations from
// the mean, because exact sums of squares lose nothing, and can be merged.
//
// # In a checkpoint
//
// What [Store.Bytes] returns is version 2. All numbers are little-endian and have 8 bytes:
//
//	offset  type      field
//	     0  1 byte    0x82
//	     1  float64   virtual time at which the observation begins
//	        ...       of each statistic, its kind (1 byte), then
//
//	counter    uint64: number
//	tally      uint64: number; float64: least, greatest; sums
//	level      float64: value, time of its last change, least, greatest; sums; with intervals (0x40
//	           next to the kind) a series; with quantiles (0x20) uint64: number of bins that have
//	           lasted; for each float64: its least and greatest value; a further sum: the time
//	histogram  as a tally; uint64: number of bins; for each float64: its middle; uint64: count
//	series     uint64: most intervals, 0 if there is nothing; float64: length; uint64: number of
//	           intervals; for each uint64: count; float64: sum, what rounding took from it;
//	           uint64: number of further sums, which belong to the first intervals; these
//
// Sums are 2 words of that of numbers, 4 words of that of products, the limits of their exponents in
// one word, and what is not in the words: two further sums. A further sum is the number of its
// digits and, if that is not 0, the position of the first one and the digits to the base 2^32.
//
// Version 1 begins with the kind of the first statistic. Its tally had mean and sum of squared
// deviations before least and greatest; its level had area, what rounding took from it, and busy time
// there; its intervals had one sum, rounded. They are taken as if they were exact. In the state as a
// checkpoint stores it, the places of statistics have the layout of version 1 ([StoredAs]).
package statistic
