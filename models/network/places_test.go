// This file tests what the program says of its places, and that what links record is the same in every run.

package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/run/inside"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/models/network/topology"
	"github.com/ross-go/ross/program/parts/places"
)

// samplesOf returns all samples of a run: LP, time and payload, in order. PE, KP and real time differ between runs.
func samplesOf(t *testing.T, dir string) (all []string) {
	t.Helper()
	r, err := instr.Open(instr.FileName(dir, "", "analysis-lps"))
	require.NoError(t, err)
	defer r.Close()
	for {
		rec, err := r.Next()
		if err == io.EOF {
			slices.Sort(all)
			return all
		}
		require.NoError(t, err)
		all = append(all, fmt.Sprintf("%6d %12.3f %x", rec.VTModel.LP, rec.VTModel.TS, rec.VTModel.Payload))
	}
}

func TestSamplesOfLinksAndTheMapAreTheSameInEveryRun(t *testing.T) {
	for _, g := range []string{"messages", "packets", "flits"} {
		args := line + "--routing=adaptive --granularity=" + g + " --model-stats=3 --vt-interval=50 --stats-path="
		want, wantMap := []string(nil), []byte(nil)
		for i, more := range []string{"", " --synch=2 --pes=2", " --synch=3 --pes=2 --nkp=4 --gvt-interval=8"} {
			dir := filepath.Join(t.TempDir(), fmt.Sprint("run", i))
			tested.Play(t, args+dir+more)
			got := samplesOf(t, dir)
			text := read(t, dir)
			if i == 0 {
				require.Greater(t, len(got), 48*12)
				want, wantMap = got, text
			}
			require.Equal(t, want, got, "%s%s", g, more)
			require.Equal(t, string(wantMap), string(text))
		}
		dir := filepath.Join(t.TempDir(), "ranks")
		onRanks(t, strings.Fields(args+dir+" --synch=3"))
		require.Equal(t, want, samplesOf(t, dir), "%s on 2 ranks", g)
		require.Equal(t, string(wantMap), string(read(t, dir)))
	}
}

// TestSamplesGoOnFromACheckpoint compares the samples of a run that goes on with those of one that never stopped.
func TestSamplesGoOnFromACheckpoint(t *testing.T) {
	for _, g := range []string{"packets", "flits"} {
		t.Chdir(t.TempDir())
		args := line + "--granularity=" + g + " --model-stats=3 --vt-interval=50 --stats-path="
		tested.Play(t, args+"whole --io-virtual-interval=1000 --io-name=half")
		whole := samplesOf(t, "whole")
		tested.Play(t, args+"rest --io-restart=latest --io-name=half")
		rest := samplesOf(t, "rest")
		require.NotEmpty(t, rest)
		require.Less(t, len(rest), len(whole))
		require.Subset(t, whole, rest, g)
	}
}

func read(t *testing.T, dir string) []byte {
	t.Helper()
	return []byte(testkit.Content(t, dir, instr.DefaultPrefix+places.Suffix))
}

// onRanks runs the program on two ranks, which are goroutines.
func onRanks(t *testing.T, args []string) {
	t.Helper()
	cluster := worldtest.New(2, 1, 20)
	var all sync.WaitGroup
	errs := make([]error, 2)
	for rank := range 2 {
		all.Go(func() {
			p := newProgram()
			cfg := p.Config
			cfg.Output = io.Discard
			if _, err := p.CommandLine(&cfg).Parse(args); err != nil {
				errs[rank] = err
				return
			}
			if errs[rank] = p.Prepare(&cfg); errs[rank] != nil {
				return
			}
			inside.Ross.Knobs(&cfg).World = cluster.Rank(rank)
			sim, err := ross.New(cfg)
			if err != nil {
				errs[rank] = err
				return
			}
			defer sim.Close()
			if errs[rank] = p.Build(sim); errs[rank] == nil {
				errs[rank] = sim.Run(t.Context())
			}
		})
	}
	all.Wait()
	require.NoError(t, errs[0])
	require.NoError(t, errs[1])
}

// TestTheMapIsThatOfTheShape compares the map with the shape, and indices with fields.
func TestTheMapIsThatOfTheShape(t *testing.T) {
	for shape, arrange := range map[string]places.Arrangement{
		"torus:3x4,2": places.Grid, "mesh:3x2,1": places.Grid, "dragonfly:2,1,2": places.Groups,
		"dragonfly+:2,2,1,2,3": places.Groups, "slimfly:3,1": places.Circle, "tree:2,3": places.Layers,
	} {
		dir := filepath.Join(t.TempDir(), "run")
		tested.Play(t, "--jobs=uniform --end=100 --model-stats=3 --vt-interval=40 --stats-path="+dir+" --shape="+shape)
		m, err := places.Read(filepath.Join(dir, instr.DefaultPrefix+places.Suffix))
		require.NoError(t, err)
		net, err := topology.Parse(shape)
		require.NoError(t, err)
		require.Equal(t, arrange, m.Arrange)
		require.Len(t, m.Nodes, net.Routers()+topology.TotalTerminals(net))
		links, ports := 2*topology.TotalTerminals(net), 0
		for r := range net.Routers() {
			ports = max(ports, net.Ports(r)+net.Terminals(r))
			for port := range net.Ports(r) {
				if to, toPort, _ := net.Link(r, port); to != r || toPort != port {
					links++
				}
			}
		}
		require.Len(t, m.Links, links)
		info, err := instr.ReadRunInfo(dir)
		require.NoError(t, err)
		layout, err := info.Types[0].Layout(instr.KindVTModel)
		require.NoError(t, err)
		for _, f := range layout {
			require.Equal(t, ports, f.Values(), f.Name)
		}
		require.Equal(t, []string{"load", "buffer", "stall", "waiting"}, names(m.Values))
	}
}

func names(values []places.Value) (all []string) {
	for _, v := range values {
		all = append(all, v.Name)
	}
	return all
}

func TestWithoutSamplesThereAreNoValuesAndWithoutFilesNoMap(t *testing.T) {
	t.Chdir(t.TempDir())
	tested.Play(t, line)
	require.NoFileExists(t, "stats-output")
	tested.Play(t, line+"--event-trace=3 --stats-path=traced --stats-prefix=x")
	m, err := places.Read("traced/x" + places.Suffix)
	require.NoError(t, err)
	require.Empty(t, m.Values)
	tested.Play(t, line+"--model-stats=3 --granularity=messages --stats-path=whole --vt-interval=500")
	m, err = places.Read("whole/" + instr.DefaultPrefix + places.Suffix)
	require.NoError(t, err)
	require.Equal(t, []string{"load", "buffer"}, names(m.Values))
	require.Zero(t, m.Links[0].Room)
	require.Len(t, samplesOf(t, "whole"), 4*(6+12))
}
