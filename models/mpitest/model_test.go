//go:build mpi && cgo && !purego

// This file pins tests of package modeltest under mpirun: this test binary is started again, on two ranks.

package mpitest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/testkit"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/stats"
)

// asRank says that mpirun has started this test binary.
var asRank = ranks.Launcher() != ""

// inMPI runs tests that use ranks one after the other.
func inMPI(run func() int) int {
	end, err := ross.KeepMPI()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	status := run()
	if err := end(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return status
}

// courier is the state of a small model; it carries letters to others.
type (
	courier struct {
		Carried int64
		Away    stats.Tally
	}
	letter struct{ N int64 }
)

// couriers returns a model that is right, unless wrong is what the last courier does on ranks.
func couriers(wrong func(s *courier, lp *ross.LP)) modeltest.Model {
	const n = 12
	step := func(s *courier, lp *ross.LP, m *letter) {
		if *ross.Write(lp, &s.Carried) += m.N; wrong != nil && lp.ID() == n-1 && lp.PE().Simulation().Ranks() > 1 {
			wrong(s, lp)
		}
		away := 0.1 + lp.RNG().Exponential(1)
		s.Away.Add(lp, away)
		ross.Send(lp, ross.LPID(lp.RNG().Integer(0, n-1)), away, letter{s.Carried % 100})
	}
	return modeltest.Model{
		Config: ross.Config{End: 20},
		Short:  true,
		Types: func() []ross.LPType {
			return []ross.LPType{ross.Type[courier]{LPs: n, Lookahead: 0.1, Saving: ross.SaveByLog,
				Init: func(_ *courier, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, letter{1}) }, Event: ross.On(step)}}
		},
	}
}

// models are those of the ranks, with what an error of them says.
var models = []struct {
	name, says string
	model      modeltest.Model
}{
	{"right", "", couriers(nil)},
	{"right again", "", couriers(nil)}, // MPI is kept
	{"state", "modeltest: courier, rank 1 of 2: 2 ranks of --synch=3 --pes=1 --nkp=4 --batch=8 --gvt-interval=8: " +
		"states at the end: not as in the sequential run: LP 11 (courier): courier.Carried is ",
		couriers(func(s *courier, lp *ross.LP) { *ross.Write(lp, &s.Carried) += 100 })},
	{"statistics", `modeltest: courier, rank 1 of 2: 2 ranks of --synch=3 --pes=1 --nkp=4 --batch=8 --gvt-interval=8: ` +
		`statistics: not as in the sequential run: "LP 11, Away: `, couriers(func(s *courier, lp *ross.LP) { s.Away.Add(lp, 7) })},
	{"panic", "no such luck", couriers(func(*courier, *ross.LP) { panic("no such luck") })},
}

func TestModelsAreTestedOnRanks(t *testing.T) {
	if !asRank {
		out, status := start(t, t.TempDir(), 2, os.Args[0], "-test.v", "-test.count=1", "-test.run=^"+t.Name()+"$",
			"-test.timeout="+testkit.RankLimit(t).String()).wait()
		require.Zero(t, status, out)
		for _, m := range models {
			require.Equal(t, 2, strings.Count(out, "--- PASS: "+t.Name()+"/"+strings.ReplaceAll(m.name, " ", "_")+" ("), "%s on both ranks:\n%s", m.name, out)
		}
		return
	}
	for _, m := range models {
		t.Run(m.name, func(t *testing.T) {
			report, err := modeltest.Check(m.model)
			if m.says != "" {
				require.ErrorIs(t, err, modeltest.ErrModel)
				require.ErrorContains(t, err, m.says)
				return
			}
			require.NoError(t, err)
			require.Empty(t, report.LeftOut)
			require.NotContains(t, strings.Join(report.Notes, " "), "no event went from one PE to another")
			on := 0
			for _, run := range report.Runs {
				if strings.HasPrefix(run, "2 ranks of --synch=") {
					on++
				}
			}
			require.Greater(t, on, 3, report.Runs)
		})
	}
}
