// This file owns what a machine says about itself.

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/ross-go/ross/internal/sys/buildinfo"
	"github.com/ross-go/ross/internal/sys/topology"
)

// machine is what a machine is.
type machine struct {
	Processor  string `json:"processor"`  // its name, "" if it is not known
	System     string `json:"system"`     // GOOS/GOARCH
	Kernel     string `json:"kernel"`     // its version, or ""
	Go         string `json:"go"`         // the version of Go
	Engine     string `json:"engine"`     // the version of the engine
	Commit     string `json:"commit"`     // of the source, or ""
	Queue      string `json:"queue"`      // of events: "c" or "go", as a run says
	Virtual    bool   `json:"virtual"`    // it is known to be a virtual machine
	GOMAXPROCS int    `json:"gomaxprocs"` // threads that Go runs at a time

	Whole   *places `json:"whole,omitempty"`   // nil: the system does not tell
	Allowed places  `json:"allowed"`           // what this process may use
	Memory  uint64  `json:"memory,omitempty"`  // bytes
	Unused  uint64  `json:"available_memory"`  // bytes, before the measurement
	Latency []hop   `json:"latency,omitempty"` // between cores
	Clock   *clocks `json:"clock,omitempty"`
	// Shares of all processors that others have used, and pressure, before and while cells ran.
	OthersBefore   *share `json:"others_before,omitempty"`
	OthersDuring   *share `json:"others_during,omitempty"`
	PressureBefore *share `json:"pressure_before,omitempty"`

	topology topology.Machine
}

// places counts processors.
type places struct {
	Processors string `json:"processors"` // their numbers, as Linux writes them
	Sockets    int    `json:"sockets"`
	Nodes      int    `json:"nodes"`
	Cores      int    `json:"cores"`
	Threads    int    `json:"threads"` // hardware threads of all cores
	Known      bool   `json:"known"`   // false: only the number of processors is
	List       []core `json:"cores_list,omitempty"`
}

// core is where a core is.
type core struct {
	Socket     int    `json:"socket"`
	Node       int    `json:"node"`
	Die        int    `json:"die"`
	Processors string `json:"processors"`
}

func placesOf(m topology.Machine) places {
	p := places{Processors: m.Processors().String(), Cores: len(m.Cores), Threads: m.Processors().Len(), Known: m.Known}
	sockets, nodes := map[int]bool{}, map[int]bool{}
	for _, c := range m.Cores {
		sockets[c.Socket], nodes[c.Node] = true, true
		p.List = append(p.List, core{c.Socket, c.Node, c.Die, topology.SetOf(c.Processors...).String()})
	}
	p.Sockets, p.Nodes = len(sockets), len(nodes)
	return p
}

// layout returns what may be measured here. notes say what is left out.
func (m *machine) layout() (l layout, notes []string) {
	l = layout{cores: m.Allowed.Cores, processors: m.Allowed.Threads, binds: m.topology.Known && topology.Own() != nil,
		starts: runtime.GOOS == "linux"}
	if most := m.GOMAXPROCS; most < l.processors {
		notes = append(notes, fmt.Sprintf("Go runs %d threads at a time (GOMAXPROCS, or a limit of the container), and the process may use %d processors: no more PEs than threads are measured.", most, l.processors))
		l.processors, l.cores = most, min(l.cores, most)
	}
	if !l.binds {
		notes = append(notes, "The system does not say where its processors are, or cannot bind threads: no PEs are bound.")
	}
	if !l.starts {
		notes = append(notes, "Ranks without MPI need Linux: there are none.")
	}
	return l, notes
}

// describe asks the system, which takes no time.
func describe() *machine {
	here := topology.Here()
	m := &machine{System: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(), Engine: buildinfo.Ross,
		Commit: buildinfo.Short(), GOMAXPROCS: runtime.GOMAXPROCS(0), Allowed: placesOf(here), topology: here}
	if runtime.GOOS == "linux" {
		if all, err := topology.Read(os.DirFS("/sys")); err == nil {
			p := placesOf(all)
			m.Whole = &p
		}
	}
	text := content("/proc/cpuinfo")
	m.Processor = processorName(text)
	m.Virtual = strings.Contains(text, " hypervisor")
	m.Kernel = strings.TrimSpace(content("/proc/sys/kernel/osrelease"))
	m.Memory, m.Unused = memoryOf(content("/proc/meminfo"))
	if runtime.GOOS == "darwin" {
		m.Processor = answer("sysctl", "-n", "machdep.cpu.brand_string")
		_, _ = fmt.Sscan(answer("sysctl", "-n", "hw.memsize"), &m.Memory)
	}
	return m
}

// content returns the text of a file, "" if there is none.
func content(file string) string {
	text, _ := os.ReadFile(file)
	return string(text)
}

// answer returns what a program prints, "" if that fails.
func answer(program string, args ...string) string {
	text, err := exec.Command(program, args...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// processorName reads /proc/cpuinfo. Processors of ARM have numbers in place of a name.
func processorName(cpuinfo string) string {
	of := map[string]string{}
	for line := range strings.Lines(cpuinfo) {
		key, value, _ := strings.Cut(line, ":")
		if key = strings.TrimSpace(key); of[key] == "" {
			of[key] = strings.TrimSpace(value)
		}
	}
	switch {
	case of["model name"] != "":
		return of["model name"]
	case of["CPU part"] != "":
		return "implementer " + of["CPU implementer"] + ", part " + of["CPU part"]
	}
	return of["cpu"] // of POWER
}

// memoryOf reads /proc/meminfo.
func memoryOf(meminfo string) (total, available uint64) {
	for line := range strings.Lines(meminfo) {
		var key string
		var kib uint64
		if n, _ := fmt.Sscan(line, &key, &kib); n < 2 {
			continue
		}
		switch key {
		case "MemTotal:":
			total = kib << 10
		case "MemAvailable:":
			available = kib << 10
		}
	}
	return total, available
}

// idleTime is how long nothing is done while others are watched.
const idleTime = time.Second

// watch measures what others use while this program does nothing.
func (m *machine) watch(ctx context.Context) {
	m.PressureBefore = pressure()
	before := usageNow()
	select {
	case <-ctx.Done():
	case <-time.After(idleTime):
	}
	m.OthersBefore = usageNow().othersSince(before, 0)
}

// measure measures latencies and clocks, in some seconds.
func (m *machine) measure(ctx context.Context) (notes []string) {
	if m.GOMAXPROCS < 2 || m.Allowed.Threads < 2 {
		return []string{"There is one processor: neither latencies nor clocks are measured."}
	}
	bound := topology.Own() != nil
	if !bound {
		notes = append(notes, "Threads cannot be bound to cores: the latency is that between any two.")
	}
	for _, h := range hopsOf(m.topology, bound) {
		if ctx.Err() != nil {
			return notes
		}
		if err := h.measure(); err != nil {
			return append(notes, "Latencies are not known: "+err.Error())
		}
		m.Latency = append(m.Latency, h)
	}
	if ctx.Err() == nil {
		m.Clock = measureClocks(m.topology, min(m.GOMAXPROCS, m.Allowed.Threads))
	}
	return notes
}
