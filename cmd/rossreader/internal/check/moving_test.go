// This file tests files of runs whose KPs moved: they pass, and damaged ones do not.

package check

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	rt "github.com/ross-go/ross/cmd/rossreader/internal/readertest"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/num/counters"
)

// invented is a run of 3 PEs with 3 KPs of 2 LPs each. The engine writes its files in the same way: each PE
// collects samples of the KPs that it handles, and all hand over what they have before KPs move.
type invented struct {
	pe, kp, lp, model bool // what is collected; models alone, or the others
	apart             bool // each PE samples on its own, as by real time
	alone             bool // now and then, the first PE handles the events of all

	dice    *rand.Rand
	handler [9]int       // of each KP
	perPE   [3][2]count  // what the PE has counted: until now, until its last sample
	perLP   [18][2]count // of the events of the LP
	ofKP    [9][2]count  // rollbacks
	buffers [3][]byte
	file    []byte
	ts      float64
	real    float64
}

const inventedRounds = 24

// write returns the bytes of the file.
func (v *invented) write() []byte {
	v.dice = rand.New(rand.NewPCG(3, 4))
	for kp := range v.handler {
		v.handler[kp] = kp / 3
	}
	for round := range inventedRounds {
		v.ts, v.real = v.ts+1, v.real+0.01
		alone := v.alone && round%5 == 3
		for lp := range v.perLP {
			v.handle(lp, alone)
		}
		for pe := range v.buffers {
			if !alone && (!v.apart || v.dice.IntN(3) > 0) {
				v.sample(pe)
			}
		}
		if round%4 == 1 || round%4 == 2 { // twice in a row: there may be no sample of a PE in between
			v.flush()
			for range 2 {
				v.handler[v.dice.IntN(9)] = v.dice.IntN(3)
			}
		}
	}
	v.ts, v.real = v.ts+1, v.real+0.01
	for pe := range v.buffers {
		v.sample(pe)
	}
	v.flush()
	return v.file
}

// handle counts some events of an LP.
func (v *invented) handle(lp int, alone bool) {
	kp := lp / 2
	pe := v.handler[kp]
	if alone {
		pe = 0
	}
	undone := v.dice.Uint64N(5)
	n := count{Processed: undone + v.dice.Uint64N(9), RolledBack: undone, Aborted: undone / 3,
		NetworkSends: v.dice.Uint64N(4), NetworkReads: v.dice.Uint64N(4)}
	rolls := count{Rollbacks: undone, SecondaryRollbacks: undone / 2}
	addCount(&v.perLP[lp][0], &n)
	addCount(&v.ofKP[kp][0], &rolls)
	addCount(&v.perPE[pe][0], &n)
	addCount(&v.perPE[pe][0], &rolls)
}

// since returns what was counted since the last sample, which is now.
func since(n *[2]count) count {
	var grown count
	counters.Between[count, count]().Since(&grown, &n[0], &n[1])
	n[1] = n[0]
	return grown
}

