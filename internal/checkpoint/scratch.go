// This file owns notes about scratch, which checkpoints do not store, although the model seems to count
// on it.

package checkpoint

import (
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/plain"
)

// scratchFields has, by Type.ID, the path of a field in scratch that has a value.
type scratchFields map[uint16]string

// add adds the fields of types of which none is known.
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

// scratchNotes is what is known, and has been told, of scratch in the states of a run.
type scratchNotes struct {
	initial scratchFields // what has a value before the first event, which Init or PreRun must have set
	told    map[uint16]bool
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

// noteInitial finds what has a value before the first event. After a restart it will have none, since
// Init is not called. What handlers make when they find it missing has no value yet.
func (s *Checkpoints) noteInitial() {
	if !s.Run.Keeps {
		return
	}
	for _, pe := range s.Run.PEs {
		s.scratch.initial.find(pe.LPs, func(*plain.Scratch) bool { return true })
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

// noteScratch tells the user, once for each type, which scratch has a value.
func (s *Checkpoints) noteScratch(f scratchFields) {
	for _, t := range s.Run.Types {
		path, ok := f[t.ID]
		if !ok || s.scratch.told[t.ID] {
			continue
		}
		if s.scratch.told == nil {
			s.scratch.told = map[uint16]bool{}
		}
		s.scratch.told[t.ID] = true
		s.Run.Caution("LP type %q: %s is scratch (ross:\"-\") with a value, which checkpoints do not store: after a restart, which does not call Init, it has none; "+
			"keep parameters outside of the state (docs/checkpoints.md); nothing is wrong if handlers make the value when it is missing", t.Name, path)
	}
}
