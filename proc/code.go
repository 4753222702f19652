// This file owns Code: the processes that were generated, by the functions that they were made of.

package proc

import (
	"fmt"
	"hash/fnv"
	"math"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/sys/plain"
)

// Code is a process: what it is called, and what was generated for it. Generated code calls Generated for each.
type Code struct {
	name   string
	kind   uint64 // what kindOf returns
	words  int    // of the frame
	size   uint8  // words, if the frame is in the record of the process, otherwise 0
	gaps   []gap
	inner  []gap                                    // within variables
	resume func(p *Self, frame unsafe.Pointer) bool // nil: it was not generated
	visits []visit
	once   sync.Once      // says that it was not generated
	frame  func() *layout // of what was generated
}

// Generated enters a process: its name with the path of its package, such as "example.com/bank.Bank.customer"; a
// fingerprint of its frame and its waits; the function that it was made of; and the one that was generated, which lets
// the process go on and reports whether it has ended. F is the frame, which begins with the parameters. Only generated
// code calls Generated, when the program begins.
func Generated[F any](name string, mark uint32, source any, resume func(p *Self, f *F) bool) *Code {
	return generated(name, mark, source, reflect.TypeFor[F](), plain.Recast[func(*Self, unsafe.Pointer) bool](&resume))
}

// generated is Generated for a frame of type t.
func generated(name string, mark uint32, source any, t reflect.Type, resume func(*Self, unsafe.Pointer) bool) *Code {
	c := &Code{name: name, kind: kindOf(name, mark), words: int(t.Size()+7) / 8, resume: resume}
	if where, kind := plain.FindPointer(t, name); where != "" {
		c.resume = func(p *Self, _ unsafe.Pointer) bool {
			p.fail(ErrGenerated, fmt.Sprintf("keeps %s, a %s", where, kind), "run go generate")
			return true
		}
	}
	c.gaps, c.inner = gapsOf(t)
	if c.words <= inFrame {
		c.size = uint8(c.words)
	}
	c.frame = sync.OnceValue(func() *layout { return layoutOf(t) })
	largest = max(largest, c.words)
	state := reflect.TypeOf(source).In(0).Elem()
	stays[state] = true
	early.update(state)
	codes.add(reflect.ValueOf(source).Pointer(), c)
	return c
}

// kindOf returns what names a process in states: the hash of its name, and the fingerprint. It does not depend on what
// else is linked, and changes if the process does.
func kindOf(name string, mark uint32) uint64 {
	h := fnv.New32a()
	h.Write([]byte(name))
	return uint64(h.Sum32())<<32 | uint64(mark)
}

// gap is a word of a frame with bytes that belong to no variable. They are zero, since digests see them.
type gap struct {
	word int
	keep uint64 // the others
}

// gapsOf returns the gaps of a frame, and those within fields, which assignments may fill.
func gapsOf(t reflect.Type) (all, inner []gap) {
	words := (t.Size() + 7) / 8
	of, outside := make([]uint64, words), make([]uint64, words)
	for f := range t.Fields() {
		fill(outside, plain.Span{Off: f.Offset, Size: f.Type.Size()})
	}
	for _, s := range plain.SpansOf(t) {
		fill(of, s)
	}
	for i, w := range of {
		if w != math.MaxUint64 {
			all = append(all, gap{i, w})
		}
		if w |= ^outside[i]; w != math.MaxUint64 {
			inner = append(inner, gap{i, w})
		}
	}
	return all, inner
}

// fill sets the bits of some bytes.
func fill(words []uint64, s plain.Span) {
	for i := range s.Size {
		*(*byte)(unsafe.Add(plain.WordsAt(words), s.Off+i)) = math.MaxUint8
	}
}

// clean clears gaps of a frame.
func clean(frame unsafe.Pointer, gaps []gap) {
	for _, g := range gaps {
		*(*uint64)(unsafe.Add(frame, g.word*8)) &= g.keep
	}
}

// largest is the number of words of the largest frame.
var largest = inFrame

// codes are the processes that were generated. They do not change after the program has begun.
var codes registry

// registry finds processes by their functions and by their kinds, in tables with open addresses: both are done for
// events.
type registry struct {
	functions, kinds []entry
	shift            uint8
	all              []*Code
	clash            string
}

type entry struct {
	key  uint64
	code *Code
}

