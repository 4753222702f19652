// This file owns what the files of a run say of an LP: events of the trace, and samples of the model.

package life

import (
	"cmp"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
	"github.com/ross-go/ross/instr"
)

// recordedRun is a run with files in a folder.
type recordedRun struct {
	*survey.Run
	labels map[uint64]string
}

// byGVT follows the names of fields in samples by GVT or by real time.
const byGVT = " (by GVT)"

// openFolder reads the files of a folder a first time.
func openFolder(f *cli.Flags, dir string) (*recordedRun, error) {
	run, err := survey.Folder(f, dir)
	if err != nil {
		return nil, err
	}
	r := &recordedRun{run, map[uint64]string{}}
	for id, label := range run.LabelsOf(func(uint64) bool { return true }) {
		r.labels[id] = label
	}
	return r, nil
}

// find returns the LPs that a name means: an id, or a label.
func (r *recordedRun) find(name string) (ids []uint64) {
	for id, label := range r.labels {
		if label == name {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	if id, err := strconv.ParseUint(name, 10, 64); err == nil && len(ids) == 0 && r.has(id) {
		ids = []uint64{id}
	}
	return ids
}

// has reports whether the run has an LP.
func (r *recordedRun) has(id uint64) bool {
	if r.Info != nil && r.Info.LPs > 0 {
		return id < r.Info.LPs
	}
	_, sampled := r.Home[uint32(id)]
	return sampled || uint64(r.MinLP) <= id && id <= uint64(r.MaxLP)
}

// typeOf returns the type of an LP, nil if it is not known.
func (r *recordedRun) typeOf(id uint64) *instr.RunType {
	if r.Info == nil {
		return nil
	}
	if i := r.Info.TypeOf(id); i >= 0 && i < len(r.Info.Types) {
		return &r.Info.Types[i]
	}
	return nil
}

// layout returns the layout of an LP's records of a kind.
func (r *recordedRun) layout(id uint64, kind instr.Kind) instr.Layout {
	if t := r.typeOf(id); t != nil {
		l, _ := t.Layout(kind) // without one, payloads are hexadecimal
		return l
	}
	return nil
}

// end returns when the run ended in virtual time, +Inf if that is not known.
func (r *recordedRun) end() float64 {
	if r.Info == nil || r.Info.State != instr.RunComplete || r.Info.EndTime == nil {
		return math.Inf(1)
	}
	return *r.Info.EndTime
}

// add adds what the files say of the LPs of a page.
func (r *recordedRun) add(page *scene) error {
	lps := map[uint32]*life{}
	for _, l := range page.LPs {
		lps[uint32(l.ID)] = l
	}
	name := func(id uint32) int { return page.word(lpName(uint64(id), r.labels[uint64(id)])) }
	layouts := map[uint64]instr.Layout{}
	known := func(id uint64, kind instr.Kind) instr.Layout {
		l, ok := layouts[id<<8|uint64(kind)]
		if !ok {
			l = r.layout(id, kind)
			layouts[id<<8|uint64(kind)] = l
		}
		return l
	}
	err := r.Trace(func(e *instr.Event) {
		in, out := lps[e.Dest], lps[e.Src]
		if in == nil && out == nil || !finite(float64(e.SendTS)) || !finite(float64(e.RecvTS)) {
			return
		}
		text := payloadText(known(uint64(e.Dest), instr.KindEvent), e.Payload)
		what := "event"
		if t := r.typeOf(uint64(e.Dest)); t != nil {
			what = "event of a " + t.Name
		}
		at, due := shortest(e.SendTS), shortest(e.RecvTS)
		if in != nil {
			a := &in.TraceIn
			a.At, a.What, a.By = append(a.At, due), append(a.What, page.word(what)), append(a.By, name(e.Src))
			a.Sent, a.Text = append(a.Sent, at), append(a.Text, text)
		}
		if out != nil {
			o := &out.TraceOut
			o.At, o.Due, o.To = append(o.At, at), append(o.Due, number(due)), append(o.To, name(e.Dest))
			o.What, o.Text = append(o.What, page.word(what)), append(o.Text, text)
		}
	})
	if err != nil {
		return err
	}
	for _, l := range page.LPs {
		l.TraceIn.sort()
		l.TraceOut.sort()
	}
	for _, c := range []struct {
		content instr.Content
		kind    instr.Kind
		suffix  string
	}{{instr.VTFile, instr.KindVTModel, ""}, {instr.Models, instr.KindModel, byGVT}} {
		err := r.Models(c.content, func(id uint64, at float64, payload []byte) {
			if l := lps[uint32(id)]; l != nil && finite(at) {
				l.sample(c.suffix, at, known(id, c.kind), payload)
			}
		})
		if err != nil {
			return err
		}
	}
	ahead := false
	for _, l := range page.LPs {
		for i := range l.Samples {
			l.Samples[i].sort()
			ahead = ahead || strings.HasSuffix(l.Samples[i].Path, byGVT)
		}
	}
	if ahead {
		page.Notes = append(page.Notes, "Samples by GVT have GVT as their time. The state is that after the last event that the "+
			"LP has handled, which in an optimistic run may be a later one, and may be undone. Samples at virtual times "+
			"(--model-stats=3) have the state at that time.")
	}
	if r.Info != nil && r.Info.Options["event-trace"] == "1" {
		page.Notes = append(page.Notes, "The event trace has all events that were handled, also those that were undone "+
			"(--event-trace=1). One with --event-trace=3 has those that were committed.")
	}
	return nil
}

// finite reports whether a virtual time is in the run: a sample at its end may have the greatest number.
func finite(x float64) bool { return math.Abs(x) < math.MaxFloat64 }

// shortest returns the number whose shortest text is that of a float32: 0.1 and not 0.10000000149.
func shortest(x float32) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'g', -1, 32), 64)
	return y
}