// sample writes a sample of a PE.
func (v *invented) sample(pe int) {
	b, real := &v.buffers[pe], v.real+float64(pe)/1000
	if v.model {
		for lp := range v.perLP {
			if kp := lp / 2; v.handler[kp] == pe {
				s := instr.ModelStats{PE: uint32(kp / 3), KP: uint32(kp % 3), LP: uint32(lp), GVT: float32(v.ts), Mode: instr.ByGVT,
					Payload: []byte{1, 2}}
				*b = instr.AppendModel(*b, v.ts, real, &s)
			}
		}
		return
	}
	if n := since(&v.perPE[pe]); v.pe {
		s := instr.PEStats{PE: uint32(pe), Efficiency: instr.Efficiency(n.Processed, n.RolledBack)}
		counters.Between[instr.PEStats, count]().Since(&s, &n, &count{})
		*b = instr.AppendPE(*b, v.ts, real, &s)
	}
	var lps []byte
	for kp, handler := range v.handler {
		if handler != pe {
			continue
		}
		n := since(&v.ofKP[kp])
		for lp := 2 * kp; lp < 2*kp+2; lp++ {
			l := since(&v.perLP[lp])
			addCount(&n, &l)
			if v.lp {
				lps = instr.AppendLP(lps, v.ts, real, &instr.LPStats{PE: uint32(kp / 3), KP: uint32(kp % 3), LP: uint32(lp),
					Processed: uint32(l.Processed), Aborted: uint32(l.Aborted), RolledBack: uint32(l.RolledBack),
					NetworkSends: uint32(l.NetworkSends), NetworkReads: uint32(l.NetworkReads),
					Efficiency: instr.Efficiency(l.Processed, l.RolledBack)})
			}
		}
		if v.kp {
			s := instr.KPStats{PE: uint32(kp / 3), KP: uint32(kp % 3), Efficiency: instr.Efficiency(n.Processed, n.RolledBack)}
			counters.Between[instr.KPStats, count]().Since(&s, &n, &count{})
			*b = instr.AppendKP(*b, v.ts, real, &s)
		}
	}
	*b = append(*b, lps...)
}

// flush writes what the PEs have.
func (v *invented) flush() {
	for pe := range v.buffers {
		v.file = append(v.file, v.buffers[pe]...)
		v.buffers[pe] = nil
	}
}

// put writes a file and the description of its run, unless balance is "".
func put(t *testing.T, suffix string, data []byte, balance string) string {
	path := instr.FileName(t.TempDir(), "", suffix)
	require.NoError(t, os.WriteFile(path, data, 0o600))
	if balance != "" {
		text := fmt.Sprintf(
			`{"version":1,"state":"complete","ranks":1,"pes":3,"lps":18,"scheduler":"optimistic","result":{%s}}`, balance)
		require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(path), instr.RunName), []byte(text), 0o600))
	}
	return path
}

const (
	movedText  = `"balance":{"kps_moved":7,"times":3}`
	aloneText  = `"balance":{"kps_moved":0,"one_pe_seconds":0.5}`
	stayedText = `"balance":{"kps_moved":0}`
)

func TestFilesOfRunsWhoseKPsMovedPass(t *testing.T) {
	for what, v := range map[string]invented{
		"all": {pe: true, kp: true, lp: true}, "PEs and KPs": {pe: true, kp: true}, "PEs and LPs": {pe: true, lp: true},
		"PEs": {pe: true}, "KPs": {kp: true}, "LPs": {lp: true}, "KPs and LPs": {kp: true, lp: true},
	} {
		for _, alone := range []bool{false, true} {
			for suffix, apart := range map[string]bool{instr.GVTSuffix: false, instr.RTSuffix: true,
				instr.VTEngineSuffix: true} {
				run := v
				run.alone, run.apart = alone, apart
				data := run.write()
				for _, known := range []string{"", movedText, aloneText} {
					rt.Good(t, Command, put(t, suffix, data, known))
				}
				// In a run whose KPs stayed, the same is wrong.
				if what != "PEs" {
					require.Equal(t, 1, rt.Run(Command, put(t, suffix, data, stayedText)).Status, what)
				}
			}
		}
	}
	models := invented{model: true}
	data := models.write()
	for _, known := range []string{"", movedText, aloneText} {
		rt.Good(t, Command, put(t, instr.ModelSuffix, data, known))
	}
	require.Equal(t, 1, rt.Run(Command, put(t, instr.ModelSuffix, data, stayedText)).Status)
}

func TestFilesOfTheEngineWhoseKPsMovedPass(t *testing.T) {
	const dir = "testdata/moved"
	require.Equal(t, 3, strings.Count(rt.Good(t, Command, dir), "nothing wrong\n"))
	for name, places := range map[string][]int{ // events of a PE, of one of its KPs; PE and GVT of a model's sample
		"ross-stats-gvt.bin": {28, 128 + 24 + 8}, "ross-stats-rt.bin": {28, 128 + 24 + 8},
		"ross-stats-model.bin": {56 + 24, 56 + 24 + 14},
	} {
		for _, place := range places {
			path := rt.Copy(t, filepath.Join(dir, name), func(b []byte) []byte { b[place] ^= 64; return b })
			require.Equal(t, 1, rt.Run(Command, path).Status, "%s, byte %d", name, place)
		}
	}
}

