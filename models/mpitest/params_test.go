//go:build mpi && cgo && !purego

// This file pins parameters from a file on ranks: each rank reads the file, all LPs have what it says, and ranks that have
// read different files do not run.

package mpitest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/testkit"
	"github.com/ross-go/ross/params"
	"github.com/ross-go/ross/program"
)

type (
	ward      struct{ Beds, Calls int64 } // the state of an LP; its handler notes the parameters
	call      struct{}
	equipment struct { // the parameters
		Beds  int64
		Every float64
	}
)

// wards returns a program with parameters from a file. After a run, seen has the states of all wards.
func wards(seen *[]ward) program.Program {
	const n = 6
	var file params.File
	var all []equipment
	cfg := ross.DefaultConfig()
	cfg.LPs, cfg.End = n, 20
	return program.Program{
		Name: "wards", Config: cfg,
		Options: func(o *ross.Options, _ *ross.Config) {
			params.Option(o.Group("Wards"), &file, "params", "parameters of wards")
		},
		Prepare: func(*ross.Config) (err error) {
			all, err = params.Each(&file, n, func(i int) string { return fmt.Sprintf("ward[%d]", i) }, equipment{Beds: 1, Every: 1})
			if err == nil {
				err = file.Done()
			}
			return err
		},
		Build: func(sim *ross.Simulation) error {
			return sim.Define(ross.Type[ward]{
				Saving: ross.SaveByLog,
				Init:   func(_ *ward, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, call{}) },
				Event: ross.On(func(s *ward, lp *ross.LP, _ *call) {
					*ross.Write(lp, s) = ward{all[lp.ID()].Beds, s.Calls + 1}
					ross.Send(lp, (lp.ID()+1)%n, all[lp.ID()].Every, call{})
				}),
			})
		},
		Finish: func(sim *ross.Simulation) (err error) {
			*seen, err = ross.Gather(sim, func(_ *ross.LP, s *ward) ward { return *s })
			return err
		},
	}
}

func TestRanksHaveTheParametersOfTheFile(t *testing.T) {
	if !asRank {
		dir := t.TempDir()
		for name, beds := range map[string]int{"one.yaml": 60, "other.yaml": 61} {
			text := fmt.Sprintf("\"ward[0..1].beds\": %d\n\"ward[*]\":\n  beds: 40\n  every: 1.5\n", beds)
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
		}
		out, status := start(t, dir, 2, os.Args[0], "-test.v", "-test.count=1", "-test.run=^"+t.Name()+"$",
			"-test.timeout="+testkit.RankLimit(t).String()).wait()
		require.Zero(t, status, out)
		require.Equal(t, 2, strings.Count(out, "--- PASS: "+t.Name()), "on both ranks:\n%s", out)
		require.Equal(t, 1, strings.Count(out, "wards: ross: start: rank 1 differs from rank 0: option --params: sha256:"), "one rank says it, once:\n%s", out)
		return
	}
	run := func(line string) (seen []ward, status int, said string) {
		var errs bytes.Buffer
		status = wards(&seen).Main(strings.Fields(line), new(bytes.Buffer), &errs)
		return seen, status, errs.String()
	}
	for _, synch := range []string{"--synch=3", "--synch=3 --pes=2"} {
		all, status, said := run("--params=one.yaml " + synch)
		require.Zero(t, status, said)
		require.Equal(t, []int64{60, 60, 40, 40, 40, 40}, []int64{all[0].Beds, all[1].Beds, all[2].Beds, all[3].Beds, all[4].Beds, all[5].Beds})
		for _, w := range all { // at 1, 2.5, ... 19
			require.EqualValues(t, 13, w.Calls)
		}
	}
	file := map[bool]string{true: "one.yaml", false: "other.yaml"}[ranks.First()]
	_, status, said := run("--params=" + file + " --synch=3")
	require.Equal(t, 2, status)
	fmt.Print(said)
}
