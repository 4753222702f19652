// This file owns what figures are drawn against: options in which runs differ, and what else differs between them.

package figures

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/ross-go/ross/cmd/rossreader/internal/runlist"
	"github.com/ross-go/ross/instr"
)

// The groups of dimensions.
const (
	groupOptions = "Options"
	groupRun     = "The run"
)

// repeats are options that tell runs from one another without changing what is simulated. A page does not begin with
// them.
var repeats = regexp.MustCompile(`^((core-)?rng-seed[0-9]*|seed|replication|io-name|report-path)$`)

// ofRun are what a run says of itself besides options.
var ofRun = []struct {
	key string
	of  func(i *instr.RunInfo) string
}{
	{"model", func(i *instr.RunInfo) string { return i.Model }},
	{"scheduler", func(i *instr.RunInfo) string { return i.Scheduler }},
	{"ranks", func(i *instr.RunInfo) string { return number(i.Ranks) }},
	{"PEs", func(i *instr.RunInfo) string { return number(i.PEs) }},
	{"KPs", func(i *instr.RunInfo) string { return number(i.KPs) }},
	{"LPs", func(i *instr.RunInfo) string { return number(i.LPs) }},
	{"end of virtual time", func(i *instr.RunInfo) string {
		if i.EndTime == nil {
			return "never"
		}
		return fmt.Sprint(*i.EndTime)
	}},
	{"host", func(i *instr.RunInfo) string { return i.Host.Name }},
	{"processors of the host", func(i *instr.RunInfo) string { return number(uint64(max(i.Host.Processors, 0))) }},
	{"version of ross", func(i *instr.RunInfo) string { return i.Engine.Version }},
	{"version of Go", func(i *instr.RunInfo) string { return i.Engine.Go }},
	{"system", func(i *instr.RunInfo) string { return i.Engine.System }},
	{"event queue", func(i *instr.RunInfo) string { return i.Engine.Queue }},
	{"source of the program", func(i *instr.RunInfo) string { return i.Engine.Program }},
	{"state", func(i *instr.RunInfo) string { return i.State }},
}

// number returns a number of something, "" if there is none, which means that it is not known.
func number(n uint64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatUint(n, 10)
}

// dimensions adds what runs differ in.
func (p *Page) dimensions(runs []*runlist.Run) {
	for _, name := range runlist.Differing(runs) {
		d := newDimension("--"+name, groupOptions)
		n := 0
		for _, e := range runs {
			value, known := e.Value(name)
			if d.add(value, known); known {
				n++
			}
		}
		p.data.Sides = append(p.data.Sides, *d.dimension)
		if p.data.First == "" && !repeats.MatchString(name) && 2*n >= len(runs) {
			p.data.First = d.Key
		}
	}
	for _, o := range ofRun {
		d := newDimension(o.key, groupRun)
		for _, e := range runs {
			value := o.of(e.Info)
			d.add(value, value != "")
		}
		if len(d.Values) < 2 {
			continue
		}
		p.data.Sides = append(p.data.Sides, *d.dimension)
		if o.key == "model" {
			p.data.Lines = d.Key
		}
	}
}

// maker makes a dimension.
type maker struct {
	*dimension
	places map[string]int
}

func newDimension(key, group string) *maker {
	return &maker{&dimension{Key: key, Group: group, Values: []string{}, Of: []int{}}, map[string]int{}}
}

// add adds the value of the next run.
func (m *maker) add(value string, known bool) {
	if !known {
		m.Of = append(m.Of, -1)
		return
	}
	at, ok := m.places[value]
	if !ok {
		at = len(m.Values)
		m.places[value] = at
		m.Values = append(m.Values, value)
	}
	m.Of = append(m.Of, at)
}
