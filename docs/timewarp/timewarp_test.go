// This file owns the tests of the picture, and of the events that it shows.

package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/output/svg/svgtest"
)

func TestTheFileIsThePicture(t *testing.T) {
	have, err := os.ReadFile("../timewarp.svg")
	require.NoError(t, err)
	require.True(t, string(draw()) == string(have), "docs/timewarp.svg is another picture: go run ./docs/timewarp, and look at it")
}

func TestThePictureIsWrittenWhole(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, write(folder))
	have, err := os.ReadFile(folder + "/timewarp.svg")
	require.NoError(t, err)
	require.Equal(t, "svg", svgtest.Elements(t, have)[0].Name)
	require.Error(t, write(folder+"/none"))
}

// times returns LPs and times of events.
func times(events []*event) (all [][2]float64) {
	for _, e := range events {
		all = append(all, [2]float64{float64(e.to), e.at})
	}
	return all
}

// sequential handles all events in the order of time.
func sequential() *world {
	w := first()
	for {
		next := -1
		for _, e := range w.events {
			if e.is == pending && e.at == w.gvt() {
				next = e.to
			}
		}
		if next < 0 {
			return w
		}
		w.handle(next)
	}
}

func TestScenesCommitWhatASequentialRunDoes(t *testing.T) {
	all := times(sequential().committed())
	require.Equal(t, [][2]float64{{lpA, 1}, {lpB, 1.5}, {lpC, 2}, {lpA, 3}, {lpA, 4.5}, {lpB, 5.5}}, all)
	w := first()
	var gvts []float64
	undone, gone := 0, 0
	for _, s := range scenes {
		w.forget()
		for _, lp := range s.turns {
			require.True(t, w.handle(lp))
		}
		gvts = append(gvts, w.gvt())
		have := times(w.committed())
		require.Equal(t, all[:len(have)], have, "committed is final")
		for _, e := range w.events {
			if e.undone {
				undone++
			}
			if e.is == cancelled {
				gone++
			}
		}
	}
	require.Equal(t, []float64{2, 3, 5.5}, gvts)
	require.Equal(t, []int{2, 1}, []int{undone, gone}, "A undoes its event, B the one that is then cancelled")
	for w.handle(lpB) {
	}
	require.Equal(t, all, times(w.committed()))
}
