// This file owns the names of the fields of states, for errors: those that the debugging information of the program
// has. It is read when the first error needs a name, and without it fields are called by their bytes.

//go:build cgo && linux

package cmodel

// #include "libross.h"
import "C"

import (
	"bufio"
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"unsafe"
)

// field is a value in a state.
type field struct {
	name string // such as state.account[3], "" if it is not known
	at   int    // first byte
	typ  dwarf.Type
}

// fieldAt returns the value that a byte of a state belongs to: the byte alone, if nothing more is known.
func (t *lpType) fieldAt(offset int) field {
	t.once.Do(func() { t.layout = stateType(uintptr(unsafe.Pointer(t.c.event)), int64(t.c.state_sz)) })
	if t.layout == nil {
		return field{at: offset}
	}
	return locate(t.layout, offset)
}

// locate returns the value of a type that has the byte.
func locate(typ dwarf.Type, offset int) field {
	f := field{name: typ.String(), typ: typ}
	if s, ok := typ.(*dwarf.StructType); ok {
		f.name = s.StructName
	}
	for f.typ != nil {
		rest := int64(offset - f.at)
		switch of := f.typ.(type) {
		case *dwarf.TypedefType:
			f.typ = of.Type
		case *dwarf.QualType:
			f.typ = of.Type
		case *dwarf.ArrayType:
			each := of.Type.Size()
			if each <= 0 {
				return field{at: offset}
			}
			f.name += "[" + strconv.FormatInt(rest/each, 10) + "]"
			f.at += int(rest / each * each)
			f.typ = of.Type
		case *dwarf.StructType:
			in := fieldOf(of, rest)
			if in == nil || of.Kind == "union" || in.BitSize > 0 {
				return field{at: offset} // padding, or several values
			}
			f.name += "." + in.Name
			f.at += int(in.ByteOffset)
			f.typ = in.Type
		default:
			return f
		}
	}
	return field{at: offset}
}

// fieldOf returns the field that has a byte, or nil.
func fieldOf(s *dwarf.StructType, at int64) *dwarf.StructField {
	for _, f := range s.Field {
		if f.ByteOffset <= at && at < f.ByteOffset+f.Type.Size() {
			return f
		}
	}
	return nil
}

// text returns the value in a state.
func (f field) text(state []byte) string {
	if f.typ == nil {
		return fmt.Sprintf("%#02x", state[f.at])
	}
	b := state[f.at:]
	b = b[:min(max(f.typ.Size(), 0), int64(len(b)))]
	if len(b) == 8 || len(b) == 4 {
		wide := len(b) == 8
		u := uint64(binary.NativeEndian.Uint32(b))
		if wide {
			u = binary.NativeEndian.Uint64(b)
		}
		switch f.typ.(type) {
		case *dwarf.FloatType:
			if !wide {
				return fmt.Sprintf("%.9g", math.Float32frombits(uint32(u)))
			}
			return fmt.Sprintf("%.17g", math.Float64frombits(u))
		case *dwarf.IntType, *dwarf.EnumType:
			if !wide {
				return strconv.Itoa(int(int32(u)))
			}
			return strconv.FormatInt(int64(u), 10)
		case *dwarf.UintType:
			return strconv.FormatUint(u, 10)
		case *dwarf.PtrType:
			return fmt.Sprintf("%#x", u)
		}
	}
	return fmt.Sprintf("%#02x", b)
}

// differs returns the error about a byte that differs from that of the state before.
func (t *lpType) differs(offset int, now, was []byte) error {
	f := t.fieldAt(offset)
	if f.name == "" {
		return fmt.Errorf("byte %d of the state is %s, it was %s before", offset, f.text(now), f.text(was))
	}
	return fmt.Errorf("%s (byte %d of the state) is %s, it was %s before", f.name, f.at, f.text(now), f.text(was))
}

// stateType returns the type of the states that an event handler gets: what one of its arguments or
// variables points to and has the right size, or else the only struct of that size in its source. It is nil if there is
// none, or no debugging information.
func stateType(function uintptr, size int64) dwarf.Type {
	path, start, offset, err := mappingOf(function)
	if err != nil {
		return nil
	}
	file, err := elf.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	pc, ok := addressIn(file, function, start, offset)
	if !ok {
		return nil
	}
	data, err := file.DWARF()
	if err != nil {
		return nil
	}
	r := data.Reader()
	if _, err := r.SeekPC(pc); err != nil {
		return nil
	}
	return findState(data, r, pc, size)
}

