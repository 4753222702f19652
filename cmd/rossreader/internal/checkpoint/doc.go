// This file owns the documentation of the package.

// Package checkpoint looks at checkpoints: info tells what the manifest says of the run, verify
// reads all of it and finds damage, diff tells how two differ.
//
// # How two are compared
//
// A checkpoint may be larger than memory, and its LPs and events may be spread in any way over
// partitions and files. So diff reads each of the two partition by partition, up to three times,
// and keeps numbers instead of records:
//
//  1. For each gid there are two words. The hash of the LP's record is added to the first for A
//     and subtracted for B; the second has the same of the hashes of all events for the LP. A sum does not
//     depend on the order, and counts events that are there several times. Where both have the
//     same, zero is left. If all is zero, this is the end.
//  2. Of the LPs that differ the first few, as many as will be printed, are kept from A and compared
//     with those of B, field by field. For LPs whose events differ, the hash of each event is counted, up
//     for A and down for B.
//  3. Events whose count is not zero are in A only or in B only. Those that will be printed,
//     the least in their order, are kept.
//
// That takes 16 bytes for each LP, the LPs and events that are printed, an entry of a map, of about
// 50 bytes, for each event of an LP whose events differ, and as many partitions as there are
// processors. Hashes have 64 bits and a seed that is new for each run, so that the chance of a
// difference to go unnoticed is about 1 in 2^64 for each LP.
package checkpoint
