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
	"github.com/ross-go/ross/internal/num/counters"
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

// Totals are sums over the records of one kind. Figures of a record have the same names.
type Totals struct {
	Of                 string  `json:"of"` // pe, kp or lp
	Processed          uint64  `json:"events_processed"`
	Aborted            uint64  `json:"events_aborted"`
	RolledBack         uint64  `json:"events_rolled_back"`
	Net                int64   `json:"net_events"`
	Rollbacks          uint64  `json:"total_rollbacks"`
	Primary            int64   `json:"primary_rollbacks"`
	SecondaryRollbacks uint64  `json:"secondary_rollbacks"`
	FossilCollects     uint64  `json:"fossil_collects"`
	NetworkSends       uint64  `json:"network_sends"`
	NetworkReads       uint64  `json:"network_recvs"`
	Efficiency         float32 `json:"efficiency"` // percent
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
	g.s = Summary{File: in.Name, Whole: true, Part: strings.HasSuffix(in.Name, instr.PartSuffix),
		Records: map[string]uint64{}}
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
			t.Primary = int64(t.Rollbacks) - int64(t.SecondaryRollbacks)
			t.Efficiency = instr.Efficiency(t.Processed, t.RolledBack)
			s.Totals = t
			return
		}
	}
}

// What the records of each kind add to the totals.
var (
	addPE = counters.Adding[Totals, instr.PEStats]()
	addKP = counters.Adding[Totals, instr.KPStats]()
	addLP = counters.Adding[Totals, instr.LPStats]()
)

func (g *gatherer) take(r *instr.Record) {
	g.counts[r.Kind]++
	of := cli.CommonOf(r)
	g.seen(&of)
	g.origin.See(r)
	g.virtual.add(of.At)
	if r.Kind != instr.KindVTModel || !g.origin.Sure() { // the original does not set it
		g.real.add(of.Real)
	}
	switch r.Kind {
	case instr.KindPE:
		addPE(&g.totals[r.Kind], &r.PE)
	case instr.KindKP:
		addKP(&g.totals[r.Kind], &r.KP)
	case instr.KindLP:
		addLP(&g.totals[r.Kind], &r.LP)
	case instr.KindEvent:
		g.lps.add(uint64(r.Event.Src))
	case instr.KindMemory:
		if g.s.Memory == nil {
			g.s.Memory = &Memory{}
		}
		g.s.Memory.Used, g.s.Memory.Limit = max(g.s.Memory.Used, r.Memory.Used), max(g.s.Memory.Limit, r.Memory.Limit)
	}
	if cli.HasPayload(r.Kind) {
		if g.payload[r.Kind] == nil {
			g.payload[r.Kind] = sizes{}
		}
		g.payload[r.Kind][len(cli.PayloadOf(r))]++
	}
}

// seen notes the PE, the KP and the LP of a record.
func (g *gatherer) seen(of *cli.Common) {
	if of.HasPE {
		g.pes.add(of.PE)
	}
	if of.HasKP {
		g.kps.add(of.PE<<32 | of.KP&(1<<32-1))
	}
	if of.HasLP {
		g.lps.add(of.LP)
	}
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
