// This file owns the examples, and the tests of layouts: their text form, its mistakes, and the values of fields.

package instr_test

import (
	"bytes"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/ross-go/ross/instr"
	"github.com/stretchr/testify/require"
)

func ExampleFile() {
	tmp, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(tmp)

	dir, err := instr.MakeDir(filepath.Join(tmp, instr.DefaultDir))
	if err != nil {
		log.Fatal(err)
	}

	const pes = 2
	path := instr.FileName(dir, "", instr.TraceSuffix)
	f, err := instr.Create(path, instr.FileOptions{Buffers: pes})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Abort() // does nothing after a good Publish

	var running sync.WaitGroup
	for pe := range pes {
		running.Go(func() {
			b := f.Buffer(pe)
			for round := range 2 { // of GVT
				if r := b.Reserve(instr.EventSize); r != nil {
					instr.PutEvent(r, uint64(pe), uint64(pe), 0, float64(round), 0.5, nil)
				}
				b.HandOver()
			}
		})
	}
	running.Wait()
	if err := f.Publish(); err != nil {
		log.Fatal(err)
	}

	fmt.Println(filepath.Base(path), f.Bytes(), "bytes")
	events, err := instr.ReadTrace(path)
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range events {
		fmt.Printf("LP %d at %v\n", e.Dest, e.RecvTS)
	}
	// Output:
	// ross-stats-evtrace.bin 96 bytes
	// LP 0 at 0
	// LP 1 at 0
	// LP 0 at 1
	// LP 1 at 1
}

// The share of the limit that a process used, and what it used it for. The file of a run is opened by its name:
// instr.Open(instr.FileName(folder, prefix, instr.MemorySuffix)).
func ExampleAppendMemory() {
	file := instr.AppendMemory(nil, 10, 0.5, &instr.MemoryStats{PE: 0, Events: 900, Queue: 1 << 20, Undo: 3 << 20,
		Used: 16 << 20, Limit: 64 << 20})
	file = instr.AppendMemory(file, 20, 1.0, &instr.MemoryStats{PE: 0, Events: 2000, Queue: 2 << 20, Undo: 9 << 20,
		Used: 48 << 20, Limit: 64 << 20})

	r := instr.NewReader(bytes.NewReader(file), "run-memory.bin", instr.Memory)
	for rec, err := range r.All() {
		if err != nil {
			log.Fatal(err) // names the file and the place
		}
		m := &rec.Memory
		fmt.Printf("PE %d after %.1f s: %d events, %d MiB to undo them, %d %% of the limit\n",
			m.PE, rec.Meta.RealTime, m.Events, m.Undo>>20, 100*m.Used/m.Limit)
	}
	// Output:
	// PE 0 after 0.5 s: 900 events, 3 MiB to undo them, 25 % of the limit
	// PE 0 after 1.0 s: 2000 events, 9 MiB to undo them, 75 % of the limit
}

// The efficiency of each PE over a whole run, from its samples by GVT.
func ExampleReader() {
	r, err := instr.Open("testdata/opt2-gvt.bin")
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()

	var processed, rolledBack [2]uint64
	for rec, err := range r.All() {
		if err != nil {
			log.Fatal(err) // names the file and the place
		}
		if rec.Kind == instr.KindPE {
			processed[rec.PE.PE] += uint64(rec.PE.Processed)
			rolledBack[rec.PE.PE] += uint64(rec.PE.RolledBack)
		}
	}
	for pe := range processed {
		fmt.Printf("PE %d: %d events, %d undone, efficiency %.1f %%\n",
			pe, processed[pe], rolledBack[pe], instr.Efficiency(processed[pe], rolledBack[pe]))
	}
	fmt.Println(r.Content(), "file,", r.Offset(), "bytes")
	// Output:
	// PE 0: 5051 events, 3373 undone, efficiency -101.0 %
	// PE 1: 4959 events, 3457 undone, efficiency -130.2 %
	// gvt file, 111504 bytes
}

