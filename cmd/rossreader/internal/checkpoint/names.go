// This file names the LPs that diff prints: with the labels beside the checkpoints, if there are any.

package checkpoint

import "github.com/ross-go/ross/internal/labels"

// readLabels reads the labels of the LPs that will be printed: those of A, and of B for LPs that
// have none in A.
func (d *differ) readLabels() {
	printed := map[uint64]bool{}
	for _, gid := range d.first {
		printed[gid] = true
	}
	for i := range d.found {
		printed[d.found[i].Dst], printed[d.found[i].Src] = true, true
	}
	d.labels = labels.Labels{}
	for _, s := range d.side {
		for gid, label := range s.c.Labels(func(gid uint64) bool { return printed[gid] && d.labels[gid] == "" }) {
			d.labels[gid] = label
		}
	}
}

// name returns how diff names an LP: gid 7, or gid 7 "router (3,4,5)".
func (d *differ) name(gid uint64) string { return "gid " + d.labels.Name(gid) }
