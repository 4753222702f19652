// This file makes files of invented runs for tests, with peculiarities to be found.

// Package surveytest writes the files of invented runs.
package surveytest

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
)

// Run is the shape of a run. Its PEs handle events evenly, except the one that is slow, and
// its KPs roll back little, except the one that thrashes.
type Run struct {
	PEs, KPs, LPs int // of each PE, of each KP
	Samples       int // by GVT, of each PE and KP
	Events        int // in the trace
	SlowPE        int // -1: none
	ThrashingPE   int // -1: none
	ThrashingKP   int // on that PE
	FirstReal     float64
}

// Typical returns a run of 4 PEs with 8 KPs each: PE 2 is slow, KP 5 of PE 1 thrashes.
func Typical() Run {
	return Run{PEs: 4, KPs: 8, LPs: 2, Samples: 200, Events: 20_000, SlowPE: 2, ThrashingPE: 1, ThrashingKP: 5}
}

const (
	step    = 0.01 // seconds between two samples
	perStep = 100  // events of a KP
)

// Write writes the files of the run to a folder and returns its name.
func (r Run) Write(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	r.Put(t, dir, instr.GVTSuffix, r.gvt())
	r.Put(t, dir, instr.MemorySuffix, r.memory())
	if r.Events > 0 {
		r.Put(t, dir, instr.TraceSuffix, r.trace())
	}
	return dir
}

// Put writes a file of the run.
func (r Run) Put(t testing.TB, dir, suffix string, data []byte) string {
	t.Helper()
	path := instr.FileName(dir, "", suffix)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, data, 0o644))
	return path
}

func (r Run) gvt() (data []byte) {
	dice := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= r.Samples; n++ {
		gvt, real := float64(n)*2, r.FirstReal+float64(n)*step
		for pe := range r.PEs {
			p := instr.PEStats{
				PE: uint32(pe), QueueSize: uint32(200 + dice.IntN(100)), NetworkSends: uint32(60 + dice.IntN(20)),
				NetworkReads: 60, GVTs: 1, AllReduces: 3, FossilCollects: 1,
				NetRead: 0.0005, NetOther: 0.0003, GVT: 0.0004, FossilCollect: 0.0002, PQ: 0.0006,
			}
			var kps []instr.KPStats
			for kp := range r.KPs {
				k := r.kp(pe, kp, n, dice)
				p.Processed += k.Processed
				p.RolledBack += k.RolledBack
				p.Rollbacks += k.Rollbacks
				p.SecondaryRollbacks += k.SecondaryRollbacks
				kps = append(kps, k)
			}
			p.Efficiency = instr.Efficiency(uint64(p.Processed), uint64(p.RolledBack))
			p.EventProcess = float32(p.Processed) * 8e-6
			if pe == r.SlowPE {
				p.EventProcess = float32(p.Processed) * 32e-6
			}
			p.Rollback = float32(p.RolledBack) * 4e-6
			data = instr.AppendPE(data, gvt, real, &p)
			for _, k := range kps {
				data = instr.AppendKP(data, gvt, real, &k)
			}
			for lp := range r.KPs * r.LPs {
				data = instr.AppendLP(data, gvt, real, &instr.LPStats{
					PE: uint32(pe), KP: uint32(lp / r.LPs), LP: uint32(pe*r.KPs*r.LPs + lp), Processed: perStep / uint32(r.LPs),
				})
			}
		}
	}
	return data
}

// memory has samples as often as those by GVT. The queues grow; the process has 64 MiB at most, and half of it in the
// end.
func (r Run) memory() (data []byte) {
	for n := 1; n <= r.Samples; n++ {
		for pe := range r.PEs {
			data = instr.AppendMemory(data, float64(n)*2, r.FirstReal+float64(n)*step, &instr.MemoryStats{
				PE: uint32(pe), Events: uint32(100 * n), Queue: uint64(n) << 12, Undo: 1 << 18,
				Used: uint64(n) * (32 << 20) / uint64(r.Samples), Limit: 64 << 20,
			})
		}
	}
	return data
}

func (r Run) kp(pe, kp, n int, dice *rand.Rand) instr.KPStats {
	k := instr.KPStats{
		PE: uint32(pe), KP: uint32(kp), Processed: uint32(perStep - 10 + dice.IntN(20)),
		RolledBack: uint32(dice.IntN(4)), Rollbacks: 1, TimeAheadGVT: float32(1 + dice.ExpFloat64()),
	}
	if pe == r.SlowPE {
		k.Processed /= 4
		k.TimeAheadGVT /= 4
	}
	if pe == r.ThrashingPE && kp == r.ThrashingKP {
		k.Processed += 150
		k.RolledBack = uint32(150 + dice.IntN(20))
		k.Rollbacks, k.SecondaryRollbacks = 12, 3
		k.TimeAheadGVT = 6 + 4*float32(n%50)/50
	}
	k.Efficiency = instr.Efficiency(uint64(k.Processed), uint64(k.RolledBack))
	return k
}

func (r Run) trace() (data []byte) {
	dice := rand.New(rand.NewPCG(3, 4))
	lps := r.PEs * r.KPs * r.LPs
	for n := range r.Events {
		src := dice.IntN(lps)
		dst := src
		switch dice.IntN(4) {
		case 0:
			dst = dice.IntN(lps)
		case 1:
			dst = (src + 1) % lps
		}
		real := r.FirstReal + float64(n)/float64(r.Events)*step*float64(r.Samples)
		at := float32(n) / float32(r.Events) * float32(2*r.Samples)
		data = instr.AppendEvent(data, &instr.Event{
			Src: uint32(src), Dest: uint32(dst), SendTS: at, RecvTS: at + 1, RealTS: float32(real),
		})
	}
	return data
}
