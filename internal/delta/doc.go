// Package delta saves the state of an LP as the difference that an event made:
// the answer of Time Warp to models that cannot undo their own changes.
//
// Before an event the engine copies the state to a scratch buffer. After it,
// [Encoder.Encode] writes the delta, from which [Encoder.Apply] makes the old
// state out of the new one when the event is rolled back. In ROSS these are
// tw_snapshot, tw_snapshot_delta and tw_snapshot_restore, which subtract byte by
// byte and compress what comes out with LZ4, however large the state is. Here
// LZ4 is the exception: it costs 100 ns where the rest costs 5.
//
// # What is stored
//
// The XOR of old and new state, in words of 8 bytes, least byte first, and of
// most events only the few words that are not 0. Words are taken in groups of 56:
//
//	+----------------+-----------+---------------------------+
//	| bitmap (56)    | low (8)   | the words that changed... |
//	+----------------+-----------+---------------------------+
//
// Bit i of the bitmap stands for word i of the group. A state of up to 56 words is
// one group and its delta is just that, with the kind of the delta in the low
// byte: one changed word makes a delta of 16 bytes. Larger states have a header
// before their groups, and the low byte of a group is the number of unchanged
// groups that it skips; an empty group skips 255 more:
//
//	+----------------+-----------+-------+-------+-----+
//	| size (56)      | kind (8)  | group | group | ... |
//	+----------------+-----------+-------+-------+-----+
//
// A state whose size is no multiple of 8 has its last bytes in a word of their
// own at the end, whether they changed or not. No change at all is the empty delta.
//
// # The three forms
//
// [Form] tells which one a delta has:
//
//   - [ZeroRun]: what was just described.
//   - [Raw]: the same with all words, as many or all changed. A group of more
//     than 8 words of which 7 of 8 changed is stored whole, since XOR over all words
//     runs several times as fast as over those that a bitmap picks out.
//   - [LZ4]: what follows the header is an LZ4 block of the groups. The bitmaps
//     have taken the unchanged words away, so LZ4 has less to read than the XOR of
//     the state, and finds the zero bytes within words that changed by little.
//
// # When LZ4 is tried
//
// From a delta of 4 KiB on, and it stands when it saves a quarter. Compressing
// costs about 1 ns for each byte it reads and 80 ns to begin with; writing a byte
// less saves 0.1 ns at best. So LZ4 never makes a run faster, it makes memory last.
// A delta under a page is not worth its microseconds, and whoever changed a page of
// state has spent as much already. Data that do not compress, such as random
// reals, cost 0.1 ns a byte: LZ4 moves on in strides where it finds nothing, and
// gives up when the result would be too long. The length of the first stride is its
// acceleration, --lz4-knob, 17 by default. The compressor is the port of the C
// library's that the lz4 package has (CompressorCCompat), because acceleration
// is ROSS's; with 48 KiB it is also a third as large as the other one and, on
// these data, faster and no worse.
//
// # Cost
//
// Nanoseconds and bytes of BenchmarkEncode on a Xeon at GOAMD64=v1, including 2.5
// ns for the benchmark's own call; copy is the plain copy of the state, LZ4 is the
// XOR of the whole state through LZ4. Changed words are set to random reals, or, in
// the lines marked *, are counters that grow by 1.
//
//	bytes  words     |   delta          |   copy        |   LZ4
//	of     that      |                  |               |
//	state  changed   |     ns    bytes  |   ns   bytes  |      ns    bytes
//	-------------------------------------------------------------------
//	    8     1      |    5.9       16  |  3.5       8  |      82        9
//	   64     1      |    7.4       16  |  4.4      64  |     117       33
//	   64     8      |     11       72  |  4.4      64  |     101       66
//	  256     4      |     18       40  |  6.9     256  |     200       79
//	 1024     4      |     65       58  |   15    1024  |     320       81
//	 4096     4      |    155       68  |   38    4096  |     650       91
//	 4096   128      |    300     1111  |   38    4096  |    3700     1722
//	 4096   512 *    |   4900     1114  |   36    4096  |    4300     1065
//	32768     4      |    790       71  |  680   32768  |    3300      204
//	32768  1024      |   3300     8791  |  680   32768  |   29000    13678
//	32768  1024 *    |  10800     3350  |  680   32768  |   24000     4869
//	32768  4096      |   9000    33368  |  680   32768  |    4600    32898
//
// Copying is quickest everywhere, and its memory is the whole state for each event
// that is not committed yet. Up to 16 bytes it is smaller too. When each event
// rewrites all of a large state with numbers that do not compress, the delta loses
// to both. Applying a delta costs 3 ns for a word in a small state, and less than
// copying back wherever few words changed.
package delta
