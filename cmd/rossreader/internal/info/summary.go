// This file collects the summary of a file, and the sets of ids in it.

package info

import (
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/origin"
	"github.com/ross-go/ross/instr"
)

// Summary is the description of a file, the object of --json.
type Summary struct {
	File        string            `json:"file"`
	Content     string            `json:"content"`  // gvt, rt, vt, analysis, model, trace, memory, unknown
	Original    bool              `json:"original"` // certainly written by the original ROSS
	Bytes       int64             `json:"bytes"`    // up to the end of the last good record
	Whole       bool              `json:"whole"`    // the last record is good as well
	Part        bool              `json:"part"`     // the run has not given the file its final name
	Error       string            `json:"error,omitempty"`
	Records     map[string]uint64 `json:"records"` // by kind
	PEs         int               `json:"pes"`
	KPs         int               `json:"kps"`
	LPs         int               `json:"lps"`
	VirtualTime *Range            `json:"virtual_time,omitempty"`
	RealTime    *Range            `json:"real_time,omitempty"` // seconds
	Totals      *Totals           `json:"totals,omitempty"`
	Memory      *Memory           `json:"memory,omitempty"`
	Payloads    map[string]sizes  `json:"payload_sizes,omitempty"` // by kind
}

// Range is the least and the greatest finite value.
type Range struct {
	From float64 `json:"from"`
	To   float64 `json:"to"`
}

// Totals are sums over the records of one kind.
type Totals struct {
	Of             string  `json:"of"` // pe, kp or lp
	Processed      uint64  `json:"events_processed"`
	Aborted        uint64  `json:"events_aborted"`
	RolledBack     uint64  `json:"events_rolled_back"`
	Net            int64   `json:"net_events"`
	Rollbacks      uint64  `json:"total_rollbacks"`
	Primary        int64   `json:"primary_rollbacks"`
	Secondary      uint64  `json:"secondary_rollbacks"`
	FossilCollects uint64  `json:"fossil_collects"`
	NetworkSends   uint64  `json:"network_sends"`
	NetworkReads   uint64  `json:"network_recvs"`
	Efficiency     float32 `json:"efficiency"` // percent
}

// Memory is the most that samples of memory have of a process, and the highest limit, in bytes.
type Memory struct {
	Used  uint64 `json:"used_most_bytes"`
	Limit uint64 `json:"limit_bytes"`
}

// sizes is the number of records by the size of their payload in bytes.
type sizes map[int]uint64

// gatherer collects data from the records of a file.
type gatherer struct {
	s             Summary
	counts        [cli.NumKinds]uint64
	totals        [instr.KindLP + 1]Totals
	pes, kps, lps idSet
	virtual, real extent
	payload       [cli.NumKinds]sizes
	origin        origin.Detector
}

func summarise(in cli.Input) *Summary {
	g := &gatherer{virtual: newExtent(), real: newExtent()}
	g.s = Summary{File: in.Name, Whole: true, Part: strings.HasSuffix(in.Name, instr.PartSuffix), Records: map[string]uint64{}}
	r, err := in.Open()
	if err != nil {
		g.s.Whole, g.s.Error, g.s.Content = false, err.Error(), cli.ContentName(instr.Unknown)
		return &g.s
	}
	defer r.Close()
	g.s.Error = g.readAll(r)
	g.s.Whole = g.s.Error == ""
	g.s.Content, g.s.Bytes = cli.ContentName(r.Content()), r.Offset()
	g.finish()
	return &g.s
}

func (g *gatherer) finish() {
	s := &g.s
	s.Original = g.origin.Sure()
	s.PEs, s.KPs, s.LPs = g.pes.count, g.kps.count, g.lps.count
	size := 64
	if g.counts[instr.KindEvent] > 0 {
		size = 32
	}
	s.VirtualTime, s.RealTime = g.virtual.result(size), g.real.result(size)
	for kind, n := range g.counts {
		name := instr.Kind(kind).String()
		if n > 0 {
			s.Records[name] = n
		}
		if p := g.payload[kind]; p != nil {
			if s.Payloads == nil {
				s.Payloads = map[string]sizes{}
			}
			s.Payloads[name] = p
		}
	}
	for kind := range g.totals { // those of PEs have the most data
		if g.counts[kind] > 0 {
			t := &g.totals[kind]
			t.Of = instr.Kind(kind).String()
			t.Net = int64(t.Processed) - int64(t.RolledBack)
			t.Primary = int64(t.Rollbacks) - int64(t.Secondary)
			t.Efficiency = instr.Efficiency(t.Processed, t.RolledBack)
			s.Totals = t
			return
		}
	}
}