// spread is 2^64 divided by the golden ratio.
const spread = 0x9e3779b97f4a7c15

// add enters a process.
func (g *registry) add(function uintptr, c *Code) {
	if other := g.named(uint32(c.kind >> 32)); other != nil {
		g.clash = fmt.Sprintf("%s and %s", other.name, c.name)
	}
	g.all = append(g.all, c)
	old := g.functions
	if 2*len(g.all) > len(old) {
		size := max(2*len(old), 16)
		g.functions, g.kinds = make([]entry, size), make([]entry, size)
		g.shift = 64
		for n := size; n > 1; n /= 2 {
			g.shift--
		}
		for _, e := range old {
			if e.code != nil {
				put(g.functions, g.shift, e)
				put(g.kinds, g.shift, entry{e.code.kind, e.code})
			}
		}
	}
	put(g.functions, g.shift, entry{uint64(function), c})
	put(g.kinds, g.shift, entry{c.kind, c})
}

func put(t []entry, shift uint8, e entry) {
	i := e.key * spread >> shift
	for t[i].code != nil {
		i = (i + 1) & uint64(len(t)-1)
	}
	t[i] = e
}

func get(t []entry, shift uint8, key uint64) *Code {
	if len(t) == 0 {
		return nil
	}
	for i := key * spread >> shift; ; i = (i + 1) & uint64(len(t)-1) {
		if e := &t[i&uint64(len(t)-1)]; e.key == key || e.code == nil {
			return e.code
		}
	}
}

// of returns the generated process of a function, or nil.
func (g *registry) of(function uintptr) *Code { return get(g.functions, g.shift, uint64(function)) }

// find returns the generated process of a kind, or nil.
func (g *registry) find(kind uint64) *Code { return get(g.kinds, g.shift, kind) }

// named returns the process with a name, as kinds begin with, whatever its fingerprint is, or nil.
func (g *registry) named(name uint32) *Code {
	for _, c := range g.all {
		if uint32(c.kind>>32) == name {
			return c
		}
	}
	return nil
}

// takes reports whether parameters of a size are those of the generated code; otherwise it reports the mistake.
func (c *Code) takes(p *Self, size uintptr) bool {
	if size > uintptr(c.words)*8 {
		p.fail(ErrGenerated, "starts a process that has other parameters than its generated code", "run go generate")
		return false
	}
	return true
}

// written are the processes that were not generated, by their functions.
var written struct {
	sync.Mutex
	byFunction map[uintptr]*Code
}

// codeOf returns the Code of a function that was not generated.
func codeOf(function uintptr) *Code {
	written.Lock()
	defer written.Unlock()
	c := written.byFunction[function]
	if c == nil {
		name := "of no function"
		if f := runtime.FuncForPC(function); f != nil {
			name = f.Name()
		}
		name = strings.NewReplacer("(*", "", ")", "").Replace(name)
		c = &Code{name: name, kind: kindOf(name, 0)}
		if written.byFunction == nil {
			written.byFunction = map[uintptr]*Code{}
		}
		written.byFunction[function] = c
	}
	return c
}

// nameOf returns the name of a process by its kind.
func nameOf(kind uint64) string {
	if c := codes.named(uint32(kind >> 32)); c != nil {
		return shortOf(c.name)
	}
	written.Lock()
	defer written.Unlock()
	for _, c := range written.byFunction {
		if c.kind>>32 == kind>>32 {
			return shortOf(c.name)
		}
	}
	return "of another program"
}

// shortOf returns a name without the path of its package.
func shortOf(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// checkLoaded looks at processes that a checkpoint has brought: they go on only in the program that has stored them.
func (ps *Processes) checkLoaded(k *kernel.LP) {
	if codes.clash != "" {
		k.Blame(ErrGenerated, "rename one of them", "processes %s have the same number", codes.clash)
	}
	for h, pr := range ps.all() {
		switch c := codes.find(pr.kind); {
		case c != nil:
			continue
		case uint32(pr.kind) == 0:
			k.Blame(ErrGenerated, "run go generate, and store the checkpoint again",
				"the checkpoint has process %s, which was not generated", nameFor(pidOf(h, pr.serial), pr.kind))
		default:
			k.Blame(ErrGenerated, "use the program that has stored the checkpoint, or begin anew",
				"the checkpoint has process %s, which has changed since", nameFor(pidOf(h, pr.serial), pr.kind))
		}
		return
	}
}
