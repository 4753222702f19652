// This file owns trace: the events of a trace, counted by link and interval.

package network

import (
	"fmt"
	"math"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/program/parts/places"
)

// trace are the events that links carried.
type trace struct {
	width   float64 // of an interval, virtual time
	bins    int
	known   bool        // up to when the run goes
	counts  [][]float32 // by interval and link
	byEnds  map[[2]uint32]int
	last    float64 // receive time of the latest event
	before  float64 // that of the reading before
	outside uint64  // events between LPs without a link between them
	counted uint64  // events that links carried
}

// startTrace prepares the counting.
func (s *source) startTrace(intervals int) error {
	s.traced, s.bins = true, intervals
	s.values = []places.Value{{Name: "events", Title: "Events", Unit: "events"}}
	s.byEnds = map[[2]uint32]int{}
	for i := range s.m.Links {
		ends := [2]uint32{uint32(s.m.Links[i].From), uint32(s.m.Links[i].To)}
		if _, taken := s.byEnds[ends]; !taken { // the first of several has the events
			s.byEnds[ends] = i
		}
	}
	if s.bins*len(s.links) > mostNumbers {
		return fmt.Errorf("ross: input: %s: %d links in %d intervals: give fewer with --intervals", s.dir, len(s.links), s.bins)
	}
	end := s.info.EndTime
	if s.known = end != nil && finite(*end) && *end > 0; !s.known { // it ends with its last event
		latest, err := s.latest()
		if err != nil {
			return err
		}
		end = &latest
	}
	s.width = *end / float64(s.bins)
	return nil
}

// latest returns the receive time of the latest event so far.
func (s *source) latest() (last float64, err error) {
	last = 1
	r, err := instr.Open(s.file)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if err != nil { // reading the events finds a mistake again
			return last, nil
		}
		if at := float64(rec.Event.RecvTS); finite(at) {
			last = max(last, math.Nextafter(at, math.Inf(1)))
		}
	}
}

// blank reports whether an event is one of zeros only, as a file has them where nothing has been written yet.
func blank(e *instr.Event) bool {
	return e.Src == 0 && e.Dest == 0 && e.SendTS == 0 && e.RecvTS == 0 && e.RealTS == 0 && len(e.Payload) == 0
}

// event counts an event.
func (s *source) event(e *instr.Event) {
	at := float64(e.RecvTS)
	if e.Src == e.Dest || !finite(at) || at < 0 {
		return
	}
	s.last = max(s.last, at)
	link, ok := s.byEnds[[2]uint32{e.Src, e.Dest}]
	if !ok {
		s.outside++
		return
	}
	bin := int(at / s.width)
	if bin >= s.bins {
		if bin = s.bins - 1; at > s.width*float64(s.bins)*(1+1e-6) {
			return // the run went on after what was taken for its end
		}
	}
	for len(s.counts) <= bin {
		s.counts = append(s.counts, make([]float32, len(s.links)))
	}
	s.counts[bin][link]++
	s.counted++
}

// countFrames makes frames of the intervals that are over.
func (s *source) countFrames() {
	// What comes while the run goes on comes in parts, one of each PE: those of the reading before are complete now.
	whole := int(s.before / s.width)
	s.before = s.last
	if s.final {
		for s.known && s.info.State == instr.RunComplete && len(s.counts) < s.bins { // nothing happened up to the end
			s.counts = append(s.counts, make([]float32, len(s.links)))
		}
		whole = len(s.counts)
	}
	for i := len(s.all); i < min(whole, len(s.counts)); i++ {
		s.add(float64(i)*s.width, float64(i+1)*s.width, s.counts[i])
	}
}