// findState looks for the type in the unit whose entries r reads.
func findState(data *dwarf.Data, r *dwarf.Reader, pc uint64, size int64) dwarf.Type {
	var known dwarf.Type
	names := map[string]bool{} // of structs of the size
	for inside, depth := 0, 1; depth > 0; {
		e, err := r.Next()
		if err != nil || e == nil {
			break
		}
		if e.Tag == 0 {
			if depth--; depth < inside {
				inside = 0
			}
			continue
		}
		switch e.Tag {
		case dwarf.TagSubprogram:
			if low, ok := e.Val(dwarf.AttrLowpc).(uint64); ok && low == pc && e.Children {
				inside = depth + 1
			}
		case dwarf.TagFormalParameter, dwarf.TagVariable:
			if inside > 0 {
				if typ := pointsTo(data, e); typ != nil && isStruct(typ) && typ.Size() == size {
					return typ
				}
			}
		case dwarf.TagTypedef, dwarf.TagStructType:
			if typ, err := data.Type(e.Offset); err == nil && isStruct(typ) && typ.Size() == size {
				names[structOf(typ).String()] = true
				if known == nil || e.Tag == dwarf.TagTypedef {
					known = typ
				}
			}
		}
		if e.Children {
			depth++
		}
	}
	if len(names) != 1 {
		return nil
	}
	return known
}

// pointsTo returns the type that a variable points to, or nil.
func pointsTo(data *dwarf.Data, e *dwarf.Entry) dwarf.Type {
	at, ok := e.Val(dwarf.AttrType).(dwarf.Offset)
	if !ok {
		return nil
	}
	typ, err := data.Type(at)
	for err == nil {
		switch of := typ.(type) {
		case *dwarf.TypedefType:
			typ = of.Type
		case *dwarf.QualType:
			typ = of.Type
		case *dwarf.PtrType:
			if q, ok := of.Type.(*dwarf.QualType); ok {
				return q.Type
			}
			return of.Type
		default:
			return nil
		}
	}
	return nil
}

// structOf returns the struct that a type is or is a name of, or nil.
func structOf(typ dwarf.Type) *dwarf.StructType {
	for {
		switch of := typ.(type) {
		case *dwarf.TypedefType:
			typ = of.Type
		case *dwarf.StructType:
			return of
		default:
			return nil
		}
	}
}

// isStruct reports whether a type is a struct, also by another name.
func isStruct(typ dwarf.Type) bool { return structOf(typ) != nil && !structOf(typ).Incomplete }

// mappingOf returns the file that an address is from, the address at which that part of the file is, and its place
// there.
func mappingOf(address uintptr) (path string, start, offset uint64, err error) {
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return "", 0, 0, err
	}
	defer maps.Close()
	for lines := bufio.NewReader(maps); ; {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			return "", 0, 0, errors.New("no mapping has the address")
		}
		if err != nil {
			return "", 0, 0, err
		}
		var end uint64
		var rights, device, inode string
		n, _ := fmt.Sscanf(line, "%x-%x %s %x %s %s", &start, &end, &rights, &offset, &device, &inode)
		if n == 6 && start <= uint64(address) && uint64(address) < end {
			if _, path, _ = strings.Cut(line, " /"); path == "" {
				return "", 0, 0, errors.New("the address is in no file")
			}
			return "/" + strings.TrimSpace(path), start, offset, nil
		}
	}
}

// addressIn returns the address in a file of what is at an address in memory, in the part of the file from offset on,
// which is at start.
func addressIn(file *elf.File, address uintptr, start, offset uint64) (pc uint64, ok bool) {
	for _, p := range file.Progs {
		page := uint64(os.Getpagesize())
		if p.Type == elf.PT_LOAD && p.Flags&elf.PF_X != 0 && p.Off/page*page == offset {
			return uint64(address) - start + p.Vaddr/page*page, true
		}
	}
	return 0, false
}