func (g *gatherer) take(r *instr.Record) {
	g.counts[r.Kind]++
	switch r.Kind {
	case instr.KindEvent:
		e := &r.Event
		g.lps.add(uint64(e.Src))
		g.lps.add(uint64(e.Dest))
		g.virtual.add(float64(e.RecvTS))
		g.real.add(float64(e.RealTS))
		g.addPayload(r.Kind, len(e.Payload))
		return
	case instr.KindVTModel:
		v := &r.VTModel
		g.seen(v.PE, v.KP, v.LP)
		g.virtual.add(v.TS)
		g.origin.See(r)
		if !g.origin.Sure() { // the original does not set it
			g.real.add(v.RealTime)
		}
		g.addPayload(r.Kind, len(v.Payload))
		return
	case instr.KindPE:
		g.pes.add(uint64(r.PE.PE))
		g.addPE(&r.PE)
	case instr.KindKP:
		g.pes.add(uint64(r.KP.PE))
		g.kps.add(uint64(r.KP.PE)<<32 | uint64(r.KP.KP))
		g.addKP(&r.KP)
	case instr.KindLP:
		g.seen(uint64(r.LP.PE), uint64(r.LP.KP), uint64(r.LP.LP))
		g.addLP(&r.LP)
	case instr.KindModel:
		g.seen(uint64(r.Model.PE), uint64(r.Model.KP), uint64(r.Model.LP))
		g.addPayload(r.Kind, len(r.Model.Payload))
	case instr.KindMemory:
		g.pes.add(uint64(r.Memory.PE))
		g.addMemory(&r.Memory)
	}
	g.virtual.add(r.Meta.TS)
	g.real.add(r.Meta.RealTime)
	g.origin.See(r)
}

func (g *gatherer) seen(pe, kp, lp uint64) {
	g.pes.add(pe)
	g.kps.add(pe<<32 | kp&(1<<32-1))
	g.lps.add(lp)
}

func (g *gatherer) addPayload(kind instr.Kind, size int) {
	if g.payload[kind] == nil {
		g.payload[kind] = sizes{}
	}
	g.payload[kind][size]++
}

func (g *gatherer) addMemory(m *instr.MemoryStats) {
	if g.s.Memory == nil {
		g.s.Memory = &Memory{}
	}
	g.s.Memory.Used, g.s.Memory.Limit = max(g.s.Memory.Used, m.Used), max(g.s.Memory.Limit, m.Limit)
}

func (g *gatherer) addPE(s *instr.PEStats) {
	t := &g.totals[instr.KindPE]
	t.add(s.Processed, s.Aborted, s.RolledBack, s.NetworkSends, s.NetworkReads)
	t.Rollbacks += uint64(s.Rollbacks)
	t.Secondary += uint64(s.SecondaryRollbacks)
	t.FossilCollects += uint64(s.FossilCollects)
}

func (g *gatherer) addKP(s *instr.KPStats) {
	t := &g.totals[instr.KindKP]
	t.add(s.Processed, s.Aborted, s.RolledBack, s.NetworkSends, s.NetworkReads)
	t.Rollbacks += uint64(s.Rollbacks)
	t.Secondary += uint64(s.SecondaryRollbacks)
}

func (g *gatherer) addLP(s *instr.LPStats) {
	g.totals[instr.KindLP].add(s.Processed, s.Aborted, s.RolledBack, s.NetworkSends, s.NetworkReads)
}

func (t *Totals) add(processed, aborted, rolledBack, sends, reads uint32) {
	t.Processed += uint64(processed)
	t.Aborted += uint64(aborted)
	t.RolledBack += uint64(rolledBack)
	t.NetworkSends += uint64(sends)
	t.NetworkReads += uint64(reads)
}

// extent is the range of the finite values seen.
type extent struct{ from, to float64 }

func newExtent() extent { return extent{math.Inf(1), math.Inf(-1)} }

func (x *extent) add(v float64) {
	if math.Abs(v) < math.MaxFloat64 { // which the original writes if there is no time
		x.from, x.to = min(x.from, v), max(x.to, v)
	}
}

// result returns the range in the shortest numbers that are exact for a size in bits.
func (x *extent) result(size int) *Range {
	if x.from > x.to {
		return nil
	}
	short := func(v float64) float64 {
		v, _ = strconv.ParseFloat(cli.FormatFloat(v, size), 64) // its text
		return v
	}
	return &Range{short(x.from), short(x.to)}
}

// dense is the number of ids, from 0 on, that have a bit each: at most 2 MiB.
const dense = 1 << 24

// idSet counts different ids.
type idSet struct {
	count int
	bits  []uint64
	large map[uint64]struct{}
}

func (s *idSet) add(id uint64) {
	if id >= dense {
		s.addLarge(id)
		return
	}
	word, bit := int(id/64), uint64(1)<<(id%64)
	if word >= len(s.bits) {
		s.bits = append(s.bits, make([]uint64, word+1-len(s.bits))...)
	}
	if s.bits[word]&bit == 0 {
		s.bits[word] |= bit
		s.count++
	}
}

func (s *idSet) addLarge(id uint64) {
	if s.large == nil {
		s.large = map[uint64]struct{}{}
	}
	if _, known := s.large[id]; !known {
		s.large[id] = struct{}{}
		s.count++
	}
}

// readAll reads all good records and returns why there are no more, or "".
func (g *gatherer) readAll(r *cli.Reader) string {
	for {
		record, err := r.Next()
		if err == io.EOF {
			return ""
		}
		if err != nil {
			return err.Error()
		}
		g.take(record)
	}
}
