// This file owns the combination of the figures of all ranks into those of the run.

package run

import (
	"fmt"

	"github.com/ross-go/ross/internal/engine/timewarp"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/sys/plain"
	"github.com/ross-go/ross/report"
)

// rankFigures holds the figures of a rank other than those of its PEs. It holds only plain
// numbers.
type rankFigures struct {
	digest, states         uint64    // of events, of final states
	hashed                 uint64    // number of ranks that have a digest of states
	limit, peak            uint64    // bytes of memory
	messages, bytes, calls uint64    // messages sent, bytes sent, calls of MPI for messages
	beyond                 [3]uint64 // sends past the end, by kernel.DelayLikeTime and its like
	last                   float64   // time of the last event, if there is a warm-up

	reductions timewarp.Reductions // of GVT
}

// rankReport is what ranks combine when the run is over: the figures of one or of several. Figures
// without pointers travel as bytes.
type rankReport struct {
	Figures, Sum []byte // bytes of rankFigures and sumFigures
	Listed       []byte // bytes of a peFigures for each PE, if the report lists them
	Stats        report.Summary
}

// add adds the report of the ranks that follow.
func (r *rankReport) add(o *rankReport) {
	figures, sum := read[rankFigures](r.Figures), read[sumFigures](r.Sum)
	figures.add(read[rankFigures](o.Figures))
	sum.add(read[sumFigures](o.Sum))
	r.Figures, r.Sum = plain.BytesOf(figures, 1), plain.BytesOf(sum, 1)
	r.Listed = append(r.Listed, o.Listed...)
	r.Stats.Add(&o.Stats)
}

// read returns a copy of the value whose bytes are given.
func read[T any](b []byte) *T {
	v := new(T)
	copy(plain.BytesOf(v, 1), b)
	return v
}

// add adds the figures of another rank. All ranks take part in each reduction, so these are
// not added up.
func (r *rankFigures) add(o *rankFigures) {
	r.digest += o.digest
	r.states += o.states
	r.hashed += o.hashed
	r.limit += o.limit
	r.peak += o.peak
	r.messages += o.messages
	r.bytes += o.bytes
	r.calls += o.calls
	for kind := range r.beyond {
		r.beyond[kind] += o.beyond[kind]
	}
	r.last = max(r.last, o.last)
	r.reductions.All = max(r.reductions.All, o.reductions.All)
	r.reductions.Shared = max(r.reductions.Shared, o.reductions.Shared)
	r.reductions.Calls += o.reductions.Calls
}

// join replaces the figures of this rank by those of all ranks, and returns those of all PEs, and
// one by one those that the report lists: none if there are many. In a run of one rank it only adds
// up.
func (s *Engine) join(here *rankFigures, pes []peFigures) (*sumFigures, []peFigures, error) {
	sum, listed := sumOf(pes), pes
	if s.NumPEs() > mostListed {
		listed = nil
	}
	if s.Cluster.Ranks == 1 {
		return sum, listed, nil
	}
	for _, pe := range s.Locals {
		if pe.Remote == nil { // the PEs could not be connected
			continue
		}
		n := pe.Remote.Box.Counts()
		here.messages += n.Sent
		here.bytes += n.BytesSent
		here.calls += n.Calls
	}
	here.reductions = s.reductions
	own := &rankReport{Figures: plain.BytesOf(here, 1), Sum: plain.BytesOf(sum, 1), Stats: s.Stats}
	if len(listed) > 0 {
		own.Listed = plain.BytesOf(&listed[0], len(listed))
	}
	size := len(own.Listed)
	all, err := ranks.Fold(s.Cluster.World, own, (*rankReport).add)
	if err != nil {
		return sum, listed, err
	}
	*here, sum, s.Stats = *read[rankFigures](all.Figures), read[sumFigures](all.Sum), all.Stats
	if listed != nil {
		listed = make([]peFigures, s.NumPEs())
		if n := copy(plain.BytesOf(&listed[0], len(listed)), all.Listed); n != len(all.Listed) ||
			n != len(listed)*size/len(s.Locals) {
			return sum, listed,
				fmt.Errorf(
					"ross: Run: the ranks gave figures of %d bytes for %d PEs, rank %d %d bytes for %d: start the same program on all ranks",
					len(all.Listed), len(listed), s.Cluster.Rank, size, len(s.Locals))
		}
	}
	s.Stats.AllReduceCalls, s.Stats.SharedReduces = here.reductions.All, here.reductions.Shared
	if s.Set.Digest {
		s.Stats.Digest = &here.digest
	}
	if s.Stats.StateDigest = nil; here.hashed == uint64(s.Cluster.Ranks) {
		s.Stats.StateDigest = &here.states
	}
	return sum, listed, nil
}

// networkFigures returns the lines of the report about the network.
func (r *rankFigures) networkFigures(st *report.Summary) []report.Figure {
	events := float64(max(st.RemoteSends, 1))
	gvt := r.reductions
	return []report.Figure{
		{Label: "Messages between Ranks", Value: fmt.Sprint(r.messages)},
		{Label: "Events and Anti-Messages per Message",
			Value: fmt.Sprintf("%.1f", float64(st.RemoteSends)/float64(max(r.messages, 1)))},
		{Label: "Bytes per Event and Anti-Message", Value: fmt.Sprintf("%.1f", float64(r.bytes)/events)},
		{Label: "MPI Calls for Messages, for GVT", Value: fmt.Sprintf("%d, %d", r.calls, gvt.Calls)},
		{Label: "All-Reduces for GVT: in Shared Memory, by MPI",
			Value: fmt.Sprintf("%d, %d", gvt.Shared, gvt.All-min(gvt.Shared, gvt.All))},
		{Label: "Events and Anti-Messages per MPI Call",
			Value: fmt.Sprintf("%.1f", events/float64(max(r.calls+gvt.Calls, 1)))},
	}
}
