// This file owns Machine: the processors of a machine, by socket, node and core.

package topology

import (
	"cmp"
	"os"
	"runtime"
	"slices"
	"sync"
)

// Machine is the processors of a machine that are online, or those of them that a process may use.
type Machine struct {
	Cores []Core // socket by socket, in it node by node, and die by die
	// Known says that the system knows where the processors are. Otherwise each of them counts as a core of one socket.
	Known bool
}

// Core is a core, or the part of it that a process may use. Numbers are those of the system, which may have gaps.
type Core struct {
	Socket, Node, Die int
	// Capacity is larger for faster cores; 0: the system does not tell. Efficiency cores have less than performance cores.
	Capacity   int
	Processors []int // its hardware threads, in ascending order
}

// Domain is a socket, or a node of memory where a socket has several.
type Domain struct{ Socket, Node int }

// Domain returns where the core is.
func (c *Core) Domain() Domain { return Domain{c.Socket, c.Node} }

// Here returns the processors that the calling thread may use, and where they are if the system tells that.
func Here() Machine {
	own := Own()
	if own == nil {
		var all []int
		for n := range runtime.NumCPU() {
			all = append(all, n)
		}
		return Flat(SetOf(all...))
	}
	m, err := whole()
	if m = m.Within(own); err != nil || m.Processors().Len() < own.Len() {
		return Flat(own)
	}
	return m
}

// whole returns the machine. It reads sysfs once, which takes milliseconds on large machines.
var whole = sync.OnceValues(func() (Machine, error) { return Read(os.DirFS("/sys")) })

// Flat returns a machine whose processors are known, and nothing else.
func Flat(processors Set) (m Machine) {
	for _, n := range processors.All() {
		m.Cores = append(m.Cores, Core{Processors: []int{n}})
	}
	return m
}

// Within returns the part of a machine that consists of allowed processors.
func (m Machine) Within(allowed Set) Machine {
	part := Machine{Known: m.Known}
	for _, c := range m.Cores {
		c.Processors = slices.DeleteFunc(slices.Clone(c.Processors), func(n int) bool { return !allowed.Has(n) })
		if len(c.Processors) > 0 {
			part.Cores = append(part.Cores, c)
		}
	}
	return part
}

// Processors returns all processors of the machine.
func (m Machine) Processors() Set { return processorsOf(m.Cores) }

// Domains returns the sockets of the machine, or its nodes where a socket has several, in order.
func (m Machine) Domains() (all []Domain) {
	for i := range m.Cores {
		if d := m.Cores[i].Domain(); !slices.Contains(all, d) {
			all = append(all, d)
		}
	}
	return all
}

// In returns the processors of a domain.
func (m Machine) In(d Domain) Set {
	var cores []Core
	for _, c := range m.Cores {
		if c.Domain() == d {
			cores = append(cores, c)
		}
	}
	return processorsOf(cores)
}

func processorsOf(cores []Core) (s Set) {
	var all []int
	for _, c := range cores {
		all = append(all, c.Processors...)
	}
	return SetOf(all...)
}

// sort puts the cores into the order of Machine.Cores.
func (m Machine) sort() {
	slices.SortFunc(m.Cores, func(a, b Core) int {
		return cmp.Or(a.Socket-b.Socket, a.Node-b.Node, a.Die-b.Die, a.Processors[0]-b.Processors[0])
	})
}
