// This file owns a checkpoint's table of types, and notes about scratch. The table has a row for each LP type,
// which stands for its first message, too, and then one for each further message.

package checkpoint

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/sys/plain"
	"github.com/ross-go/ross/rio"
)

// row is a row of the table of types.
type row struct {
	t *kernel.Type // nil in the row of a further message
	m *kernel.Message
}

// rowsOf returns the rows for the types of a model.
func rowsOf(types []*kernel.Type) (rows []row) {
	for _, t := range types {
		rows = append(rows, row{t, t.Messages[0]})
	}
	for _, t := range types {
		for _, m := range t.Messages[1:] {
			rows = append(rows, row{nil, m})
		}
	}
	return rows
}

// name returns the name of a row.
func (r row) name() string {
	return r.nameIn(r.m.To.Name)
}

// formerName returns the name of a row in checkpoints of versions that named types after their packages
// as well.
func (r row) formerName() string { return r.nameIn(cmp.Or(r.m.To.Whole, r.m.To.Name)) }

// nameIn returns the name of a row if its type has a name.
func (r row) nameIn(name string) string {
	if r.t == nil {
		return fmt.Sprintf("message %s of %s", r.m.Name, name)
	}
	return name
}

// nameAs names rows as a checkpoint does to which they are to be added.
func nameAs(all, there []rio.Type, rows []row) {
	for i := range min(len(all), len(there)) {
		if there[i].Name == rows[i].formerName() {
			all[i].Name = there[i].Name
		}
	}
}

// stored returns the row as it is stored.
func (r row) stored() rio.Type {
	s := rio.Type{Name: r.name(), Message: r.m.Layout, MessageSize: uint64(r.m.Size)}
	if r.t != nil {
		s.State, s.StateSize, s.Serialized = r.t.Serial.State, uint64(r.t.StateSize), r.t.Serial.Put != nil
	}
	return s
}

// timed is the bit of an event's bit field which is set if After sent it: the number of its timer
// follows the message.
const timed = 1

// kindOf is what the record of an event holds about its message.
type kindOf struct{ row, bits uint32 }

// kindsOf returns what records say about each message of a run, by Message.ID.
func kindsOf(r *kernel.Run) []kindOf {
	kinds := make([]kindOf, len(r.Messages))
	for i, row := range rowsOf(r.Types) {
		kinds[row.m.ID] = kindOf{uint32(i), 0}
		if t := row.m.Timed; t != nil {
			kinds[t.ID] = kindOf{uint32(i), timed}
		}
	}
	return kinds
}

// rowLike returns the row of the model that corresponds to row i of the checkpoint.
func (l *loading) rowLike(rows []row, i int, is *rio.Type) (row, error) {
	at := -1
	for _, name := range []func(row) string{row.name, row.formerName} {
		if i < len(rows) && name(rows[i]) == is.Name { // several types may have the same name
			at = i
		}
		if at < 0 {
			at = slices.IndexFunc(rows, func(r row) bool { return name(r) == is.Name })
		}
		if at >= 0 {
			break
		}
	}
	if at < 0 {
		var names []string
		for _, r := range rows {
			names = append(names, r.name())
		}
		return row{}, l.fail(Err, sameModel, "it has LPs of type %q, which the model does not have; it has only %q", is.Name,
			names)
	}
	r := rows[at]
	name := r.m.To.Name
	switch {
	case is.MessageSize != uint64(r.m.Size):
		return r, l.fail(Err, sameModel, "messages to LPs of type %q have %d bytes in it, and %d in the model", name,
			is.MessageSize, r.m.Size)
	case is.Message != r.m.Layout:
		return r, l.fail(Err, sameModel, "messages to LPs of type %q have other fields in it than in the model", name)
	case r.t == nil:
		return r, nil
	case is.Serialized != (r.t.Serial.Get != nil):
		return r, l.fail(Err, sameModel, "states of LPs of type %q were serialized by the model, or are now, but not both",
			name)
	case !is.Serialized && is.StateSize != uint64(r.t.StateSize):
		return r, l.fail(Err, sameModel, "states of LPs of type %q have %d bytes in it, and %d in the model", name,
			is.StateSize, r.t.StateSize)
	case !is.Serialized && is.State != r.t.Serial.State:
		return r, l.fail(Err, sameModel, "states of LPs of type %q have other fields in it than in the model", name)
	}
	return r, nil
}

