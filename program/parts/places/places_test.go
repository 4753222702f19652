// This file tests maps: what is wrong with one, and the file: it comes back as it was, and is with those of the run.

package places

import (
	"encoding/json"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
)

// full returns a map that has everything.
func full() *Map {
	x, y := 1.5, -2.25
	return &Map{Title: "two <nodes>", TimeUnit: "ns", Arrange: Groups, Lengths: []int{2}, Nodes: []Node{
		{LP: 0, Name: "a", Kind: "router", Group: 1, Layer: 2, X: &x, Y: &y}, {LP: 1, X: &y, Y: &x},
		{LP: 7, Name: "end", At: LP(0)},
	}, Links: []Link{{From: 0, To: 1, Class: "local", Capacity: 25, Room: 8192, Index: 3}, {From: 1, To: 7}},
		Values: []Value{{Name: "load", Title: "Load", Field: "sent", Unit: "B", Counts: true, Per: Capacity},
			{Name: "queue_2", Field: "q"}}}
}

type none struct{}

type word struct{}

// simulation returns a simulation whose LPs are defined. Its files go to a folder.
func simulation(t *testing.T, set func(c *ross.Config)) *ross.Simulation {
	t.Helper()
	cfg := ross.DefaultConfig()
	cfg.Output, cfg.End, cfg.LPs = io.Discard, 1, 8
	cfg.Instruments.Path = filepath.Join(t.TempDir(), "stats")
	set(&cfg)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { sim.Close() })
	require.Empty(t, sim.StatsDir(), "before Define")
	require.NoError(t, sim.Define(ross.Type[none]{Event: ross.On(func(*none, *ross.LP, *word) {})}))
	return sim
}

func TestAMapComesBackAsItWasWritten(t *testing.T) {
	taken := t.TempDir()
	sim := simulation(t, func(c *ross.Config) {
		c.Instruments.Model, c.Instruments.Path, c.Instruments.Prefix = ross.SampleByVirtualTime, taken, "monday"
	})
	m := full()
	require.NoError(t, Write(sim, m))
	dir := sim.StatsDir()
	require.NotEqual(t, taken, dir, "the folder existed, so the engine made another one")
	path := filepath.Join(dir, "monday"+Suffix)
	got, err := Read(path)
	require.NoError(t, err)
	require.Zero(t, m.Version, "the caller's map stays as it is")
	m.Version = Version
	require.Equal(t, m, got)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, 2+3+2+1, strings.Count(string(text), "\n"), "a line for each node and link")
	var plain map[string]any
	require.NoError(t, json.Unmarshal(text, &plain))
	require.Len(t, plain["nodes"], 3)
	require.Len(t, plain["links"], 2)
	require.NoError(t, sim.Run(t.Context()))
	require.Equal(t, dir, sim.StatsDir())
}

func TestARunWithoutFilesHasNoMap(t *testing.T) {
	bad := &Map{Version: 7}
	require.NoError(t, Write(simulation(t, func(*ross.Config) {}), bad), "nothing is collected")
	for _, set := range []func(c *ross.Config){
		func(c *ross.Config) { c.Instruments.Trace, c.Instruments.Discard = ross.TraceCommitted, true },
		func(c *ross.Config) { c.Instruments.Engine = ross.SampleByGVT },
		func(c *ross.Config) { c.Instruments.Model = ross.SampleByGVT },
	} {
		sim := simulation(t, set)
		require.False(t, Wanted(sim))
		require.NoError(t, Write(sim, bad))
		require.NotEmpty(t, sim.StatsDir())
		require.NoFileExists(t, filepath.Join(sim.StatsDir(), "ross-stats"+Suffix))
	}
}

func TestAMapThatCannotBeWrittenIsAnError(t *testing.T) {
	sim := simulation(t, func(c *ross.Config) { c.Instruments.Trace = ross.TraceCommitted })
	require.True(t, Wanted(sim))
	path := filepath.Join(sim.StatsDir(), "ross-stats"+Suffix)
	require.NoError(t, os.Mkdir(path, 0o700))
	err := Write(sim, full())
	require.ErrorContains(t, err, path)
	require.ErrorContains(t, err, "--stats-path")
	m := full()
	m.Links[0].To = 9
	err = Write(sim, m)
	require.ErrorIs(t, err, ErrMap)
	require.ErrorIs(t, err, ross.ErrModel)
}

func TestWhatIsWrongWithAMapIsSaid(t *testing.T) {
	nan := math.NaN()
	for want, change := range map[string]func(m *Map){
		"version 2":                         func(m *Map) { m.Version = 2 },
		`arrangement "ring"`:                func(m *Map) { m.Arrange = "ring" },
		"LP 0 has two nodes":                func(m *Map) { m.Nodes[1].LP = 0 },
		"the group -1":                      func(m *Map) { m.Nodes[1].Group = -1 },
		"no two finite coordinates":         func(m *Map) { m.Nodes[1].Y = nil },
		"LP 1 has no two finite":            func(m *Map) { m.Nodes[1].Y = &nan },
		"1 of 2 nodes have coordinates":     func(m *Map) { m.Nodes[1].X, m.Nodes[1].Y = nil, nil },
		"is at LP 5":                        func(m *Map) { m.Nodes[2].At = LP(5) },
		"is at LP 7":                        func(m *Map) { m.Nodes[2].At = LP(7) },
		"LP 9 has no node":                  func(m *Map) { m.Links[1].From = 9 },
		"the capacity -1":                   func(m *Map) { m.Links[1].Capacity = -1 },
		"the room NaN":                      func(m *Map) { m.Links[1].Room = nan },
		"the index -1":                      func(m *Map) { m.Links[1].Index = -1 },
		`a value is called "load"`:          func(m *Map) { m.Values[1].Name = "load" },
		`a value is called "a b"`:           func(m *Map) { m.Values[1].Name = "a b" },
		"the value load has no field":       func(m *Map) { m.Values[0].Field = "" },
		`the value load is per "x"`:         func(m *Map) { m.Values[0].Per = "x" },
		"lengths [0]: each must be":         func(m *Map) { bare(m); m.Lengths = []int{0} },
		"a grid of lengths [3] for 2 nodes": func(m *Map) { bare(m); m.Lengths = []int{3} },
		"a grid of lengths [] for 2 nodes":  func(m *Map) { bare(m); m.Lengths = nil },
	} {
		m := full()
		require.NoError(t, m.Check())
		change(m)
		err := m.Check()
		require.ErrorIs(t, err, ErrMap, want)
		require.ErrorContains(t, err, want)
	}
}

// bare makes a map a grid without coordinates.
func bare(m *Map) {
	m.Arrange = Grid
	for i := range m.Nodes {
		m.Nodes[i].X, m.Nodes[i].Y = nil, nil
	}
}

func TestAFileThatIsNoMapIsAnError(t *testing.T) {
	_, err := Read(filepath.Join(t.TempDir(), "none"))
	require.ErrorIs(t, err, fs.ErrNotExist)
	for _, text := range []string{"", "{", `{"nodes":[{"lp":-1}]}`, `{"links":[{"from":1,"to":2}]}`} {
		path := filepath.Join(t.TempDir(), "ross-stats"+Suffix)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err = Read(path)
		require.ErrorIs(t, err, ErrMap)
		require.ErrorContains(t, err, path)
	}
}
