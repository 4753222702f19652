// Files of real runs, in every scheduler and on 1 to 4 PEs, have nothing wrong with them.

package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
)

type (
	state struct{ handled uint64 }
	hop   struct{ n uint32 }
)

const numLPs = 24

// hops is a model of which half of the LPs say something about their events and states.
func hops() []ross.LPType {
	quiet := ross.Type[state, hop]{
		Name: "quiet",
		Init: func(_ *state, lp *ross.LP) {
			for range 4 {
				ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), hop{})
			}
		},
		Event: func(s *state, lp *ross.LP, _ *ross.Bits, m *hop) {
			s.handled++
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, numLPs-1)), 0.1+lp.RNG().Exponential(0.9), hop{m.n + 1})
		},
		Reverse: func(s *state, _ *ross.LP, _ *ross.Bits, _ *hop) { s.handled-- },
	}
	loud := quiet
	loud.Name = "loud"
	loud.TraceSize, loud.SampleSize, loud.PointSize = 4, 8, 8
	loud.Trace = func(_ *ross.LP, _ ross.TraceKind, m *hop, buf []byte) bool { buf[0] = byte(m.n); return true }
	loud.Sample = func(s *state, _ *ross.LP, buf []byte) { buf[0] = byte(s.handled) }
	loud.Point = func(s *state, _ *ross.LP, _ *ross.Bits, buf []byte) { buf[0] = byte(s.handled) }
	return []ross.LPType{quiet, loud}
}

func TestFilesOfRunsHaveNothingWrong(t *testing.T) {
	for _, synch := range []int{1, 2, 3, 4, 5, 6} {
		for _, pes := range []int{1, 2, 4} {
			if pes > 1 && synch != 2 && synch != 3 && synch != 5 {
				continue
			}
			for _, what := range []int{1, 2, 3} {
				for name, set := range map[string]func(*ross.Config){
					"plain":         func(*ross.Config) {},
					"tiny buffers":  func(c *ross.Config) { c.BufferSize = 500 },
					"small buffers": func(c *ross.Config) { c.BufferSize = 3000 },
					"no output":     func(c *ross.Config) { c.DisableOutput = 1 },
				} {
					t.Run(fmt.Sprintf("synch=%d/pes=%d/trace=%d/%s", synch, pes, what, name), func(t *testing.T) {
						dir := filepath.Join(t.TempDir(), "stats")
						var report, found, errs bytes.Buffer
						cfg := ross.DefaultConfig()
						cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP, cfg.End, cfg.ConsLookahead = ross.Scheduler(synch), pes, uint64(numLPs/pes), 3, 40, 0.1
						cfg.TypeMap = func(gid ross.LPID) int { return int(gid & 1) }
						cfg.EngineStats, cfg.ModelStats, cfg.EventTrace, cfg.StatsPath = 4, 4, what, dir
						cfg.NumGVT, cfg.RTInterval, cfg.VTInterval, cfg.KPData, cfg.LPData = 1, 1, 3, 1, 1
						cfg.GVTInterval, cfg.FixedGVT = 4, true
						cfg.Output = &report
						set(&cfg)
						sim, err := ross.New(cfg)
						require.NoError(t, err)
						defer sim.Close()
						require.NoError(t, sim.Define(hops()...))
						require.NoError(t, sim.Run(context.Background()))
						if name == "tiny buffers" {
							require.Contains(t, report.String(), "bytes of data missed because of buffer overflow")
						} else if name == "plain" {
							require.NotContains(t, report.String(), "missed")
						}
						if cfg.DisableOutput != 0 {
							return
						}
						args := []string{"check", dir}
						if what == 3 {
							args = append(args, "--committed")
						}
						require.Zero(t, run(args, &found, &errs), "%s%s", &found, &errs)
						require.Contains(t, found.String(), "ross-stats-evtrace.bin")
						require.Contains(t, found.String(), "ross-stats-vt.bin")
						for file, model := range map[string]bool{instr.VTSuffix: true, instr.VTEngineSuffix: false} {
							r, err := instr.Open(instr.FileName(dir, "", file))
							require.NoError(t, err)
							for rec, err := range r.All() {
								require.NoError(t, err)
								require.Equal(t, model, rec.Kind == instr.KindVTModel, "%s has a sample of a %s", file, rec.Kind)
							}
							require.NoError(t, r.Close())
						}
					})
				}
			}
		}
	}
}