func TestOnePEThatHandledAllEventsPasses(t *testing.T) {
	// No KP ever is in the sample of another PE.
	v := invented{pe: true, kp: true, lp: true, alone: true, dice: rand.New(rand.NewPCG(1, 2))}
	for kp := range v.handler {
		v.handler[kp] = kp / 3
	}
	for round := range 9 {
		v.ts, v.real = v.ts+1, v.real+0.01
		for lp := range v.perLP {
			v.handle(lp, round%3 == 1)
		}
		v.sample(0)
		if round%3 != 1 {
			v.sample(1)
			v.sample(2)
		}
		v.flush()
	}
	for _, known := range []string{"", aloneText} {
		rt.Good(t, Command, put(t, instr.GVTSuffix, v.file, known))
	}
	require.Equal(t, 1, rt.Run(Command, put(t, instr.GVTSuffix, v.file, stayedText)).Status)
}

// Records of the file with all samples: 128 bytes of a PE, 68 of a KP, 60 of an LP.
func TestDamageIsFoundInFilesOfRunsWhoseKPsMoved(t *testing.T) {
	all, models := invented{pe: true, kp: true, lp: true}, invented{model: true}
	data, model := all.write(), models.write()
	path := put(t, instr.GVTSuffix, data, "")
	records := rt.Samples(t, path)
	at := func(flag instr.Flag, nth int) int {
		for _, r := range records {
			if r.Flag == uint32(flag) {
				if nth--; nth < 0 {
					return r.Offset
				}
			}
		}
		t.Fatal("no such record")
		return 0
	}
	pe, kp, lp := at(instr.FlagPE, 40), at(instr.FlagKP, 100), at(instr.FlagLP, 200)
	const modelSize = 24 + 24 + 2
	for name, c := range map[string]struct {
		byte, bit int
		want      string
	}{
		"events of a PE":       {pe + 24 + 4, 1, "events processed: expected "},
		"sends of a PE":        {pe + 24 + 32, 4, "network sends: expected "},
		"rollbacks of a PE":    {pe + 24 + 16, 16, "rollbacks: expected "},
		"id of a PE":           {pe + 24, 4, ""},
		"events of a KP":       {kp + 24 + 8, 16, "events processed: expected "},
		"rollbacks of a KP":    {kp + 24 + 20, 1, "rollbacks: expected "},
		"id of a KP":           {kp + 24 + 4, 16, ""},
		"PE of a KP":           {kp + 24, 1, ""},
		"events of an LP":      {lp + 24 + 12, 1, "events processed: expected "},
		"reads of an LP":       {lp + 24 + 28, 2, "network reads: expected "},
		"id of an LP":          {lp + 24 + 8, 1, "LPs of the KP: expected "},
		"PE of an LP":          {lp + 24, 1, "place of the LP: expected "},
		"virtual time":         {lp + 8 + 6, 1, "virtual time: expected "},
		"real time of a KP":    {kp + 16 + 5, 1, "real time: expected "},
		"efficiency":           {kp + 24 + 42, 1, "efficiency: expected "},
		"GVT of a model":       {-(modelSize*150 + 24 + 14), 1, "GVT: expected "},
		"real time of a model": {-(modelSize*151 + 16 + 5), 1, "real time: expected "},
		"KP of a model":        {-(modelSize*150 + 24 + 4), 1, "place of the LP: expected "},
	} {
		t.Run(name, func(t *testing.T) {
			for _, known := range []string{"", movedText} {
				suffix, damaged := instr.GVTSuffix, append([]byte(nil), data...)
				if c.byte < 0 {
					suffix, damaged = instr.ModelSuffix, append([]byte(nil), model...)
				}
				damaged[max(c.byte, -c.byte)] ^= byte(c.bit)
				r := rt.Run(Command, "--all", put(t, suffix, damaged, known))
				require.Equal(t, 1, r.Status)
				require.Contains(t, r.Stdout, c.want)
			}
		})
	}
	t.Run("a record is missing", func(t *testing.T) {
		for offset, size := range map[int]int{pe: 128, kp: 68, lp: 60} {
			r := rt.Run(Command, put(t, instr.GVTSuffix, append(append([]byte(nil), data[:offset]...), data[offset+size:]...),
				movedText))
			require.Equal(t, 1, r.Status)
		}
	})
	t.Run("the last sample is missing", func(t *testing.T) {
		last := at(instr.FlagPE, strings.Count(kinds(records), "0")-1)
		r := rt.Run(Command, "--all", put(t, instr.GVTSuffix, data[:last], movedText))
		require.Equal(t, 1, r.Status)
		require.Contains(t, r.Stdout, "last record: expected one at 25, when the run ended, found none later than ")
	})
	t.Run("a sum that a record explains", func(t *testing.T) {
		damaged := append([]byte(nil), data...)
		was := binary.LittleEndian.Uint32(damaged[pe+24+36:])
		rt.PutUint32(damaged, pe+24+36, was+1000)
		r := rt.Run(Command, put(t, instr.GVTSuffix, damaged, movedText))
		require.Contains(t, r.Stdout, fmt.Sprintf("byte %d: pe ", pe))
		require.Contains(t, r.Stdout, fmt.Sprintf(", the sum over kp records, found %d\n", was+1000))
	})
	// What is known to be missing is no finding.
	cut := at(instr.FlagPE, 55)
	require.Equal(t, 1, rt.Run(Command, put(t, instr.GVTSuffix, data[:cut], movedText)).Status)
	rt.Good(t, Command, put(t, instr.GVTSuffix, data[:cut], movedText+`,"incomplete":"--stats-limit"`))
}

