// Package delta saves the state of an LP as the difference that an event made, for
// models that cannot undo their own changes.
//
// Before an event the engine copies the state to a scratch buffer. After it,
// [Encoder.Encode] writes the delta, from which [Encoder.Apply] restores the old
// state when the event is rolled back. In ROSS these are tw_snapshot,
// tw_snapshot_delta and tw_snapshot_restore, which subtract byte by byte and compress
// the result with LZ4, whatever the size of the state. Here LZ4 is the exception,
// because it costs 100 ns where the rest costs 5.
//
// # What is stored
//
// The XOR of old and new state, in words of 8 bytes, little-endian; for most events
// only the few words that are not 0. Words form groups of 56:
//
//	+----------------+-----------+---------------------------+
//	| bitmap (56)    | low (8)   | the words that changed... |
//	+----------------+-----------+---------------------------+
//
// Bit i of the bitmap stands for word i of the group. A state of up to 56 words is
// one group, which is also its delta, with the kind of the delta in the low byte: one
// changed word makes a delta of 16 bytes. Larger states have a header before their
// groups, and the low byte of a group is the number of unchanged groups that it
// skips; an empty group skips 255 more:
//
//	+----------------+-----------+-------+-------+-----+
//	| size (56)      | kind (8)  | group | group | ... |
//	+----------------+-----------+-------+-------+-----+
//
// If the size of a state is not a multiple of 8, its last bytes are a separate word
// at the end, whether they changed or not. If nothing changed, the delta is empty.
//
// # The three forms
//
// [Form] returns the form of a delta:
//
//   - [ZeroRun]: as just described.
//   - [Raw]: the same with all words, because most of them changed. A group of more
//     than 8 words, where 7 in 8 changed, is stored whole, because XOR over all
//     words is several times as fast as over those selected by a bitmap.
//   - [LZ4]: an LZ4 block of the groups follows the header. Without the unchanged
//     words LZ4 has less to read than the XOR of the state, and finds the zero bytes
//     within words that changed by little.
//
// # Small states, and messages
//
// A state of up to 64 bytes is not packed ([Begin], [End]). The copy from before the event is made
// where the delta will be, and afterwards each word is XORed with the new one: two passes over at
// most 8 words, without a scratch buffer and without a branch. In exchange such a delta always has
// all words. bench/README.md, "Large states", has the gain. Messages hardly ever change, so they
// are first compared ([Same]).
//
// # Why the comparison is as it is
//
// Groups are compared by the runtime's comparison of strings, which uses the widest instructions
// of the processor; only within a group that changed are words compared one by one, at 0.25 ns
// each. Finding the changed cache lines without the runtime takes 2.2 ns for each line, and is
// slower unless nearly all groups change. Smaller blocks cost a call and a mispredicted branch
// each. A call of C costs 25 ns, and to compare several states in one call, their copies from
// before and after the event would have to be kept.
//
// # When LZ4 is tried
//
// LZ4 is tried for deltas from 4 KiB on, and its result is used if it saves a
// quarter; bench/README.md, "When LZ4 is tried", has what other lengths would cost.
// Compressing costs about 1 ns for each byte it reads, plus 80 ns; writing a byte less
// saves at most 0.1 ns. So LZ4 never makes a run faster, but it saves memory. A delta under a page is not worth the
// microseconds, and an event that changed a page of state has already taken as long. Data that do not compress, such as
// random reals, cost 0.2 ns per byte: LZ4 moves on in strides where it finds nothing, and gives up when the result
// would be too long. The length of the first stride is its acceleration, --lz4-knob, 17 by default. The compressor is
// the port of the C library's compressor in the lz4 package (CompressorCCompat), because acceleration is ROSS's; it
// needs 48 KiB, a third of the other compressor, and on these data is faster and compresses as well.
//
// # Cost
//
// Nanoseconds and bytes of BenchmarkEncode on a Xeon at GOAMD64=v1, medians,
// including 2.5 ns for the benchmark's own loop and call; copy is the plain copy of
// the state, LZ4 is the XOR of the whole state through LZ4. The words that change
// (one, up to four, or all) become random reals; in the lines "count" all words are
// counters that grow by 1.
//
//	bytes  words     |   delta          |   copy        |   LZ4
//	of     that      |                  |               |
//	state  change    |     ns    bytes  |   ns   bytes  |      ns    bytes
//	-----------------------------------------------------------------------
//	    8  1         |    5.5       16  |  3.4       8  |      77        9
//	   64  1         |    7.6       16  |  3.9      64  |     110       32
//	   64  few       |    8.7       36  |  4.0      64  |     110       57
//	   64  all       |     11       72  |  3.9      64  |      96       66
//	  256  1         |     14       16  |  5.0     256  |     150       37
//	  256  few       |     16       38  |  5.0     256  |     195       78
//	  256  all       |     24      264  |  5.0     256  |     144      258
//	 1024  1         |     38       24  |   10    1024  |     259       38
//	 1024  few       |     60       59  |   10    1024  |     310       77
//	 1024  all       |     97     1056  |   10    1024  |     288     1029
//	 4096  1         |    110       24  |   35    4096  |     674       50
//	 4096  few       |    139       65  |   35    4096  |     775       88
//	 4096  all       |   1100     4184  |   35    4096  |     902     4114
//	 4096  count     |   4100     1123  |   35    4096  |    4400     1071
//	32768  1         |    683       24  |  690   32768  |    5000      162
//	32768  few       |    787       72  |  690   32768  |    4900      203
//	32768  all       |  10400    33368  |  690   32768  |    6400    32898
//	32768  count     |  36000     8699  |  690   32768  |   36000     8401
//
// Copying is fastest almost everywhere, but takes the memory of the whole state for
// each uncommitted event. Up to 16 bytes it is also smaller. If each event rewrites
// all of a large state with numbers that do not compress, the delta loses to both.
// Applying a delta (BenchmarkApply) costs 5 to 8 ns when one word changed, whatever
// the size of the state, and 20 to 30 ns for a few words in 4 KiB or more, where
// copying back costs 90 and 690; in smaller states copying back is as fast, or faster
// by some nanoseconds.
package delta