// messageOf returns the message of an event of the checkpoint. The events of ROSS's own checkpoints
// do not say what they have.
func (l *loading) messageOf(s *Checkpoints, e *rio.Event) *kernel.Message {
	if l.cp.Original() {
		return s.Run.TypeAt(e.Dst).Messages[0]
	}
	m := l.rows[e.Type].m // package rio has compared the number with that of the rows
	if e.Bits&timed != 0 {
		m = m.Timed
	}
	return m
}

// Notes about scratch, which checkpoints do not store, although the model seems to count
// on it.

// scratchFields has, by Type.ID, the path of a field in scratch that has a value.
type scratchFields map[uint16]string

// add adds the fields of types that have no known field.
func (f *scratchFields) add(o scratchFields) {
	for id, path := range o {
		if _, ok := (*f)[id]; !ok {
			f.set(id, path)
		}
	}
}

func (f *scratchFields) set(id uint16, path string) {
	if *f == nil {
		*f = scratchFields{}
	}
	(*f)[id] = path
}

// scratchNotes is what is known, and has been reported, of scratch in the states of a run.
type scratchNotes struct {
	initial scratchFields // what has a value before the first event, which Init or PreRun must have set
	noted   map[uint16]bool
}

// find adds the first field, for each type, that has a value and is of a kind in some LP of a list.
func (f *scratchFields) find(lps []kernel.LP, of func(*plain.Scratch) bool) {
	for i := range lps {
		t := lps[i].Type()
		if len(t.Scratch) == 0 || t.Serial.Put != nil || (*f)[t.ID] != "" {
			continue
		}
		for j := range t.Scratch {
			if s := &t.Scratch[j]; of(s) && s.IsSet(lps[i].State) {
				f.set(t.ID, s.Path)
				break
			}
		}
	}
}

// noteInitial finds states that cannot be stored, and scratch that has a value before the first event. After a restart
// it will have none, since Init is not called. What handlers make when they find it missing has no value yet.
func (s *Checkpoints) noteInitial() {
	if !s.Run.Keeps {
		return
	}
	for _, pe := range s.Run.PEs {
		s.scratch.initial.find(pe.LPs, func(*plain.Scratch) bool { return true })
		for i := range pe.LPs {
			if err := refused(&pe.LPs[i]); err != nil {
				pe.Fail(err)
				return
			}
		}
	}
	if s.Running != nil {
		s.Running.next.scratch.add(s.scratch.initial)
	}
}

// findScratch finds pointers in the scratch of a PE's LPs. A handler that follows them fails after a
// restart.
func (c *Copied) findScratch(lps []kernel.LP) {
	var f scratchFields
	f.find(lps, (*plain.Scratch).IsPointer)
	c.lock.Lock()
	defer c.lock.Unlock()
	c.scratch.add(f)
}

// noteScratch reports to the user, once for each type, which scratch has a value.
func (s *Checkpoints) noteScratch(f scratchFields) {
	for _, t := range s.Run.Types {
		path, ok := f[t.ID]
		if !ok || s.scratch.noted[t.ID] {
			continue
		}
		if s.scratch.noted == nil {
			s.scratch.noted = map[uint16]bool{}
		}
		s.scratch.noted[t.ID] = true
		s.Run.Caution(
			"LP type %q: %s is scratch (ross:\"-\") with a value, which checkpoints do not store: after a restart, which does not call Init, it has none; "+
				"keep parameters outside of the state (docs/checkpoints.md); nothing is wrong if handlers make the value when it is missing", t.Name, path)
	}
}
