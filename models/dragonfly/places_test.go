// This file tests the map of the model: what routers and terminals send to one another goes along its links.

package main

import (
	"io"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/program/parts/places"
)

func TestTrafficGoesAlongTheLinksOfTheMap(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	require.Zero(t, run([]string{"--routers=4", "--channels=2", "--terminals=2", "--end=400", "--event-trace=3", "--stats-path=" + dir},
		io.Discard, io.Discard))
	m, err := places.Read(filepath.Join(dir, instr.DefaultPrefix+places.Suffix))
	require.NoError(t, err)
	require.Len(t, m.Nodes, 36+72)
	kinds, carried := map[uint32]string{}, map[[2]uint32]int{}
	for _, node := range m.Nodes {
		kinds[uint32(node.LP)] = node.Kind
	}
	for _, l := range m.Links {
		ends := [2]uint32{uint32(l.From), uint32(l.To)}
		require.NotContains(t, carried, ends, "a link is there once")
		carried[ends] = 0
	}
	r, err := instr.Open(instr.FileName(dir, "", instr.TraceSuffix))
	require.NoError(t, err)
	defer r.Close()
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		e := &rec.Event
		if e.Src == e.Dest || kinds[e.Src] == "" || kinds[e.Dest] == "" { // processes
			continue
		}
		ends := [2]uint32{e.Src, e.Dest}
		require.Contains(t, carried, ends)
		carried[ends]++
	}
	used := 0
	for _, n := range carried {
		if n > 0 {
			used++
		}
	}
	require.Greater(t, used, len(carried)/2)
}
