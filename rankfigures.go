// This file owns how the figures of all ranks become those of the run.

package ross

import (
	"fmt"
	"github.com/ross-go/ross/internal/plain"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/report"
)

// rankFigures is what a rank adds to those of its PEs: plain numbers.
type rankFigures struct {
	digest, states          uint64
	hashed                  uint64 // ranks that have a digest of their states
	limit, peak             uint64 // bytes of memory
	messages, bytes, calls  uint64 // sent; sent; of MPI, those for GVT too
	reductions, reduceCalls uint64
	beyond                  [3]uint64 // sends past the end, by delayKind
}

// rankReport is what a rank tells the others when its run is over. Figures without pointers
// travel as bytes.
type rankReport struct {
	Figures, PEs []byte
	Stats        report.Stats
}

// add adds those of another rank. All of them take part in each reduction.
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
	r.reductions = max(r.reductions, o.reductions)
	r.reduceCalls += o.reduceCalls
}

// join makes the figures of all ranks of those of this one, and returns those of all
// PEs. In a run of one rank there is nothing to do.
func (s *Simulation) join(here *rankFigures, pes []peFigures) ([]peFigures, error) {
	if s.ranks == 1 {
		return pes, nil
	}
	for _, pe := range s.pes {
		n := pe.far.box.Counts()
		here.messages += n.Sent
		here.bytes += n.BytesSent
		here.calls += n.Calls
	}
	here.reductions, here.reduceCalls = s.reductions, s.reduceCalls
	all, err := ranks.Gather(s.world, &rankReport{plain.BytesOf(here, 1), plain.BytesOf(&pes[0], len(pes)), s.stats})
	if err != nil {
		return pes, err
	}
	n := len(pes)
	joined := make([]peFigures, n*len(all))
	*here = rankFigures{}
	s.stats = all[0].Stats
	for rank := range all {
		var r rankFigures
		copy(plain.BytesOf(&r, 1), all[rank].Figures)
		here.add(&r)
		copy(plain.BytesOf(&joined[rank*n], n), all[rank].PEs)
		if rank > 0 {
			s.stats.Add(&all[rank].Stats)
		}
	}
	s.stats.AllReduceCalls = here.reductions
	if s.cfg.Digest {
		s.stats.Digest = &here.digest
	}
	if s.stats.StateDigest = nil; here.hashed == uint64(s.ranks) {
		s.stats.StateDigest = &here.states
	}
	return joined, nil
}

// networkFigures returns what the report says of the network.
func (r *rankFigures) networkFigures(st *report.Stats) []report.Figure {
	events := float64(max(st.RemoteSends, 1))
	return []report.Figure{
		{Label: "Messages between Ranks", Value: fmt.Sprint(r.messages)},
		{Label: "Events and Anti-Messages per Message", Value: fmt.Sprintf("%.1f", float64(st.RemoteSends)/float64(max(r.messages, 1)))},
		{Label: "Bytes per Event and Anti-Message", Value: fmt.Sprintf("%.1f", float64(r.bytes)/events)},
		{Label: "MPI Calls for Messages, for GVT", Value: fmt.Sprintf("%d, %d", r.calls, r.reduceCalls)},
		{Label: "Events and Anti-Messages per MPI Call", Value: fmt.Sprintf("%.1f", events/float64(max(r.calls+r.reduceCalls, 1)))},
	}
}
