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
// reals, cost 0.2 ns a byte: LZ4 moves on in strides where it finds nothing, and
// gives up when the result would be too long. The length of the first stride is its
// acceleration, --lz4-knob, 17 by default. The compressor is the port of the C
// library's that the lz4 package has (CompressorCCompat), because acceleration
// is ROSS's; with 48 KiB it is also a third as large as the other one and, on
// these data, faster and no worse.
//
// # Cost
//
// Nanoseconds and bytes of BenchmarkEncode on a Xeon at GOAMD64=v1, medians,
// including 2.5 ns for the benchmark's own loop and call; copy is the plain copy of
// the state, LZ4 is the XOR of the whole state through LZ4. The words that change,
// one, up to four, or all, become random reals; in the lines "count" all are counters
// that grow by 1.
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
// Copying is quickest almost everywhere, and its memory is the whole state for each
// event that is not committed yet. Up to 16 bytes it is smaller too. When each event
// rewrites all of a large state with numbers that do not compress, the delta loses
// to both. Applying a delta (BenchmarkApply) costs 5 to 8 ns when one word changed,
// whatever the size of the state, and 20 to 30 ns for a few words in 4 KiB or more,
// where copying back costs 90 and 690; in smaller states copying back is as quick,
// or quicker by some nanoseconds.
package delta
