// This file pins the reading of references in both forms, and the errors in them.

package testkit_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/testing/testkit"
)

const inOrder = `src_lp,dest_lp,send_ts,recv_ts,hop,prio
4,1,0,0.103139549,0,1
1,0,0.103139549,16777216,1,0.25
0,1,0.103139549,1e+30,2,1
`

const byDest = `dest_lp,seq,src_lp,send_ts,recv_ts,hop,prio
0,0,1,0.103139549,16777216,1,0.25
1,0,4,0,0.103139549,0,1
1,1,0,0.103139549,1e+30,2,1
`

var records = []testkit.Record{
	{Src: 4, Dest: 1, Send: 0, Recv: 0.103139549, Payload: "0,1"},
	{Src: 1, Dest: 0, Send: 0.103139549, Recv: 16777216, Payload: "1,0.25"},
	{Src: 0, Dest: 1, Send: 0.103139549, Recv: 1e30, Payload: "2,1"},
}

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "trace.csv")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

func TestBothFormsHoldTheSameRecords(t *testing.T) {
	got, err := testkit.ReadCSV(write(t, inOrder))
	require.NoError(t, err)
	require.Equal(t, records, got)
	sorted, err := testkit.ReadCSV(write(t, byDest))
	require.NoError(t, err)
	require.Equal(t, testkit.ByDest(got), sorted)
	require.Equal(t, records, got, "ByDest changed its argument")
	require.Equal(t, "1,0,0.103139549,16777216,1,0.25", got[1].String())
}

func TestBinaryTraceReadsAsItsReference(t *testing.T) {
	path := filepath.Join(t.TempDir(), "evtrace.bin")
	var data []byte
	for _, p := range []struct {
		src, dest  uint32
		send, recv float32
		hop        uint32
		prio       float32
	}{{4, 1, 0, 0.103139549, 0, 1}, {1, 0, 0.103139549, 16777216, 1, 0.25}, {0, 1, 0.103139549, 1e30, 2, 1}} {
		payload := binary.LittleEndian.AppendUint32(nil, p.hop)
		payload = binary.LittleEndian.AppendUint32(payload, math.Float32bits(p.prio))
		data = instr.AppendEvent(data, &instr.Event{Src: p.src, Dest: p.dest, SendTS: p.send, RecvTS: p.recv, RealTS: 0.5,
			Payload: payload})
	}
	require.NoError(t, os.WriteFile(path, data, 0o644))
	got, err := testkit.ReadBinary(path, func(b []byte) string {
		return fmt.Sprintf("%d,%.9g", binary.LittleEndian.Uint32(b), math.Float32frombits(binary.LittleEndian.Uint32(b[4:])))
	})
	require.NoError(t, err)
	require.NoError(t, testkit.Compare(got, records))

	got, err = testkit.ReadBinary(path, nil)
	require.NoError(t, err)
	require.Empty(t, got[0].Payload)
	_, err = testkit.ReadBinary(path+".none", nil)
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestUnreadableReferencesAreRefused(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"unknown head":   {"a,b\n", "line 1: \"a,b\" is the head of neither form"},
		"missing column": {"src_lp,dest_lp,send_ts,recv_ts\n1,2,3\n", "line 2: 3 columns, the head has 4"},
		"bad id":         {"src_lp,dest_lp,send_ts,recv_ts\n1,2,3,4\nx,2,3,4\n", "line 3: strconv.ParseUint"},
		"bad time":       {"src_lp,dest_lp,send_ts,recv_ts\n1,2,3,noon\n", "line 2: strconv.ParseFloat"},
		"gap in seq":     {"dest_lp,seq,src_lp,send_ts,recv_ts\n0,0,1,2,3\n0,2,1,2,3\n", "line 3: seq is \"2\", not 1"},
		"seq goes on":    {"dest_lp,seq,src_lp,send_ts,recv_ts\n0,0,1,2,3\n1,1,1,2,3\n", "line 3: seq is \"1\", not 0"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := testkit.ReadCSV(write(t, c.text))
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, "trace.csv")
		})
	}
	_, err := testkit.ReadCSV(filepath.Join(t.TempDir(), "none.csv"))
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = testkit.ReadCSV(write(t, "src_lp,dest_lp,send_ts,recv_ts"+string(make([]byte, 1<<17))))
	require.ErrorContains(t, err, "token too long")
}

func TestEveryDifferenceIsFound(t *testing.T) {
	require.NoError(t, testkit.Compare(records, records))
	require.NoError(t, testkit.Compare(nil, nil))
	for name, change := range map[string]func(*testkit.Record){
		"src":     func(r *testkit.Record) { r.Src++ },
		"dest":    func(r *testkit.Record) { r.Dest++ },
		"send":    func(r *testkit.Record) { r.Send = math.Nextafter32(r.Send, 9) },
		"recv":    func(r *testkit.Record) { r.Recv = math.Nextafter32(r.Recv, 9) },
		"payload": func(r *testkit.Record) { r.Payload += "0" },
	} {
		t.Run(name, func(t *testing.T) {
			other := append([]testkit.Record(nil), records...)
			change(&other[1])
			require.ErrorContains(t, testkit.Compare(other, records), "differ at record 1:")
		})
	}
	require.ErrorContains(t, testkit.Compare(records[:2], records), "of 2 and 3 records differ at record 2:")
	require.ErrorContains(t, testkit.Compare(records, records[:2]), "want nothing")
}

// What a difference looks like.

func ExampleCompare() {
	want := []testkit.Record{
		{Src: 0, Dest: 0, Send: 0, Recv: 1},
		{Src: 3, Dest: 1, Send: 0, Recv: 1},
		{Src: 1, Dest: 0, Send: 1, Recv: 2},
	}
	got := []testkit.Record{want[0], want[2], want[1]}
	fmt.Println(testkit.Compare(got, want))
	fmt.Println(testkit.Compare(testkit.ByDest(got), testkit.ByDest(want)))
	// Output:
	// ross: traces of 3 and 3 records differ at record 1:
	//        0  got 0,0,0,1                              want 0,0,0,1
	// !      1  got 1,0,1,2                              want 3,1,0,1
	// !      2  got 3,1,0,1                              want 1,0,1,2
	// <nil>
}