// kinds has a digit for each record.
func kinds(records []rt.Raw) string {
	var b strings.Builder
	for _, r := range records {
		fmt.Fprint(&b, r.Flag)
	}
	return b.String()
}

func TestIDsOfModelsSamplesAreChecked(t *testing.T) {
	models := invented{model: true}
	data := models.write()
	for bit, want := range map[int]string{
		8:    "LPs of the KP: expected [", // LP 1 of the run instead of LP 0, and the like
		8192: "LP: expected one of the 18 of the run, found ",
	} {
		damaged := append([]byte(nil), data...)
		at := 50*150 + 24 + 8
		rt.PutUint32(damaged, at, binary.LittleEndian.Uint32(damaged[at:])^uint32(bit/8))
		require.Contains(t, rt.Run(Command, "--all", put(t, instr.ModelSuffix, damaged, movedText)).Stdout, want)
	}
	missing := append(append([]byte(nil), data[:50*150]...), data[50*151:]...)
	require.Contains(t, rt.Run(Command, put(t, instr.ModelSuffix, missing, movedText)).Stdout, "LPs of the KP: expected [")
	rt.Good(t, Command, put(t, instr.ModelSuffix, missing, movedText+`,"incomplete":"a buffer without room"`))
	rt.Good(t, Command, put(t, instr.ModelSuffix, missing, ""))

	var points []byte // of 2 KPs with 2 LPs each
	for at := range 9 {
		for lp := range uint64(4) {
			points = instr.AppendVTModel(points, &instr.VTModel{LP: lp, KP: lp / 2, TS: float64(at + 1), RealTime: float64(at),
				Payload: []byte{7}})
		}
	}
	rt.Good(t, Command, put(t, instr.VTSuffix, points, stayedText))
	for place, want := range map[int]string{0: "LPs of the KP: ", 30: "virtual time: ", 38: "real time: "} {
		damaged := append([]byte(nil), points...)
		damaged[49*18+place] ^= 16
		require.Contains(t, rt.Run(Command, "--all", put(t, instr.VTSuffix, damaged, stayedText)).Stdout, want)
	}
}
