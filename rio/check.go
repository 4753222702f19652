// This file owns the checks of a manifest, read or about to be written.

package rio

import (
	"errors"
	"fmt"
	"math"
)

// check checks that the manifest is consistent, and sets the jobs of the partitions.
func (m *manifest) check() error {
	if len(m.jobs) == 0 {
		return errors.New("there is no job")
	}
	for i := range m.jobs {
		if err := checkJob(&m.jobs[i]); err != nil {
			return fmt.Errorf("job %d: %w", i, err)
		}
	}
	if m.lps() > 0 && (len(m.types) == 0 || m.streams == 0) {
		return fmt.Errorf("%d LPs with %d types and %d streams", m.lps(), len(m.types), m.streams)
	}
	if err := m.checkParts(); err != nil {
		return err
	}
	return m.checkPlaces()
}

func checkJob(j *Job) error {
	if j.FirstGID > math.MaxInt64 || j.LPs > math.MaxInt64-j.FirstGID {
		return fmt.Errorf("%d LPs from gid %d on are more than possible", j.LPs, j.FirstGID)
	}
	if !finite(j.Clock) || math.IsNaN(j.End) {
		return fmt.Errorf("clock %v and end %v are not times", j.Clock, j.End)
	}
	return nil
}

// checkParts checks that jobs and partitions have the same LPs.
func (m *manifest) checkParts() error {
	rest := m.entries
	for i, j := range m.jobs {
		if j.Parts > uint64(len(rest)) {
			return fmt.Errorf("job %d has %d partitions, found %d", i, j.Parts, len(rest))
		}
		var lps uint64
		for k := range rest[:j.Parts] {
			rest[k].Job = uint32(i)
			lps += rest[k].LPs // they fit in the file: see checkPlace
		}
		if lps != j.LPs {
			return fmt.Errorf("job %d has %d LPs, found %d in its partitions", i, j.LPs, lps)
		}
		rest = rest[j.Parts:]
	}
	if len(rest) > 0 {
		return fmt.Errorf("%d partitions belong to no job", len(rest))
	}
	return nil
}

// checkPlaces checks that the partitions lie back to back in their files, from the header to the
// end, and can hold their records.
func (m *manifest) checkPlaces() error {
	for i := range m.files {
		if size := m.files[i].size; size < dataHead || size > math.MaxInt64 {
			return fmt.Errorf("data file %d: it cannot have %d bytes", i, size)
		}
	}
	ends := make([]uint64, len(m.files))
	for i := range ends {
		ends[i] = dataHead
	}
	for i := range m.entries {
		e := &m.entries[i]
		if err := m.checkPlace(e, ends); err != nil {
			return fmt.Errorf("partition %d: %w", i, err)
		}
		ends[e.File] += e.Size
	}
	for i, end := range ends {
		if end != m.files[i].size {
			return fmt.Errorf("data file %d: its partitions end at %d, it has %d bytes", i, end, m.files[i].size)
		}
	}
	return nil
}

// checkPlace checks a partition that must begin where the partitions of its file so far end.
func (m *manifest) checkPlace(e *Entry, ends []uint64) error {
	switch {
	case uint64(e.File) >= uint64(len(ends)):
		return fmt.Errorf("data file %d, there are %d", e.File, len(ends))
	case e.Offset != ends[e.File]:
		return fmt.Errorf("expected at offset %d of data file %d, found at %d", ends[e.File], e.File, e.Offset)
	case e.Size > m.files[e.File].size-e.Offset:
		return fmt.Errorf("%d bytes at %d, data file %d has %d", e.Size, e.Offset, e.File, m.files[e.File].size)
	case !e.Compressed && e.Raw != e.Size:
		return fmt.Errorf("%d bytes that are not compressed cannot hold %d", e.Size, e.Raw)
	case e.Compressed && (e.Raw <= e.Size || e.Raw > lz4Max || e.Raw/lz4Ratio > e.Size):
		return fmt.Errorf("%d bytes cannot be %d compressed ones", e.Raw, e.Size)
	case !roomFor(e.Raw, e.LPs, e.Events):
		return fmt.Errorf("%d bytes are too few for %d LPs and %d events", e.Raw, e.LPs, e.Events)
	}
	return nil
}
