// This file pins what is read from made-up trees of sysfs, and which places threads get on such machines.

package topology_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/sys/topology"
)

// tree describes a machine. All numbers are as Linux gives them.
type tree struct {
	online string
	cores  []core // the processors of each
	nodes  []string
	atom   string
	old    bool // the kernel calls core_cpus_list thread_siblings_list
}

type core struct {
	list        string
	socket, die int
	capacity    int
}

// sysfs returns the tree as files.
func (tr tree) sysfs() fstest.MapFS {
	files := fstest.MapFS{}
	put := func(name, text string) { files["devices/"+name] = &fstest.MapFile{Data: []byte(text + "\n")} }
	put("system/cpu/online", tr.online)
	for _, c := range tr.cores {
		set, err := topology.ParseSet(c.list)
		if err != nil {
			panic(err)
		}
		for _, n := range set.All() {
			of, name := fmt.Sprintf("system/cpu/cpu%d/", n), "core_cpus_list"
			if tr.old {
				name = "thread_siblings_list"
			}
			put(of+"topology/"+name, c.list)
			put(of+"topology/physical_package_id", fmt.Sprint(c.socket))
			put(of+"topology/die_id", fmt.Sprint(c.die))
			if c.capacity > 0 {
				put(of+"cpu_capacity", fmt.Sprint(c.capacity))
			}
		}
	}
	for i, list := range tr.nodes {
		put(fmt.Sprintf("system/node/node%d/cpulist", i), list)
	}
	if tr.atom != "" {
		put("cpu_atom/cpus", tr.atom)
	}
	return files
}

// grid returns a machine of sockets with cores of one or two hardware threads. Linux numbers the second ones after all
// first ones. Nodes divide each socket.
func grid(sockets, cores, threads, nodes int) (tr tree) {
	n := sockets * cores
	tr.online = fmt.Sprintf("0-%d", n*threads-1)
	for s := range sockets {
		for i := range cores {
			first := s*cores + i
			list := fmt.Sprint(first)
			if threads == 2 {
				list += fmt.Sprintf(",%d", first+n)
			}
			tr.cores = append(tr.cores, core{list: list, socket: s})
		}
	}
	each := n / (sockets * nodes)
	for i := range sockets * nodes {
		list := fmt.Sprintf("%d-%d", i*each, (i+1)*each-1)
		if threads == 2 {
			list += fmt.Sprintf(",%d-%d", n+i*each, n+(i+1)*each-1)
		}
		tr.nodes = append(tr.nodes, list)
	}
	return tr
}

// machines are the made-up ones, by name.
var machines = map[string]tree{
	"1x2":         grid(1, 2, 1, 1),
	"2x4 SMT":     grid(2, 4, 2, 1),
	"1x8 4 nodes": grid(1, 8, 1, 4),
	"4 sockets":   grid(4, 2, 1, 1),
	// Processors 1, 4 and 5 of two sockets of four cores with one hardware thread each are offline; 8 to 11 are of none.
	"holes": {online: "0,2-3,6-7,12", nodes: []string{"0,2-3", "6-7,12"},
		cores: []core{{list: "0"}, {list: "2"}, {list: "3"}, {list: "6", socket: 3}, {list: "7", socket: 3},
			{list: "12", socket: 3}}},
	// The second hardware threads of two cores are offline, and the kernel names them all the same.
	"threads off": {online: "0-3,6", cores: []core{{list: "0,4"}, {list: "1,5"}, {list: "2,6"}, {list: "3"}}},
	// Two performance cores with two hardware threads each, and four efficiency cores, which come first.
	"hybrid": {online: "0-7", atom: "0-3", nodes: []string{"0-7"},
		cores: []core{{list: "0"}, {list: "1"}, {list: "2"}, {list: "3"}, {list: "4-5"}, {list: "6-7"}}},
	// big.LITTLE, of a kernel that names nothing as Intel does.
	"capacity": {online: "0-3", old: true,
		cores: []core{{list: "0", socket: -1, capacity: 446}, {list: "1", socket: -1, capacity: 446},
			{list: "2", socket: -1, capacity: 1024}, {list: "3", socket: -1, capacity: 1024}}},
	"no nodes": {online: "0-1", old: true, cores: []core{{list: "0"}, {list: "1", socket: 1}}},
	"dies": {online: "0-3", nodes: []string{"0-3"},
		cores: []core{{list: "0"}, {list: "1", die: 1}, {list: "2"}, {list: "3", die: 1}}},
}

