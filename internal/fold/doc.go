// Package fold merges the values of LPs in an order that depends on the ids of the LPs alone, so
// that sums of floating-point numbers are the same, bit for bit, on any number of ranks and PEs.
//
// # The tree
//
// The ids 0 to total-1 are the leaves of a binary tree, in which every node covers twice as many
// ids as its children. With 6 LPs:
//
//	          (((0 1) (2 3)) (4 5))
//	          /                  \
//	   ((0 1) (2 3))           (4 5)
//	    /         \            /   \
//	 (0 1)       (2 3)        4     5
//	 /   \       /   \
//	0     1     2     3
//
// A node merges the values of its children, the left one first; if only one of them has a value,
// that is the node's value. A rank computes the nodes whose leaves it has all ([Local]) and sends
// their values to the others, and every rank computes the rest ([All]). If a rank has neighbouring
// LPs, it sends a few values, whatever the number of its LPs.
//
// Merging in pairs also keeps rounding errors small: they grow with the logarithm of the number of
// values, not with the number (Higham, "The accuracy of floating point summation", 1993).
package fold
