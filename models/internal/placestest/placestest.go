// Package placestest tests the maps that models write for pictures of their networks (package places): what LPs send to
// one another goes along the links of the map.
package placestest

import (
	"io"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/program/parts/places"
)

// Model is a program that writes a map.
type Model struct {
	Run     func(args []string, stdout, stderr io.Writer) int
	Options []string // of a short run
	Nodes   int      // of its map
	// LeftOut reports whether events between LPs of these kinds of nodes, "" without a node, go along no link. Default:
	// none.
	LeftOut func(from, to string) bool
}

// Check runs the model with a trace of its committed events, and requires that each of them that another LP has sent
// went along a link, and that most links carried some.
func Check(t *testing.T, of Model) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	options := append(of.Options, "--event-trace=3", "--stats-path="+dir)
	require.Zero(t, of.Run(options, io.Discard, io.Discard))
	m, err := places.Read(filepath.Join(dir, instr.DefaultPrefix+places.Suffix))
	require.NoError(t, err)
	require.Len(t, m.Nodes, of.Nodes)
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
		if e.Src == e.Dest || of.LeftOut != nil && of.LeftOut(kinds[e.Src], kinds[e.Dest]) {
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