func machine(t *testing.T, name string) topology.Machine {
	t.Helper()
	require.Contains(t, machines, name)
	m, err := topology.Read(machines[name].sysfs())
	require.NoError(t, err)
	require.True(t, m.Known)
	return m
}

// show writes a machine with its sockets and nodes in braces.
func show(m topology.Machine) string {
	var parts []string
	for _, d := range m.Domains() {
		var cores []string
		for _, c := range m.Cores {
			if c.Domain() == d {
				cores = append(cores, topology.SetOf(c.Processors...).String())
			}
		}
		parts = append(parts, fmt.Sprintf("%d.%d{%s}", d.Socket, d.Node, strings.Join(cores, " ")))
	}
	return strings.Join(parts, " ")
}

func TestMachinesAreReadAsLinuxDescribesThem(t *testing.T) {
	want := map[string]string{
		"1x2":         "0.0{0 1}",
		"2x4 SMT":     "0.0{0,8 1,9 2,10 3,11} 1.1{4,12 5,13 6,14 7,15}",
		"1x8 4 nodes": "0.0{0 1} 0.1{2 3} 0.2{4 5} 0.3{6 7}",
		"4 sockets":   "0.0{0 1} 1.1{2 3} 2.2{4 5} 3.3{6 7}",
		"holes":       "0.0{0 2 3} 3.1{6 7 12}",
		"threads off": "0.0{0 1 2,6 3}",
		"hybrid":      "0.0{0 1 2 3 4-5 6-7}",
		"capacity":    "0.0{0 1 2 3}",
		"no nodes":    "0.0{0} 1.0{1}",
		"dies":        "0.0{0 2 1 3}",
	}
	for name := range machines {
		require.Equal(t, want[name], show(machine(t, name)), name)
	}
}

func TestProcessorsThatAreNotAllowedAreNoPartOfAMachine(t *testing.T) {
	m := machine(t, "2x4 SMT").Within(topology.SetOf(1, 8, 9, 12, 99))
	require.Equal(t, "0.0{8 1,9} 1.1{12}", show(m))
	require.Equal(t, "1,8-9,12", m.Processors().String())
	require.Equal(t, "1,8-9", m.In(topology.Domain{}).String())
	require.True(t, m.Known)
	require.Empty(t, m.Within(nil).Cores)
	require.Equal(t, "0.0{0,8 1,9 2,10 3,11} 1.1{4,12 5,13 6,14 7,15}", show(machine(t, "2x4 SMT")))
}

// list returns the processors of each place.
func list(places []topology.Place) (all []string) {
	for _, p := range places {
		all = append(all, p.Processors.String())
	}
	return all
}

