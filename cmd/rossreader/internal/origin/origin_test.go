// This file tests the guesses.

package origin

import (
	"fmt"
	"io"
	"log"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	rt "github.com/ross-go/ross/cmd/rossreader/internal/readertest"
	"github.com/ross-go/ross/instr"
)

func TestFilesOfTheOriginalAreKnownByWhatOnlyItWrites(t *testing.T) {
	for name, want := range map[string][2]bool{ // sure, counts GVTs from the start
		"opt2-gvt.bin": {true, true}, "opt2-rt.bin": {true, true}, "lp36-gvt.bin": {false, true},
		"cons2-payload-analysis-lps.bin": {true, true}, "opt2-model.bin": {false, false}, "opt2-evtrace.bin": {false, false},
	} {
		r, err := instr.Open(rt.File(name))
		require.NoError(t, err)
		var d Detector
		for {
			record, err := r.Next()
			if err == io.EOF {
				break
			}
			require.NoError(t, err)
			d.See(record)
		}
		require.NoError(t, r.Close())
		require.Equal(t, want, [2]bool{d.Sure(), d.CountsGVTsFromStart()}, name)
	}
}

// see shows a detector samples of one PE with these numbers of GVTs.
func see(d *Detector, pe uint32, gvts ...uint32) {
	for _, n := range gvts {
		d.See(&instr.Record{Kind: instr.KindPE, PE: instr.PEStats{PE: pe, GVTs: n}})
	}
}

func TestNumbersOfGVTsThatDoNotGrowAreSinceTheSampleBefore(t *testing.T) {
	grows := []uint32{0, 2, 4, 6, 8, 10, 12, 14}
	for _, c := range []struct {
		name string
		gvts []uint32
		want bool
	}{
		{"grow", grows, true},
		{"few", grows[:7], false},
		{"the same", []uint32{2, 2, 2, 2, 2, 2, 2, 2, 2}, false},
		{"once less", []uint32{1, 2, 3, 4, 5, 6, 7, 8, 7, 9, 10, 11}, false},
	} {
		var d Detector
		see(&d, 0, c.gvts...)
		require.Equal(t, c.want, d.CountsGVTsFromStart(), c.name)
	}
	var d Detector
	see(&d, 0, grows...)
	see(&d, 1, 2, 2, 2, 2, 2, 2, 2, 2)
	require.False(t, d.CountsGVTsFromStart(), "it is one file")
}

func TestRealTimesThatWereSetAreOurs(t *testing.T) {
	for real, want := range map[float64]bool{0: false, 0.001: false, 6.9e-310: true, -1: true} {
		var d Detector
		d.See(&instr.Record{Kind: instr.KindVTModel, VTModel: instr.VTModel{RealTime: real}})
		require.Equal(t, want, d.Sure(), real)
	}
	var d Detector
	d.See(&instr.Record{Kind: instr.KindVTModel, VTModel: instr.VTModel{RealTime: math.NaN()}})
	require.True(t, d.Sure())
}

func Example() {
	r, err := instr.Open("../../../../instr/testdata/opt2-gvt.bin")
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	var d Detector
	for record, err := range r.All() {
		if err != nil {
			log.Fatal(err)
		}
		d.See(record)
	}
	fmt.Println(d.Sure(), d.CountsGVTsFromStart())
	// Output: true true
}
