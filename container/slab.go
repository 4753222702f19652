// This file owns Slab: records with handles that stay the same.

package container

import (
	"iter"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/run/inside"
)

// Handle names a record of a Slab. It is a small number from 1 on, so it may be sent in
// messages and be an index of other arrays. 0 is the handle of no record.
type Handle uint32

// Slab keeps records and names each with a Handle until it is removed: jobs, connections,
// anything that is found again by a number. Handles of removed records are given out again, the
// one that was removed last first. The zero Slab is empty. T holds no pointers.
//
// Add, Get and Remove take constant time, apart from growing. Add saves 4 bytes, Remove and Edit
// save the record.
type Slab[T any] struct {
	records ross.Block[record[T]]
	n       uint32 // number of records
	used    uint32 // number of slots that have ever held a record
	free    Handle // the last that was removed, 0 if there is no such record
	_       uint32
}

// record is a slot of a Slab.
type record[T any] struct {
	link  Handle // inUse, or the free slot after this one, 0 if it is the last
	value T
}

// inUse is the link of a slot that holds a record.
const inUse = ^Handle(0)

// Len returns the number of records.
func (s *Slab[T]) Len() int { return int(s.n) }

// Add adds a record and returns its handle, or 0 if there is no memory for it.
func (s *Slab[T]) Add(lp *ross.LP, v T) Handle {
	k := inside.LP(lp)
	behind := uint64(s.used)
	if s.free != 0 {
		behind = 0 // there is room
	}
	all, saves := room(lp, k, unsafe.Pointer(s), unsafe.Sizeof(*s), &s.records, behind)
	if all.base == nil {
		return 0
	}
	h := s.free
	if h == 0 {
		s.used++
		h = Handle(s.used)
		fillSlot(all, k, saves, uint32(h)-1, record[T]{inUse, v})
	} else {
		p := slotAt(all, uint32(h)-1)
		if saves {
			save(k, &p.link)
			k.SaveZeros(unsafe.Pointer(&p.value), unsafe.Sizeof(p.value))
		}
		s.free = p.link
		*p = record[T]{inUse, v}
	}
	s.n++
	return h
}

// find returns the record of a handle, or nil if there is no such record.
func (s *Slab[T]) find(lp *ross.LP, h Handle) *record[T] {
	if h == 0 || uint32(h) > s.used {
		return nil
	}
	all := open(inside.LP(lp), &s.records)
	if all.base == nil {
		return nil
	}
	p := slotAt(all, uint32(h)-1)
	if p.link != inUse {
		return nil
	}
	return p
}

// Get returns the record of a handle, or nil if there is no such record. It is for reading, and for
// calling methods of containers in the record; it is valid until the slab changes or the handler
// returns.
func (s *Slab[T]) Get(lp *ross.LP, h Handle) *T {
	if p := s.find(lp, h); p != nil {
		return &p.value
	}
	return nil
}

// Edit is Get for changing the record: it saves the record first.
func (s *Slab[T]) Edit(lp *ross.LP, h Handle) *T {
	if h == 0 || uint32(h) > s.used {
		return nil
	}
	k := inside.LP(lp)
	all, saves := change(k, unsafe.Pointer(&s.records), 0, &s.records)
	if all.base == nil {
		return nil
	}
	p := slotAt(all, uint32(h)-1)
	if p.link != inUse {
		return nil
	}
	if saves {
		save(k, &p.value)
	}
	return &p.value
}

// Remove removes a record and returns it; ok is false if no record has that handle.
func (s *Slab[T]) Remove(lp *ross.LP, h Handle) (v T, ok bool) {
	if h == 0 || uint32(h) > s.used {
		return v, false
	}
	k := inside.LP(lp)
	all, saves := change(k, unsafe.Pointer(&s.n), unsafe.Sizeof(*s)-unsafe.Offsetof(s.n), &s.records)
	if all.base == nil {
		return v, false
	}
	p := slotAt(all, uint32(h)-1)
	if p.link != inUse {
		return v, false
	}
	v = p.value
	setSlot(all, k, saves, uint32(h)-1, record[T]{link: s.free})
	s.free = h
	s.n--
	return v, true
}

// All returns the handles and their records in the order of handles. The loop may remove
// records, and sees those that it adds at the end.
func (s *Slab[T]) All(lp *ross.LP) iter.Seq2[Handle, *T] {
	return func(yield func(Handle, *T) bool) {
		for h := Handle(1); uint32(h) <= s.used; h++ {
			if p := s.Get(lp, h); p != nil && !yield(h, p) {
				return
			}
		}
	}
}

// Clear removes all records and gives the memory back. It does not clear containers in the
// records.
func (s *Slab[T]) Clear(lp *ross.LP) {
	if _, ok := inside.LP(lp).BeginChange(unsafe.Pointer(s), unsafe.Sizeof(*s)); ok {
		ross.Free(lp, s.records)
		*s = Slab[T]{}
	}
}