func TestPlacesOfThreadsByCore(t *testing.T) {
	for _, c := range []struct {
		machine, allowed string
		n                int
		want             string // separated by spaces; "": none
	}{
		{"1x2", "0-1", 1, "0"},
		{"1x2", "0-1", 2, "0 1"},
		{"1x2", "0-1", 3, ""},
		{"1x2", "1", 1, "1"},
		{"2x4 SMT", "0-15", 3, "0,8 1,9 2,10"},
		{"2x4 SMT", "0-15", 8, "0,8 1,9 2,10 3,11 4,12 5,13 6,14 7,15"},
		// The ninth thread gets a second hardware thread, and all have one only.
		{"2x4 SMT", "0-15", 9, "0 8 1 2 3 4 5 6 7"},
		{"2x4 SMT", "0-15", 16, "0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15"},
		{"2x4 SMT", "0-15", 17, ""},
		{"2x4 SMT", "8,1,9,4-5", 4, "8 1,9 4 5"},
		{"2x4 SMT", "8,1,9,4-5", 5, "8 1 9 4 5"},
		{"1x8 4 nodes", "0-7", 4, "0 1 2 3"},
		{"holes", "0-63", 6, "0 2 3 6 7 12"},
		{"holes", "0-63", 7, ""},
		{"hybrid", "0-7", 2, "4-5 6-7"},
		{"hybrid", "0-7", 3, "0 4-5 6-7"},
		{"hybrid", "0-7", 6, "0 1 2 3 4-5 6-7"},
		{"hybrid", "0-7", 7, "0 1 2 3 4 5 6"},
		{"capacity", "0-3", 2, "2 3"},
		{"capacity", "0-2", 2, "0 2"},
		{"dies", "0-3", 2, "0 2"},
	} {
		allowed, err := topology.ParseSet(c.allowed)
		require.NoError(t, err)
		places := machine(t, c.machine).Within(allowed).ByCore(c.n)
		require.Equal(t, strings.Fields(c.want), append([]string{}, list(places)...), "%d on %s of %s", c.n, c.allowed,
			c.machine)
		require.Equal(t, c.want == "", places == nil)
	}
}

func TestPlacesOfThreadsBySocket(t *testing.T) {
	for _, c := range []struct {
		machine, allowed string
		n                int
		want             string
	}{
		{"1x2", "0-1", 2, "0-1 0-1"},
		{"1x2", "0-1", 3, ""},
		{"2x4 SMT", "0-15", 1, "0-3,8-11"},
		{"2x4 SMT", "0-15", 2, "0-3,8-11 4-7,12-15"},
		{"2x4 SMT", "0-15", 3, "0-3,8-11 0-3,8-11 4-7,12-15"},
		{"2x4 SMT", "0-3,6-9", 4, "0-3,8-9 0-3,8-9 0-3,8-9 6-7"},
		{"2x4 SMT", "0-3,6-9", 8, "0-3,8-9 0-3,8-9 0-3,8-9 0-3,8-9 0-3,8-9 0-3,8-9 6-7 6-7"},
		{"2x4 SMT", "0-3,6-9", 9, ""},
		{"1x8 4 nodes", "0-7", 4, "0-1 2-3 4-5 6-7"},
		{"4 sockets", "2-7", 3, "2-3 4-5 6-7"},
		{"holes", "0-63", 4, "0,2-3 0,2-3 6-7,12 6-7,12"},
	} {
		allowed, err := topology.ParseSet(c.allowed)
		require.NoError(t, err)
		places := machine(t, c.machine).Within(allowed).BySocket(c.n)
		require.Equal(t, strings.Fields(c.want), append([]string{}, list(places)...), "%d on %s of %s", c.n, c.allowed,
			c.machine)
	}
}

// On every machine, for every mask and number of threads: no place has a processor that is not allowed, threads by core
// share none, and no domain has more threads by socket than processors.
func TestPlacesNeverOverlapNorLeaveTheMask(t *testing.T) {
	for name := range machines {
		whole := machine(t, name)
		all := whole.Processors().All()
		for bits := 1; bits < 1<<min(len(all), 10); bits++ {
			var chosen []int
			for i, n := range all {
				if bits>>(i%10)&1 != 0 {
					chosen = append(chosen, n)
				}
			}
			allowed := topology.SetOf(chosen...)
			m := whole.Within(allowed)
			for n := 1; n <= len(chosen); n++ {
				used, inDomain := map[int]bool{}, map[topology.Domain]int{}
				byCore, bySocket := m.ByCore(n), m.BySocket(n)
				require.Len(t, byCore, n)
				require.Len(t, bySocket, n)
				for _, p := range byCore {
					require.NotZero(t, p.Processors.Len())
					for _, i := range p.Processors.All() {
						require.True(t, allowed.Has(i) && !used[i] && m.In(p.Domain).Has(i), "%s: %d of %v", name, n, allowed)
						used[i] = true
					}
				}
				for _, p := range bySocket {
					inDomain[p.Domain]++
					require.Equal(t, m.In(p.Domain), p.Processors)
				}
				for d, threads := range inDomain {
					require.LessOrEqual(t, threads, m.In(d).Len(), "%s: %d of %v", name, n, allowed)
				}
			}
			require.Nil(t, m.ByCore(len(chosen)+1))
			require.Nil(t, m.BySocket(len(chosen)+1))
		}
	}
}

