// This file owns the labels of a checkpoint: what the model calls its LPs, for people.

package rio

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"slices"

	"github.com/ross-go/ross/internal/labels"
)

// writeLabels writes the labels of the n LPs of this job, after those of the jobs before it, if the
// model has any.
func (s *Store) writeLabels(n uint64) error {
	if s.o.Label == nil {
		return nil
	}
	var b bytes.Buffer
	w := labels.NewWriter(&b)
	first := uint64(0)
	if s.base != nil {
		first = s.base.lps()
		old := labels.Read(s.name+labelsSuffix, func(gid uint64) bool { return gid < first })
		for _, gid := range slices.Sorted(maps.Keys(old)) {
			w.Add(gid, old[gid])
		}
	}
	for gid := range n {
		w.Add(first+gid, s.o.Label(gid))
	}
	if err := w.Close(); err != nil {
		return err
	}
	return s.disk.create(s.name+labelsSuffix+newSuffix, b.Bytes())
}

// dropLabels removes the labels of the checkpoint that will be replaced, so that those of another
// model never stand beside the new one. If this one is not committed, the old one has lost its
// labels and nothing else.
func (s *Store) dropLabels() error {
	if s.base != nil {
		return nil // they are still right
	}
	if _, err := os.Lstat(s.name + labelsSuffix); err != nil {
		return nil
	}
	return s.disk.removeAll(s.name + labelsSuffix)
}

// finishLabels gives the labels of a committed checkpoint their final name, if it has any.
func (s *Store) finishLabels() error {
	path := s.name + labelsSuffix
	if _, err := os.Lstat(path + newSuffix); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return s.disk.rename(path+newSuffix, path)
}

// Labels returns what the model called those LPs of the checkpoint that wanted chooses, by gid; nil
// chooses all. It returns none if the model had no names for LPs, and if the file is missing or
// damaged: nothing but texts for people depends on it.
func (c *Checkpoint) Labels(wanted func(gid uint64) bool) map[uint64]string {
	return labels.Read(c.name+labelsSuffix, wanted)
}
