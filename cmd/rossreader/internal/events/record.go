// This file owns what is read from the file when it is asked for: records, fields of payloads, and the way to a first
// cause.

package events

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
)

// fields is a type of LP: its name, and the fields of what it adds to events, without the exact block.
type fields struct {
	name   string
	layout instr.Layout
	size   int // bytes of the whole payload
}

// describe reads what ran, and what the LPs are called.
func (t *Trace) describe() {
	t.names = cli.LabelsOf(t.path, nil)
	info, err := instr.ReadRunInfo(filepath.Dir(t.path))
	if err != nil {
		return
	}
	t.info, t.exact = info, info.Exact == instr.ExactLayout
	for i := range info.Types {
		l, err := info.Types[i].Layout(instr.KindEvent)
		f := fields{name: info.Types[i].Name, size: l.Size()}
		if err == nil {
			f.layout = l
		}
		if t.exact {
			f.layout = slices.DeleteFunc(slices.Clone(f.layout), func(of instr.Field) bool {
				return of.Offset >= f.size-instr.ExactSize
			})
		}
		f.layout = slices.DeleteFunc(f.layout, func(of instr.Field) bool { return of.Name == "_" })
		t.types = append(t.types, f)
	}
	names := info.Messages
	if !t.exact {
		names = nil
		for _, f := range t.types {
			names = append(names, f.name)
		}
	}
	for _, name := range names {
		k := slices.Index(t.kinds, name)
		if k < 0 {
			k = len(t.kinds)
			t.kinds = append(t.kinds, name)
		}
		t.kindOf = append(t.kindOf, k)
	}
}

// typeOf returns the type of the LP of a lane, nil if it is not known.
func (t *Trace) typeOf(lane int) *fields {
	if t.info == nil {
		return nil
	}
	if i := t.info.TypeOf(uint64(t.lps[lane])); i >= 0 {
		return &t.types[i]
	}
	return nil
}

// usualRecord is the size of most records, in bytes.
const usualRecord = 256

// record reads the payload of an entry and, if the trace has it, its exact block.
func (t *Trace) record(e *entry) (payload []byte, x instr.Exact, err error) {
	buf := make([]byte, usualRecord)
	n, err := t.file.ReadAt(buf, e.offset())
	if n < instr.EventSize {
		return nil, x, t.changed(e, err)
	}
	size := instr.EventSize + int(binary.LittleEndian.Uint32(buf[20:]))
	if size > n {
		buf = make([]byte, size)
		if _, err := t.file.ReadAt(buf, e.offset()); err != nil {
			return nil, x, t.changed(e, err)
		}
	}
	payload = buf[instr.EventSize:size]
	if t.exact {
		x, _ = instr.GetExact(payload)
		payload = payload[:max(len(payload)-instr.ExactSize, 0)]
	}
	return payload, x, nil
}

// changed returns the error about a record that was there when the file was first read.
func (t *Trace) changed(e *entry, err error) error {
	return fmt.Errorf("ross: input: %s: record at byte %d: %w: the file has changed: start again", t.path, e.offset(), err)
}

// kind returns the number of the kind of an event, -1 if that is not known.
func (t *Trace) kind(lane int, x *instr.Exact) int {
	at := -1
	if t.exact {
		at = int(x.Message)
	} else if t.info != nil {
		at = t.info.TypeOf(uint64(t.lps[lane]))
	}
	if at < 0 || at >= len(t.kindOf) {
		return -1
	}
	return t.kindOf[at]
}

// fieldsOf returns the texts of the fields of a payload, in the order of the layout of the LP's type. Without a layout
// there is one, in hexadecimal digits.
func (t *Trace) fieldsOf(lane int, payload []byte) (names, texts []string) {
	of := t.typeOf(lane)
	whole := len(payload)
	if t.exact {
		whole += instr.ExactSize
	}
	if of == nil || len(of.layout) == 0 || of.size != whole {
		if len(payload) == 0 {
			return nil, nil
		}
		return []string{"payload"}, []string{hex.EncodeToString(payload)}
	}
	for i := range of.layout {
		f := &of.layout[i]
		values := make([]string, f.Values())
		for v := range values {
			values[v] = textOf(f, payload, v)
		}
		names, texts = append(names, f.Name), append(texts, strings.Join(values, " "))
	}
	return names, texts
}

// textOf returns a value of a field as a text.
func textOf(f *instr.Field, payload []byte, v int) string {
	switch f.Type {
	case instr.FieldFloat:
		return cli.FormatFloat(f.Float(payload, v), 8*f.Width)
	case instr.FieldInt:
		return strconv.FormatInt(f.Int(payload, v), 10)
	case instr.FieldBytes:
		return hex.EncodeToString(f.Bytes(payload, v))
	}
	return strconv.FormatUint(f.Uint(payload, v), 10)
}

// mostHops is the largest number of events of a path.
const mostHops = 10_000

// wayBack returns the events from event i back to its first cause, the event itself first, and whether there are more.
func (t *Trace) wayBack(i int) (all []int, more bool, err error) {
	for all = []int{i}; ; {
		if i, _, err = t.cause(i); err != nil || i == none {
			return all, false, err
		}
		if len(all) == mostHops || t.loops(all, i) {
			return all, true, nil
		}
		all = append(all, i)
	}
}

// loops reports whether a path has an event already, which guesses of causes may lead to.
func (t *Trace) loops(path []int, i int) bool {
	return !t.exact && slices.Contains(path, i)
}

// name returns how texts name the LP of a lane.
func (t *Trace) name(lane int) string { return t.names.Name(uint64(t.lps[lane])) }