func TestAMachineOfWhichNothingIsKnownIsFlat(t *testing.T) {
	m := topology.Flat(topology.SetOf(3, 5))
	require.False(t, m.Known)
	require.Equal(t, "0.0{3 5}", show(m))
	require.Equal(t, []string{"3", "5"}, list(m.ByCore(2)))
}

func TestTreesThatLackSomethingAreErrors(t *testing.T) {
	for name, c := range map[string]struct {
		change func(fstest.MapFS)
		want   string
	}{
		"nothing": {func(f fstest.MapFS) { maps.DeleteFunc(f, func(string, *fstest.MapFile) bool { return true }) },
			"open devices/system/cpu/online: file does not exist"},
		"no topology": {func(f fstest.MapFS) {
			maps.DeleteFunc(f, func(name string, _ *fstest.MapFile) bool { return strings.Contains(name, "cpu1/") })
		}, "open devices/system/cpu/cpu1/topology/thread_siblings_list: file does not exist"},
		"no list": {func(f fstest.MapFS) { f["devices/system/cpu/online"].Data = []byte("1-x") },
			`devices/system/cpu/online: "1-x" is no list of processors such as 0-3,8`},
		"none": {func(f fstest.MapFS) { f["devices/system/cpu/online"].Data = nil },
			"devices/system/cpu/online: no processor is online"},
		"no number": {func(f fstest.MapFS) { f["devices/system/cpu/cpu0/topology/die_id"].Data = []byte("a") },
			`devices/system/cpu/cpu0/topology/die_id: strconv.Atoi: parsing "a": invalid syntax`},
		"of two cores": {func(f fstest.MapFS) { f["devices/system/cpu/cpu1/topology/core_cpus_list"].Data = []byte("0-1") },
			"devices/system/cpu/cpu1/topology: processor 0 belongs to another core too"},
		"of another core": {func(f fstest.MapFS) { f["devices/system/cpu/cpu1/topology/core_cpus_list"].Data = []byte("0") },
			"devices/system/cpu/cpu1/topology: processor 1 is not among those of its core"},
		"nodes": {func(f fstest.MapFS) { f["devices/system/node/node0/cpulist"].Data = []byte("?") },
			`devices/system/node/node0/cpulist: "?" is no list of processors such as 0-3,8`},
	} {
		t.Run(name, func(t *testing.T) {
			files := machines["1x2"].sysfs()
			c.change(files)
			m, err := topology.Read(files)
			require.EqualError(t, err, "topology: "+c.want)
			require.Empty(t, m.Cores)
			require.Equal(t, name == "nothing" || name == "no topology", errors.Is(err, fs.ErrNotExist))
		})
	}
}

func TestSetsAreWrittenAndReadAsLists(t *testing.T) {
	for text, all := range map[string][]int{"": nil, "0": {0}, "0-3,8": {0, 1, 2, 3, 8}, "63-64,127": {63, 64, 127},
		"1,3,5-6": {1, 3, 5, 6}} {
		s, err := topology.ParseSet(text + "\n")
		require.NoError(t, err)
		require.Equal(t, all, s.All())
		require.Equal(t, text, s.String())
		require.Equal(t, len(all), s.Len())
		for _, n := range all {
			require.True(t, s.Has(n))
		}
		require.False(t, s.Has(7) || s.Has(-1) || s.Has(1000))
		require.Equal(t, s, topology.SetOf(all...))
		require.Equal(t, slices.Contains(all, 3), s.Meets(topology.SetOf(3, 200)))
	}
	require.Equal(t, "2,70", topology.SetOf(70).Union(topology.SetOf(2)).String())
	for _, text := range []string{"-", "3-1", "0,,1", "a", "0-70000", "1-2-3", "-1"} {
		_, err := topology.ParseSet(text)
		require.Error(t, err, text)
	}
}
