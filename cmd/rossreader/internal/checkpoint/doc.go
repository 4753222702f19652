// This file is the package documentation.

// Package checkpoint examines checkpoints: info shows what the manifest states about the run, verify
// reads everything and finds damage, diff compares two.
//
// # How two are compared
//
// A checkpoint may be larger than memory, and its LPs and events may be spread in any way over
// partitions and files. So diff reads both partition by partition, up to three times, and keeps
// numbers instead of records:
//
//  1. For each gid there are two words. The hash of the LP's record is added to the first for A and
//     subtracted for B; the second does the same with the hashes of all events for the LP. A sum
//     does not depend on the order, and counts repeated events. If both checkpoints have the same,
//     zero is left. If all words are zero, the comparison ends here.
//  2. The first of the LPs that differ, as many as will be printed, are kept from A and compared
//     with those of B, field by field. For LPs whose events differ, the hash of each event is
//     counted, up for A and down for B.
//  3. Events whose count is not zero are in A only or in B only. The least in their order, as many
//     as will be printed, are kept.
//
// This needs memory for 16 bytes per LP, the LPs and events that are printed, a map entry of about
// 50 bytes for each event of an LP whose events differ, and as many partitions as there are
// processors. Hashes have 64 bits and a new seed in each run, so a difference of an LP goes
// unnoticed with a probability of about 1 in 2^64.
package checkpoint
