// This file pins the notes on scratch that a model needs, and that a checkpoint does not store.

package checkpoint_test

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/rosstest"
	"github.com/ross-go/ross/stats"
)

type (
	params struct{ Mean float64 }
	meaner interface{ mean() float64 }
	tick   struct{}
)

func (p *params) mean() float64 { return p.Mean }

// clerk has scratch of several kinds, which Init sets as a test wants it.
type clerk struct {
	N      int64
	Served stats.Counter
	In     struct {
		P *params `ross:"-"`
	}
	M     map[int]float64       `ross:"-"`
	F     func() float64        `ross:"-"`
	I     meaner                `ross:"-"`
	Table []float64             `ross:"-"`
	Some  [3]struct{ Q *int64 } `ross:"-"`
	Mean  float64               `ross:"-"`
	Buf   []byte                `ross:"-"`
	Text  string                `ross:"-"`
}

// clerks returns a model whose Init sets scratch, and whose handlers use it.
func clerks(set func(s *clerk), use func(s *clerk) float64) ross.LPType {
	return ross.Type[clerk, tick]{
		Name: "clerk",
		Init: func(s *clerk, lp *ross.LP) {
			s.Served.Inc(lp)
			set(s)
			ross.Send(lp, lp.ID(), 1, tick{})
		},
		Event: func(s *clerk, lp *ross.LP, _ *ross.Bits, _ *tick) {
			s.N++
			ross.Send(lp, lp.ID(), use(s), tick{})
		},
		Reverse: func(s *clerk, _ *ross.LP, _ *ross.Bits, _ *tick) { s.N-- },
	}
}

const noted = `Note: LP type "clerk": clerk.%s is scratch (ross:"-") with a value, which checkpoints do not store`

func TestScratchThatARestartWouldMissIsNoted(t *testing.T) {
	one := int64(1)
	for field, c := range map[string]struct {
		set   func(s *clerk)
		use   func(s *clerk) float64
		fails bool // after a restart
	}{
		"In.P":      {func(s *clerk) { s.In.P = &params{1} }, func(s *clerk) float64 { return s.In.P.Mean }, true},
		"M":         {func(s *clerk) { s.M = map[int]float64{} }, func(s *clerk) float64 { s.M[0] = 1; return s.M[0] }, true},
		"F":         {func(s *clerk) { s.F = func() float64 { return 1 } }, func(s *clerk) float64 { return s.F() }, true},
		"I":         {func(s *clerk) { s.I = &params{1} }, func(s *clerk) float64 { return s.I.mean() }, true},
		"Table":     {func(s *clerk) { s.Table = []float64{1} }, func(s *clerk) float64 { return s.Table[0] }, true},
		"Some[2].Q": {func(s *clerk) { s.Some[2].Q = &one }, func(s *clerk) float64 { return float64(*s.Some[2].Q) }, true},
		"Mean":      {func(s *clerk) { s.Mean = 1 }, func(s *clerk) float64 { return max(1, s.Mean) }, false},
		"Text":      {func(s *clerk) { s.Text = "1" }, func(s *clerk) float64 { return 1 }, false},
	} {
		for _, synch := range []int{1, 3} {
			t.Run(fmt.Sprintf("%s/synch=%d", field, synch), func(t *testing.T) {
				cfg := rosstest.Checking(synch)
				cfg.End, cfg.IOName = 10, filepath.Join(t.TempDir(), "cp")
				if synch == 1 { // which stores one at this time, whatever it does
					cfg.IOVirtualInterval = 4
				}
				sim, report := rosstest.Define(t, cfg, clerks(c.set, c.use))
				require.NoError(t, sim.InitIO())
				require.NoError(t, sim.Run(context.Background()))
				if synch == 1 {
					require.Equal(t, 1, strings.Count(report.String(), fmt.Sprintf(noted, field)), report)
				}
				require.NoError(t, sim.StoreCheckpoint(cfg.IOName, ross.ByFormula))
				require.Equal(t, 1, strings.Count(report.String(), fmt.Sprintf(noted, field)), report)
				require.NoError(t, sim.Close())
				cfg.End, cfg.IORestart = 20, cfg.IOName
				out := rosstest.Try(t, cfg, clerks(c.set, c.use))
				if !c.fails {
					require.NoError(t, out.Err)
					return
				}
				require.ErrorIs(t, out.Err, ross.ErrPanic)
				_, cause, found := strings.Cut(out.Err.Error(), "likely cause: ")
				require.True(t, found, out.Err)
				require.Regexp(t, `(^|, )clerk.`+regexp.QuoteMeta(field)+`[,:].*scratch \(ross:"-"\) is not stored in checkpoints`, cause)
			})
		}
	}
}

// TestScratchThatHandlersMakeIsNotNoted has a buffer, which no Init has made, and a store after the run.
func TestScratchThatHandlersMakeIsNotNoted(t *testing.T) {
	cfg := rosstest.Checking(1)
	cfg.End = 10
	sim, report := rosstest.Define(t, cfg, clerks(func(s *clerk) { s.Buf = make([]byte, 0, 8) }, func(s *clerk) float64 {
		s.Buf = append(s.Buf[:0], 1, 2)
		s.Mean = 1
		return float64(s.Buf[0])
	}))
	require.NoError(t, sim.InitIO())
	require.NoError(t, sim.Run(context.Background()))
	require.NoError(t, sim.StoreCheckpoint(filepath.Join(t.TempDir(), "cp"), ross.ByFormula))
	require.NotContains(t, report.String(), "scratch")
}

// TestARunWithoutCheckpointsSaysNothingOfScratch also fails without one, which is no fault of scratch.
func TestARunWithoutCheckpointsSaysNothingOfScratch(t *testing.T) {
	out := rosstest.Try(t, rosstest.Checking(1), clerks(func(s *clerk) { s.Mean = 1 }, func(s *clerk) float64 { return s.In.P.Mean }))
	require.ErrorIs(t, out.Err, ross.ErrPanic)
	require.NotContains(t, out.Err.Error(), "likely cause")
	require.NotContains(t, out.Report, "scratch")
}