// sample adds the fields of a sample.
func (l *life) sample(suffix string, at float64, layout instr.Layout, payload []byte) {
	add := func(path string, x any) {
		f := l.listed[path]
		if f == nil {
			l.Samples = append(l.Samples, field{Path: path, Group: groupOf(path), Kind: "number"})
			for i := range l.Samples { // which may have moved
				l.listed[l.Samples[i].Path] = &l.Samples[i]
			}
			f = l.listed[path]
		}
		f.At, f.Value = append(f.At, at), append(f.Value, x)
	}
	if len(layout) == 0 || len(payload) != layout.Size() {
		return
	}
	for i := range layout {
		f := &layout[i]
		if f.Name == "_" || f.Type == instr.FieldBytes {
			continue
		}
		for k := range f.Values() {
			path := f.Name
			if f.Len > 0 {
				path += "[" + strconv.Itoa(k) + "]"
			}
			add(path+suffix, value(fieldText(f, payload, k)))
		}
	}
}

// fieldText returns a value of a payload.
func fieldText(f *instr.Field, payload []byte, k int) string {
	switch f.Type {
	case instr.FieldFloat:
		return strconv.FormatFloat(f.Float(payload, k), 'g', -1, 8*f.Width)
	case instr.FieldInt:
		return strconv.FormatInt(f.Int(payload, k), 10)
	case instr.FieldBytes:
		return hex.EncodeToString(f.Bytes(payload, k))
	}
	return strconv.FormatUint(f.Uint(payload, k), 10)
}

// payloadText returns the payload of an event as lines, each with a field.
func payloadText(layout instr.Layout, payload []byte) string {
	if len(layout) == 0 || len(payload) != layout.Size() {
		return hex.EncodeToString(payload)
	}
	var lines []string
	for i := range layout {
		f := &layout[i]
		if f.Name == "_" {
			continue
		}
		var values []string
		for k := range f.Values() {
			values = append(values, fieldText(f, payload, k))
		}
		lines = append(lines, f.Name+": "+strings.Join(values, " "))
	}
	return strings.Join(lines, "\n")
}

// sorted returns the places of numbers in ascending order.
func sorted(at []float64) []int {
	order := make([]int, len(at))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(at[i], at[k]) })
	return order
}

func pick[T any](all []T, order []int) []T {
	picked := make([]T, len(order))
	for i, k := range order {
		picked[i] = all[k]
	}
	return picked
}

func (a *arrivals) sort() {
	o := sorted(a.At)
	a.At, a.What, a.By = pick(a.At, o), pick(a.What, o), pick(a.By, o)
	a.Sent, a.Text = pick(a.Sent, o), pick(a.Text, o)
}

func (s *sends) sort() {
	o := sorted(s.At)
	s.At, s.Due, s.To, s.What, s.Text = pick(s.At, o), pick(s.Due, o), pick(s.To, o), pick(s.What, o), pick(s.Text, o)
}

func (f *field) sort() {
	o := sorted(f.At)
	f.At, f.Value = pick(f.At, o), pick(f.Value, o)
}
