// This file owns the hash of a Map's keys: equal keys have equal hashes, in every run, so that the
// order of what lies in a Map is always the same.

package container

import (
	"math"
	"reflect"
	"strings"
	"sync"
	"unsafe"

	"github.com/ross-go/ross/internal/num/hash64"
)

// keyKind is how keys of a type are hashed. A Map notes it, because finding it out takes time.
type keyKind uint32

// The kinds of keys.
const (
	keyUnknown keyKind = iota // no key has been added yet
	keyBytes                  // equal keys have equal bytes
	keyParts                  // with padding, blank fields, or floating-point numbers
	keyRefused                // with Blocks, whose bytes depend on the run
)

// keyPart is a part of a key that counts.
type keyPart struct {
	off, size uintptr
	float     bool // 0 and -0 are equal
}

// keyPlan is how keys of a type are hashed, part by part.
type keyPlan struct {
	kind  keyKind
	parts []keyPart
}

// keyPlans has the plans of all types of keys, by reflect.Type.
var keyPlans sync.Map

// planOf returns the plan of a type of keys.
func planOf[K comparable]() *keyPlan {
	t := reflect.TypeFor[K]()
	if p, ok := keyPlans.Load(t); ok {
		return p.(*keyPlan)
	}
	p := &keyPlan{kind: keyBytes}
	end := uintptr(0)
	p.add(t, 0)
	for _, part := range p.parts {
		if part.float || part.off != end {
			p.kind = max(p.kind, keyParts)
		}
		end = part.off + part.size
	}
	if end != t.Size() {
		p.kind = max(p.kind, keyParts)
	}
	keyPlans.Store(t, p)
	return p
}

// add adds the parts of a t at an offset.
func (p *keyPlan) add(t reflect.Type, off uintptr) {
	float := false
	switch t.Kind() {
	case reflect.Struct:
		if t.PkgPath() == "github.com/ross-go/ross" && strings.HasPrefix(t.Name(), "Block[") {
			p.kind = keyRefused
		}
		for i := range t.NumField() {
			if f := t.Field(i); f.Name != "_" {
				p.add(f.Type, off+f.Offset)
			}
		}
		return
	case reflect.Array:
		for i := range t.Len() {
			p.add(t.Elem(), off+uintptr(i)*t.Elem().Size())
		}
		return
	case reflect.Complex64, reflect.Complex128:
		half := t.Size() / 2
		p.parts = append(p.parts, keyPart{off, half, true}, keyPart{off + half, half, true})
		return
	case reflect.Float32, reflect.Float64:
		float = true
	}
	p.parts = append(p.parts, keyPart{off, t.Size(), float})
}

// hash returns the hash of a key.
func hash[K comparable](kind keyKind, key *K) uint32 {
	size := unsafe.Sizeof(*key)
	p := unsafe.Pointer(key)
	var h uint64
	switch {
	case kind != keyBytes:
		h = planOf[K]().hash(p)
	case size == 8:
		h = hash64.Word(1, *(*uint64)(p))
	case size == 4:
		h = hash64.Word(1, uint64(*(*uint32)(p)))
	default:
		h = hash64.Bytes(1, unsafe.Slice((*byte)(p), size))
	}
	return uint32(h ^ h>>32)
}

// hash returns the hash of a key that has parts.
func (p *keyPlan) hash(key unsafe.Pointer) uint64 {
	h := uint64(1)
	for _, part := range p.parts {
		at := unsafe.Add(key, part.off)
		switch {
		case !part.float:
			h = hash64.Bytes(h, unsafe.Slice((*byte)(at), part.size))
		case part.size == 4:
			h = hash64.Word(h, uint64(math.Float32bits(*(*float32)(at)+0))) // -0 + 0 is 0
		default:
			h = hash64.Word(h, math.Float64bits(*(*float64)(at)+0))
		}
	}
	return h
}