func TestALayoutReadsAsItIsWritten(t *testing.T) {
	for text, size := range map[string]int{
		"":                                   0,
		"served:u32":                         4,
		"a:i8,_:x3,b:f64[3],_:x1,rest:x5[2]": 1 + 3 + 24 + 1 + 10,
		"a:u8,b:u16,c:u32,d:u64,e:i16,f:i32,g:i64,h:f32,x:x16777183": 1 << 24,
	} {
		l, err := instr.ParseLayout(text)
		require.NoError(t, err, text)
		require.Equal(t, text, l.String())
		require.Equal(t, size, l.Size(), text)
	}
}

func TestMistakesInALayoutAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"a":                     `field "a": write it as name:kind`,
		"a:u32,":                `field "": write it as name:kind`,
		"3a:u32":                `field "3a:u32": write it as name:kind`,
		"a b:u32":               `field "a b:u32": write it as name:kind`,
		":u32":                  `field ":u32": write it as name:kind`,
		"a:u32,a:f32":           `field "a:f32": its name is taken by an earlier field`,
		"a:int":                 `field "a:int": unknown kind "int": give i8`,
		"a:u24":                 `unknown kind "u24"`,
		"a:x0":                  `unknown kind "x0"`,
		"a:x":                   `unknown kind "x"`,
		"a:y4":                  `unknown kind "y4"`,
		"a:u32[0]":              `unknown kind "u32[0]"`,
		"a:u32[3":               `unknown kind "u32[3"`,
		"a:u32[-1]":             `unknown kind "u32[-1]"`,
		"a:x16777217":           `unknown kind "x16777217"`,
		"a:u8,b:x16777216":      `field "b:x16777216": the layout has more than 16777216 bytes`,
		"a:x16777216[16777216]": `the layout has more than 16777216 bytes`,
	} {
		_, err := instr.ParseLayout(text)
		require.ErrorContains(t, err, want, text)
	}
}

func TestFieldsHaveTheValuesOfThePayload(t *testing.T) {
	l, err := instr.ParseLayout("a:u8,b:i16[2],c:u32,d:i64,e:f32,f:f64,g:x3,h:i8,i:u64")
	require.NoError(t, err)
	p := []byte{
		200,
		0xFE, 0xFF, 0x01, 0x80,
		0xFF, 0xFF, 0xFF, 0xFF,
		0xFD, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
		0, 0, 0x20, 0xC0,
		0, 0, 0, 0, 0, 0, 0xF0, 0x7F,
		7, 8, 9,
		0x80,
		0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
	}
	require.Len(t, p, l.Size())
	require.EqualValues(t, 200, l[0].Uint(p, 0))
	require.EqualValues(t, -2, l[1].Int(p, 0))
	require.EqualValues(t, -32767, l[1].Int(p, 1))
	require.Equal(t, 2, l[1].Values())
	require.EqualValues(t, math.MaxUint32, l[2].Uint(p, 0))
	require.EqualValues(t, -3, l[3].Int(p, 0))
	require.Equal(t, -2.5, l[4].Float(p, 0))
	require.Equal(t, math.Inf(1), l[5].Float(p, 0))
	require.Equal(t, []byte{7, 8, 9}, l[6].Bytes(p, 0))
	require.EqualValues(t, -128, l[7].Int(p, 0))
	require.EqualValues(t, uint64(math.MaxUint64), l[8].Uint(p, 0))
}

func FuzzParseLayout(f *testing.F) {
	for _, text := range []string{"", "a:u8", "a:f64[3],_:x2", "a:x1[2", "a:u8,a:u8"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := instr.ParseLayout(text)
		if err != nil {
			return
		}
		again, err := instr.ParseLayout(l.String())
		require.NoError(t, err)
		require.Equal(t, l, again)
		require.LessOrEqual(t, l.Size(), instr.MaxPayload)
	})
}

func ExampleGetExact() {
	// What --trace-exact adds to the payload of an event, behind the model's own two bytes.
	payload := append([]byte{1, 2}, make([]byte, instr.ExactSize)...)
	instr.PutExact(payload[2:], &instr.Exact{SendTS: 31536000, RecvTS: 31536000.000000004, Tie: 0.25, Draws: 2,
		Message: 1})

	x, ok := instr.GetExact(payload)
	fmt.Println(ok, x.SendTS < x.RecvTS, float32(x.SendTS) < float32(x.RecvTS), x.Draws, x.What == instr.ExactHandled)
	// Output: true true false 2 true
}
