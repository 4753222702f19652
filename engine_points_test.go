// Samples that models give: at virtual times they are those of a sequential run,
// whatever was undone in between; at the end of a run they are its result.

package ross

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/report"
)

// counted is a state whose point counts anew.
type counted struct {
	handled, since uint64
	at             float64 // time of the last point
}

type countMsg struct{ _ float64 }

// counter is a model that says at each point how much it has done since the one
// before. Its LPs with odd ids say nothing.
func counterTypes() []LPType {
	event := func(s *counted, lp *LP, _ *Bits, _ *countMsg) {
		s.handled++
		s.since++
		Send(lp, LPID(lp.RNG().Integer(0, 63)), lp.RNG().Exponential(0.9)+0.1, countMsg{})
	}
	quiet := Type[counted, countMsg]{
		Name:  "quiet",
		Init:  func(_ *counted, lp *LP) { Send(lp, lp.ID(), lp.RNG().Exponential(1), countMsg{}) },
		Event: event,
		Reverse: func(s *counted, _ *LP, _ *Bits, _ *countMsg) {
			s.handled--
			s.since--
		},
	}
	loud := quiet
	loud.Name = "loud"
	loud.PointSize, loud.SampleSize = 24, 8
	loud.Point = func(s *counted, lp *LP, bits *Bits, buf []byte) {
		binary.LittleEndian.PutUint64(buf, s.since)
		binary.LittleEndian.PutUint64(buf[8:], uint64(lp.Now()*1000))
		binary.LittleEndian.PutUint64(buf[16:], uint64(s.at*1000))
		s.since, s.at = 0, lp.Now()
		bits.Set(3)
	}
	loud.ReversePoint = func(s *counted, _ *LP, bits *Bits, buf []byte) {
		if !bits.Get(3) {
			panic("the bits of the point are not those of Point")
		}
		s.since = binary.LittleEndian.Uint64(buf)
		s.at = float64(binary.LittleEndian.Uint64(buf[16:])) / 1000
	}
	loud.Sample = func(s *counted, lp *LP, buf []byte) { binary.LittleEndian.PutUint64(buf, s.handled) }
	return []LPType{quiet, loud}
}

// counts runs the model, and returns what its LPs said at virtual times, by LP, and what
// they said last otherwise.
func countedRun(t *testing.T, configure func(*Config)) (points map[uint64][]string, last map[uint32]uint64, st report.Stats) {
	t.Helper()
	modeltest.Watch(t)
	cfg := DefaultConfig()
	cfg.NLP, cfg.End, cfg.NKP = 64, 30, 4
	cfg.TypeMap = func(gid LPID) int { return int(1 - gid&1) }
	sampled(filepath.Join(t.TempDir(), "stats"))(&cfg)
	cfg.VTInterval, cfg.VTSampEnd = 1.5, 24
	configure(&cfg)
	sim, err := New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(counterTypes()...))
	require.NoError(t, sim.Run(t.Context()))
	if cfg.Synch != 4 { // what Init has sent is pending again
		requireNoLeak(t, sim)
	}
	points, last = map[uint64][]string{}, map[uint32]uint64{}
	for _, r := range modeltest.Records(t, cfg.StatsPath, instr.VTSuffix) {
		if r.Kind == instr.KindVTModel {
			v := &r.VTModel
			points[v.LP] = append(points[v.LP], fmt.Sprintf("%g: %x", v.TS, v.Payload))
			require.Equal(t, uint64(sim.LP(LPID(v.LP)).PE().ID()), v.PE)
			require.Equal(t, sim.LP(LPID(v.LP)).KP().ID(), v.KP)
		}
	}
	for _, r := range modeltest.Records(t, cfg.StatsPath, instr.ModelSuffix) {
		last[r.Model.LP] = binary.LittleEndian.Uint64(r.Model.Payload)
	}
	for id := range last {
		require.Equal(t, StateOf[counted](sim.LP(LPID(id))).handled, last[id])
	}
	return points, last, sim.Stats()
}

func TestPointsOfModelsAreThoseOfASequentialRun(t *testing.T) {
	want, wantLast, _ := countedRun(t, func(c *Config) { c.Synch = 1 })
	require.Len(t, want, 32)
	require.Len(t, wantLast, 32)
	for lp, all := range want {
		require.Len(t, all, 16, "LP %d: one each 1.5 up to 24", lp)
		require.Zero(t, lp&1)
	}
	for _, synch := range testlevel.Pick([]int{2, 3, 5, 6}, []int{2, 3, 5, 6}, []int{2, 3, 5}) {
		for _, pes := range testlevel.Pick([]int{1, 2, 4}, []int{1, 2, 4}, []int{2}) {
			if c := (&Config{Synch: Scheduler(synch)}); c.settings().Sequential() && pes > 1 {
				continue
			}
			t.Run(fmt.Sprintf("synch=%d/pes=%d", synch, pes), func(t *testing.T) {
				got, last, st := countedRun(t, func(c *Config) {
					c.Synch, c.PEs, c.NLP, c.ConsLookahead = Scheduler(synch), pes, uint64(64/pes), 0.1
					if synch == 3 || synch == 5 {
						c.knobs.disturb = harass(t, pes, 0.3)
					}
				})
				require.Equal(t, want, got)
				require.Equal(t, wantLast, last)
				if synch == 3 {
					require.Positive(t, st.EventsRolledBack)
				}
			})
		}
	}
	t.Run("rolled back to the start", func(t *testing.T) { // synch=4 compares all states with those after Init
		got, _, _ := countedRun(t, func(c *Config) { c.Synch = 4 })
		require.Empty(t, got, "nothing is committed")
	})
}
