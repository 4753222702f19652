// Package avl is an index of events by (source, id): balanced search trees by which
// an anti-message finds the event that it cancels. It has the shape of the index of
// ROSS (core/avl_tree.c, with avlInsert, avlSearch and avlDelete), and is for programs
// that cancel by id what others have sent them. Nothing in the engine uses it.
//
// It was tried there as the index of events from other ranks, in place of the tables of
// ids that package timewarp has for each PE of another rank: trees in Go, a node in each slot,
// inserted when an event came and removed when its slot was freed. That cost 103 to 160
// nanoseconds an event, with 256 to 16 Ki of them in the tree, where slot and table take
// 11 to 16. So PHOLD on 2 ranks had 0.76, 0.87 and 0.65 times the rate, and took 1.17,
// 1.08 and 1.32 times the processor time, where 12, 5 and 50 % of the events came from
// the other rank. These are medians of 16 to 18 pairs of runs on a machine with other
// work. On 4 ranks that shared 2 processors the rates were 1.14, 1.02 and 0.71 times those
// with tables, which says little: single pairs of runs were at 0.27 to 3.1. The file
// bench/README.md has the runs.
//
// A PE that talks to 10,000 others has 2.0 MB of tables if one event of each is
// uncommitted at once, 3.8 MB for 16, 33 MB for 256: a table stays as long as it ever
// was. With trees it has 1.5 MB and 32 bytes for each slot, so 1.8, 6.6 and 83 MB if all
// these events are there at the same time, and 1.5 MB if they come from one PE after
// the other.
//
// # What is indexed
//
// A process gives each event that it sends an id, and an anti-message names
// (source, id). What is found is the number of the slot where the event lies here.
// An event is in the index from its arrival until it is committed or cancelled.
//
// The [Node] lies in the event's slot, in memory that the caller owns: node i is
// at base + i*stride, and links between nodes are such numbers. So an insertion
// allocates nothing, the memory may grow while the index lives (its base stays),
// and there is no limit to set, as ROSS's --avl-size is one.
//
// # The structure
//
// One AVL tree for each source (Adelson-Velsky and Landis, "An algorithm for the
// organization of information", 1962), ordered by id, with links to the parents. A
// table has the root and the newest node, the one with the greatest id, of each
// source.
//
//	sources                 tree of source 1
//	+---+------+--------+
//	| 0 | root | newest |         20
//	| 1 | root | newest |       /    \
//	| 2 |   .  |   |    |     10      40
//	+---+------+---|----+            /  \
//	               |                30   50
//	               +----------------------^   id 60 will be its right child
//
// It is made for how ids come and go:
//
//	insert  Ids of a source grow. One comparison with the newest says that the
//	        node becomes its right child. An id that comes late climbs from the
//	        newest to the first node before it, and descends from there.
//	remove  The caller knows the node, so nothing is searched. A node with two
//	        children gives its place to its neighbour in the higher subtree.
//	find    Descends from the root of the source.
//
//	build   The nodes are in order, so the one in the middle is the root, and each half a subtree.
//
// After an insertion or a removal balances change on the way up, until the height of a subtree is what it
// was. A node has the difference of its subtrees' heights, not its height, so that
// the way up touches no siblings.
//
// # Differences from ROSS
//
// ROSS has one tree for each PE, ordered by receive time, then id, then sender.
// Insertions and removals descend from its root by recursion and come back through
// all levels. Its nodes come from a pool of fixed size, and a run ends when that is
// used up. Time is not part of the key here: (source, id) names an event alone, and
// ids come in order where times do not.
//
// One tree for each source measured better than one for all with a place to start
// from for each source. With C, 16 Ki nodes of 4 sources, ids in order and the oldest
// removed first, in nanoseconds:
//
//	                insert  remove  find
//	tree a source     17      16     49
//	one tree          19      19     72
//
// A tree for each source is lower, it needs no second comparison, and the newest
// of a source has nothing to its right. The more sources, the more it wins. It
// costs 8 bytes for each source up to the greatest.
//
// # Two implementations
//
// [Tree.Insert], [Tree.Remove] and [Tree.Build] take batches and are in C (package csrc, avl.c)
// or in Go (twin.go, twin_build.go). Both do the same steps; a test compares every byte that they
// write. [Tree.Find] and [Tree.Check] read the nodes and are in Go for both: a call
// into C would cost as much as a search. [New] takes "c", "go" or "" for the faster of
// those that the build has. With batches of up to about four nodes "go" is as fast as
// "c"; with large trees C gains most, because it prefetches what it is to remove.
//
// # Cost
//
// O(1) amortised for an insertion in order, and for the removal of the oldest or the
// newest: about four nodes are looked at, of which one is compared; a test counts
// them. O(log d) for an insertion d places from the newest. O(log n) for any other
// removal at worst and for a search, n being the nodes of the source.
//
// The order of magnitude on one x86-64 machine, in nanoseconds, against a Go map from
// (source, id) to slot, 4 sources, batches of 64 (BenchmarkLife and BenchmarkFind; the
// best of 17 short runs, on a machine with other work):
//
//	                                n     C     Go    map
//	insert, find and remove:
//	  the oldest removed         1 Ki    39     40     98
//	                            16 Ki    48     52    128
//	                           256 Ki    83    104    463
//	  the newest removed         1 Ki    35     39    109
//	                            16 Ki    45     51    102
//	                           256 Ki    61     60    228
//	  any, ids out of order      1 Ki   117    138    107
//	                            16 Ki   146    146    133
//	                           256 Ki   233    257    497
//	find any                     1 Ki    34     34     37
//	                            16 Ki    61     61     36
//	                           256 Ki   206    206    135
//
// To build 16 Ki nodes takes 4.4 ns each in C and 6.2 in Go, and to insert as many in order 11 and 17;
// with 256 Ki, 6.6 and 7.8 against 41 and 52 (BenchmarkBuild, medians of 6).
//
// Memory: 32 bytes a node, in the caller's slot.
//
// Where it loses: a search in a large tree misses the cache at each of its lower
// levels, a map only twice. Most received events are never searched for: only rollbacks
// of other processes send anti-messages.
//
// # Invariants
//
//   - Ids of a tree are in order, and all of one source.
//   - The heights of a node's subtrees differ by its balance, by one at most.
//   - Each child's parent is the node whose child it is.
//   - The newest of a source is the last of its tree.
//   - The trees have as many nodes as are counted, all marked as linked.
//
// [Tree.Check] verifies them, after each batch of a small index under the build tag
// invariants.
package avl
