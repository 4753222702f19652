// Package avl is the index by which an anti-message finds the event that it cancels, where that has come from another
// process: a [Log] of arrivals, and the [Tree] that it makes when a search needs one. ROSS has an AVL tree for
// this (core/avl_tree.c, with avlInsert, avlSearch and avlDelete), in which each event is a node from its arrival
// until it is committed.
//
// # Few events are ever searched for
//
// Only rollbacks of other processes send anti-messages: for some percent of the events, and mostly for those that
// came last. A tree that each event enters and leaves pays for all of them. That was tried: 103 to 160 nanoseconds
// an event, and PHOLD on 2 ranks had 0.65 to 0.87 of its rate. So an arrival only appends to the log, and a search
// looks where the event probably is; a tree is made when that does not suffice. Of searches on 4 ranks 0 to 3.5 %
// came to trees where a quarter of the events of PHOLD is remote, and half of them where all are:
//
//	add      append to four arrays: id, source, where the event is, when it was sent
//	search   with one source, whose ids are in order: where the distance from the last id points, or by bisection
//	         with several: the newest 256, one by one, from the last one; then the tree
//	tree     made of what the last sweep left in one go, ordered by source; what has come since is inserted
//	sweep    what was sent before GVT goes, in one pass, when the log has twice as many events as the last sweep left
//
// # What may go
//
// An anti-message is sent while its sender undoes the event that sent the other one, so not after that is committed.
// Where the time of sending is below GVT, nothing can name the event any more. By time alone, since an event of a
// chain without delay may be sent at GVT: strictly below. So the log has about twice as many events as other
// processes have not committed, whatever a PE has received, and no id has to be given back to its sender.
//
// Ids of a source grow, and come in their order. On the way they are numbers modulo 2^32; the log has 64 bits, by the
// difference from the last one that came.
//
// # Trees
//
// The [Node] lies in memory that the caller owns: node i is at base + i*stride, and links between nodes are
// such numbers. So an insertion allocates nothing, and the memory may grow while the index lives (its base stays).
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
//	insert  Ids of a source grow. One comparison with the newest shows that the
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
// all levels. Its nodes come from a pool of fixed size (--avl-size), and a run ends when that is
// used up. Here --avl-size is the room at first. Time is not part of the key: (source, id) names an event alone, and
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
// or in Go (twin.go). Both do the same steps; a test compares every byte that they
// write. [Tree.Find] and [Tree.Check] read the nodes and are in Go for both: a call
// into C would cost as much as a search. [New] takes "c", "go" or "" for the faster of
// those that the build has. With batches of up to about four nodes "go" is as fast as
// "c"; with large trees C gains most, because it prefetches what it is to remove.
//
// # Cost
//
// O(1) amortised for an insertion in order, and for the removal of the oldest or the
// newest: about four nodes are looked at, and one is compared; a test counts
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
// Memory: 32 bytes a node.
//
// Where it loses: a search in a large tree misses the cache at each of its lower
// levels, a map only twice.
//
// A Log takes 28 bytes an event, and 32 more once it has a tree.
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
