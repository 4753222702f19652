// This file owns what ranks tell each other about their LPs before a run: which LPs each of them has, and their types.

//go:build cgo && linux

package cmodel

// #include "libross.h"
import "C"

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/mapping"
)

// triple is what the engine makes a type of: what tw_lp_settype and st_model_settype were given, and the model's
// functions for checkpoints.
type triple struct {
	c     *C.tw_lptype
	model *C.st_model_types
	rio   *C.io_lptype
}

// spot says where something is in the files of the program, so that all ranks can find theirs. File is -1 for what is
// in none, such as a type in memory of malloc: then Offset stands for what is in it.
type spot struct {
	File   int
	Offset uint64
}

// spots are those of a triple.
type spots [3]spot

// share is what a rank tells the others.
type share struct {
	GIDs  []uint64 // of its LPs, in their order on the rank
	Kinds []uint16 // their types, indices into Types
	Types []spots
}

// spotOf returns the place of p, whose size bytes say what it is if it is in no file.
func spotOf(p unsafe.Pointer, size uintptr) spot {
	if p == nil {
		return spot{File: -1}
	}
	var offset C.uint64_t
	if file := C.ross_place_of(p, &offset); file >= 0 {
		return spot{int(file), uint64(offset)}
	}
	return spot{-1, uint64(C.ross_print_of(p, C.size_t(size)))}
}

func (t triple) spots() spots {
	return spots{
		spotOf(unsafe.Pointer(t.c), C.sizeof_tw_lptype), spotOf(unsafe.Pointer(t.model), C.sizeof_st_model_types),
		spotOf(unsafe.Pointer(t.rio), C.sizeof_io_lptype),
	}
}

// here returns what has the place in this process, and reports whether it can be found.
func (s spot) here() (unsafe.Pointer, bool) {
	if s.File < 0 {
		return nil, s.Offset == 0
	}
	return C.ross_at_place(C.int(s.File), C.uint64_t(s.Offset)), true
}

func (s spots) here() (t triple, err error) {
	var p [3]unsafe.Pointer
	for i, one := range s {
		var ok bool
		if p[i], ok = one.here(); !ok {
			what := [...]string{"tw_lptype", "st_model_types", "io_lptype"}[i]
			return t,
				fmt.Errorf(
					"tw_run: another rank has LPs with a %s in allocated memory, which this one does not have: %w: make it a static variable", what, ross.ErrModel)
		}
	}
	return triple{(*C.tw_lptype)(p[0]), (*C.st_model_types)(p[1]), (*C.io_lptype)(p[2])}, nil
}

// layout is where all LPs are, and which types they have.
type layout struct {
	kinds []uint16 // by id; indices into types
	types []triple
	owner []int32 // by id; the rank
	index []uint32
	count []uint64 // LPs of each rank
}

// allLPs returns the layout of the run. Types have the order of the first LPs that have them, on any number of ranks.
func allLPs() (*layout, error) {
	own, local, err := ownLPs()
	if err != nil || C.ross_nodes <= 1 {
		return own, err
	}
	s := share{Kinds: make([]uint16, 0, len(local)), GIDs: local}
	for _, gid := range local {
		s.Kinds = append(s.Kinds, own.kinds[gid])
	}
	mine := map[spots]triple{}
	for _, t := range own.types {
		at := t.spots()
		s.Types = append(s.Types, at)
		mine[at] = t
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(s); err != nil {
		return nil, err
	}
	all, err := combined(gather(b.Bytes()), mine)
	if err = ranks.Agree(others.world, err, ross.ExitCode(err)); err != nil {
		return nil, err
	}
	return all, nil
}

// ownLPs returns the layout with what this rank knows of it, and the ids of its LPs, in their order.
func ownLPs() (*layout, []uint64, error) {
	l := &layout{kinds: make([]uint16, int(C.g_tw_total_lps))}
	known := map[triple]uint16{}
	for gid, h := range lpsByGID() {
		if h == nil {
			continue
		}
		t := triple{h._type, h.model_types, rioOf(h)}
		at, ok := known[t]
		if !ok {
			if at = uint16(len(l.types)); int(at) != len(l.types) {
				return nil, nil, fmt.Errorf("tw_run: there are more than %d types of LPs: use fewer tw_lptype", len(l.types))
			}
			known[t] = at
			l.types = append(l.types, t)
		}
		l.kinds[gid] = at
	}
	local := make([]uint64, 0, int(C.g_tw_nlp))
	for _, h := range unsafe.Slice(C.g_tw_lp, int(C.g_tw_nlp)) {
		local = append(local, uint64(h.gid))
	}
	return l, local, nil
}

// combined returns the layout of all ranks. mine are the types that this one has.
func combined(from [][]byte, mine map[spots]triple) (*layout, error) {
	total := int(C.g_tw_total_lps)
	l := &layout{kinds: make([]uint16, total), owner: make([]int32, total), index: make([]uint32, total)}
	for i := range l.owner {
		l.owner[i] = -1
	}
	shares := make([]share, len(from))
	for rank, b := range from {
		s := &shares[rank]
		if err := gob.NewDecoder(bytes.NewReader(b)).Decode(s); err != nil {
			return nil, err
		}
		l.count = append(l.count, uint64(len(s.GIDs)))
		for i, gid := range s.GIDs {
			if other := l.owner[gid]; other >= 0 {
				return nil, fmt.Errorf("tw_define_lps: LP %d is on ranks %d and %d: %w: let each be on one", gid, other, rank,
					ross.ErrModel)
			}
			l.owner[gid], l.index[gid], l.kinds[gid] = int32(rank), uint32(i), s.Kinds[i]
		}
	}
	known := map[spots]uint16{}
	for gid, rank := range l.owner { // all have an owner: as many as there are
		at := shares[rank].Types[l.kinds[gid]]
		kind, ok := known[at]
		if !ok {
			t, here := mine[at]
			if !here {
				var err error
				if t, err = at.here(); err != nil {
					return nil, err
				}
			}
			kind = uint16(len(l.types))
			known[at] = kind
			l.types = append(l.types, t)
		}
		l.kinds[gid] = kind
	}
	return l, nil
}

// mapping returns where the engine puts LPs: on the PEs of their ranks, which all have as many. It is nil for one rank.
func (l *layout) mapping() mapping.Mapping {
	if l.owner == nil {
		return nil
	}
	return mapping.For(func(s mapping.Shape) (mapping.Places, error) {
		nodes := uint64(len(l.count))
		per := s.PEs / nodes
		if per*nodes != s.PEs {
			return mapping.Places{}, fmt.Errorf("tw_run: %d PEs on %d ranks: %w: give all ranks the same number, with --pes=N",
				s.PEs, nodes, ross.ErrUsage)
		}
		return mapping.Places{PE: func(gid uint64) uint64 {
			rank := uint64(l.owner[gid])
			return rank*per + uint64(l.index[gid])*per/l.count[rank]
		}}, nil
	})
}
