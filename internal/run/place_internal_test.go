// This file pins which processors PEs get on made-up machines, and what the report says of that.

package run

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/sys/topology"
)

// madeUp returns a machine of cores of two hardware threads: n cores for each domain.
func madeUp(n int, domains ...topology.Domain) topology.Machine {
	m := topology.Machine{Known: true}
	for _, d := range domains {
		for range n {
			first := 2 * len(m.Cores)
			m.Cores = append(m.Cores, topology.Core{Socket: d.Socket, Node: d.Node, Processors: []int{first, first + 1}})
		}
	}
	return m
}

var (
	oneSocket  = madeUp(2, topology.Domain{})
	twoSockets = madeUp(2, topology.Domain{}, topology.Domain{Socket: 1, Node: 1})
	large      = madeUp(4, topology.Domain{}, topology.Domain{Socket: 1, Node: 1})
	twoNodes   = madeUp(4, topology.Domain{}, topology.Domain{Node: 1})
	oneNode    = madeUp(4, topology.Domain{}, topology.Domain{Socket: 1}) // as virtual machines have
)

// alone is the sharing of a rank that has its processors for itself.
var alone = ranks.Sharing{Peers: 1}

func TestWhereThePEsOfARankRun(t *testing.T) {
	one := func(how string, m topology.Machine, pes int) request { return request{how, m, pes, 99, 1, alone} }
	rank := func(how string, m topology.Machine, pes, peer, peers int) request {
		return request{how, m, pes, 99, 1, ranks.Sharing{Peer: peer, Peers: peers}}
	}
	const auto, cores, sockets = settings.BindAuto, settings.BindCores, settings.BindSockets
	for name, c := range map[string]struct {
		r    request
		want string // processors of each PE
		text string
	}{
		"auto, one socket":       {one(auto, oneSocket, 2), "", ""},
		"auto, small sockets":    {one(auto, twoSockets, 4), "", ""},
		"auto, one node":         {one(auto, oneNode, 8), "", ""},
		"auto, a small part":     {one(auto, large.Within(topology.SetOf(0, 2, 4, 6, 8, 10, 12)), 7), "", ""},
		"auto, fewer than cores": {one(auto, large, 7), "", ""},
		"auto": {one(auto, large, 8), "0-7 0-7 0-7 0-7 8-15 8-15 8-15 8-15",
			"8 PEs bound to sockets: 4 to processors 0-7 of socket 0; 4 to processors 8-15 of socket 1"},
		"auto, nodes": {one(auto, twoNodes, 8), "0-7 0-7 0-7 0-7 8-15 8-15 8-15 8-15",
			"8 PEs bound to sockets: 4 to processors 0-7 of socket 0, node 0; 4 to processors 8-15 of socket 0, node 1"},
		"auto, too many":      {one(auto, large, 17), "", ""},
		"auto, a quota":       {request{auto, large, 8, 8, 1, alone}, "", ""},
		"auto, one process":   {request{auto, large, 8, 99, 2, alone}, "", ""},
		"auto, mixed":         {request{auto, large, 8, 99, 1, ranks.Sharing{Peers: 1, Mixed: true}}, "", ""},
		"auto, two ranks":     {rank(auto, large, 4, 1, 2), "8-15 8-15 8-15 8-15", "4 PEs bound to sockets: processors 8-15 of socket 1"},
		"auto, half of a run": {rank(auto, large, 3, 1, 2), "", ""},
		"auto, unknown":       {one(auto, topology.Flat(topology.SetOf(0, 1)), 2), "", ""},
		"cores":               {one(cores, twoSockets, 3), "0-1 2-3 4-5", "3 PEs bound to cores: 2 to processors 0-3 of socket 0; 1 to processors 4-5 of socket 1"},
		"cores, one":          {one(cores, twoSockets.Within(topology.SetOf(3)), 1), "3", "1 PE bound to cores: processors 3 of socket 0"},
		"threads":             {one(cores, oneSocket, 3), "0 1 2", "3 PEs bound to hardware threads: processors 0-2 of socket 0"},
		"cores, second rank":  {rank(cores, twoSockets, 2, 1, 2), "4-5 6-7", "2 PEs bound to cores: processors 4-7 of socket 1"},
		"threads, third rank": {rank(cores, twoSockets, 2, 2, 3), "4 6", "2 PEs bound to hardware threads: processors 4,6 of socket 1"},
		"sockets":             {one(sockets, twoSockets, 2), "0-3 4-7", "2 PEs bound to sockets: 1 to processors 0-3 of socket 0; 1 to processors 4-7 of socket 1"},
		"sockets, third rank": {rank(sockets, twoSockets, 1, 2, 4), "4-7", "1 PE bound to sockets: processors 4-7 of socket 1"},
		"too many":            {one(cores, oneSocket, 5), "", "none: there are more PEs (5) than processors (4)"},
		"too many together":   {rank(sockets, oneSocket, 2, 0, 3), "", "none: there are more PEs (6) than processors (4)"},
		"few threads of Go":   {request{cores, oneSocket, 3, 2, 1, alone}, "", "none: there are more PEs (3) than threads that Go runs (2, GOMAXPROCS)"},
		"unknown":             {one(cores, topology.Flat(topology.SetOf(0, 1)), 1), "", "none: the system does not say where its processors are"},
		"one process":         {request{cores, oneSocket, 1, 2, 2, alone}, "", "none: several ranks are one process"},
		"mixed": {request{sockets, oneSocket, 1, 2, 1, ranks.Sharing{Peers: 1, Mixed: true}}, "",
			"none: some of the processors of this rank may be used by ranks that may use others too"},
	} {
		p := placing{request: c.r}
		p.places, p.why = p.choose()
		got := []string{}
		for _, place := range p.places {
			got = append(got, place.Processors.String())
		}
		require.Equal(t, strings.Fields(c.want), got, name)
		require.Equal(t, c.text, p.text(nil), name)
		if p.places != nil {
			require.Equal(t, "not of all PEs: full", p.text(errors.New("full")), name)
		}
	}
}

func TestPEsOfASocketHaveTheSameDomain(t *testing.T) {
	var s Engine
	require.Empty(t, s.domains())
	s.placing.request = request{settings.BindCores, twoSockets, 3, 99, 1, alone}
	s.placing.places, _ = s.placing.choose()
	require.Equal(t, []int{0, 0, 1}, s.domains())
}

func TestMemoryOfAPEIsTakenOnItsSocket(t *testing.T) {
	before := topology.Own()
	if before == nil { // the system cannot bind threads
		return
	}
	var s Engine
	s.placing.machine = topology.Here()
	s.placing.places = s.placing.machine.BySocket(1)
	called := false
	s.near(0, func() {
		called = true
		require.Equal(t, s.placing.places[0].Processors.String(), topology.Own().String())
	})
	require.True(t, called)
	require.Equal(t, before.String(), topology.Own().String())
}
