// This file owns what ranks agree on about the files: where each flush goes, and how much of each
// file all of them have written.

package collect

import (
	"errors"
	"fmt"

	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/ranks/mpi"
)

// placeFlushes agrees with the other ranks on the offset of each complete flush. All ranks
// call it, with the same number of flushes.
func (in *Instruments) placeFlushes() error {
	for {
		var own [numFiles]int64
		more := int64(0)
		for i, f := range in.files {
			if f != nil {
				size, ok := f.FlushSize()
				if own[i] = size; ok {
					more = 1
				}
			}
		}
		if more == 0 {
			return nil
		}
		if err := in.placeFlush(&own); err != nil {
			return err
		}
	}
}

// placeFlush places one flush of each file after the previous ones, in the order of the
// ranks.
func (in *Instruments) placeFlush(own *[numFiles]int64) error {
	before, all := *own, *own
	err := ranks.Before(in.cluster.World, before[:])
	if err == nil {
		err = in.cluster.World.AllReduceInt64(mpi.Sum, all[:])
	}
	if err != nil {
		return err
	}
	for i, f := range in.files {
		if f == nil {
			continue
		}
		in.flushes[i] = append(in.flushes[i], flushPart{in.ends[i], own[i]})
		f.Place(in.ends[i] + before[i])
		in.ends[i] += all[i]
	}
	return nil
}

// agreeOnFiles finds out whether all ranks have written everything. If not, rank 0 reports
// the first failure and truncates the files to what all ranks have written.
func (in *Instruments) agreeOnFiles() error {
	text := ""
	var whole [numFiles]int64
	for i, f := range in.files {
		if whole[i] = in.ends[i]; f == nil {
			continue
		}
		if err := f.Err(); err != nil && text == "" {
			text = err.Error()
		}
		left := f.Bytes()
		for _, part := range in.flushes[i] {
			if left -= part.own; left < 0 {
				whole[i] = part.begin
				break
			}
		}
	}
	first := [1]int64{int64(in.cluster.Ranks)} // rank that failed
	if text != "" {
		first[0] = int64(in.cluster.Rank)
	}
	err := in.cluster.World.AllReduceInt64(mpi.Min, first[:])
	if err == nil {
		err = in.cluster.World.AllReduceInt64(mpi.Min, whole[:])
	}
	if rank := int(first[0]); err == nil && rank < in.cluster.Ranks {
		var all []byte
		if all, err = in.cluster.World.Bcast([]byte(text), rank); err == nil {
			in.broken = true
			cause := errors.New(string(all))
			in.incomplete.Store(&cause)
			fmt.Fprintf(in.run.Report,
				"rank %d: %s: its collection ended there, and the files are truncated to what all ranks have written\n", rank, all)
		}
	}
	if err != nil {
		return err
	}
	return in.cutFiles(whole)
}

// cutFiles truncates the files to the given sizes in bytes.
func (in *Instruments) cutFiles(whole [numFiles]int64) error {
	if in.cluster.Rank != 0 {
		return nil
	}
	var errs []error
	for i, f := range in.files {
		if f != nil {
			errs = append(errs, f.Cut(whole[i]))
		}
	}
	return errors.Join(errs...)
}

// agreeOnLimit finds out whether some rank has reached its limit, and reports that.
func (in *Instruments) agreeOnLimit() error {
	if in.limit == nil {
		return nil
	}
	reached := [1]int64{}
	if in.limit.Reached() {
		reached[0] = 1
	}
	err := in.cluster.World.AllReduceInt64(mpi.Max, reached[:])
	if err == nil && reached[0] != 0 {
		in.sayLimit()
	}
	return err
}
