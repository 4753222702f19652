// This file measures reading.

package instr

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// benchmarkRead reads data again and again, in one stream.
func benchmarkRead(b *testing.B, data []byte, content Content) {
	in := &endless{data: data}
	r := NewReader(in, "x", content)
	b.ReportAllocs()
	records := 0
	for b.Loop() {
		_, err := r.Next()
		if err != nil {
			b.Fatal(err)
		}
		records++
	}
	b.SetBytes(r.Offset() / int64(records))
	b.ReportMetric(float64(records)/b.Elapsed().Seconds()/1e6, "Mrecords/s")
}

// endless gives data, over and over.
type endless struct {
	data []byte
	at   int
}

func (e *endless) Read(b []byte) (int, error) {
	n := copy(b, e.data[e.at:])
	e.at = (e.at + n) % len(e.data)
	return n, nil
}

func BenchmarkReadEvents(b *testing.B) {
	benchmarkRead(b, bytes.Repeat(AppendEvent(nil, &Event{Src: 1, Dest: 2, RecvTS: 3}), 10_000), Trace)
}

func BenchmarkReadFiles(b *testing.B) {
	for name := range counts {
		b.Run(name, func(b *testing.B) {
			data, err := os.ReadFile(filepath.Join("testdata", name))
			require.NoError(b, err)
			data = bytes.Repeat(data, 1+(1<<20)/len(data)) // longer than the buffer
			benchmarkRead(b, data, ContentOf(name))
		})
	}
}

// BenchmarkReadTrace is the reading of a file into a list.
func BenchmarkReadTrace(b *testing.B) {
	path := filepath.Join(b.TempDir(), "x-evtrace.bin")
	data := bytes.Repeat(AppendEvent(nil, &Event{Src: 1, Dest: 2, RecvTS: 3}), 10_000)
	require.NoError(b, os.WriteFile(path, data, 0o644))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		_, err := ReadTrace(path)
		require.NoError(b, err)
	}
}

// BenchmarkReadEventsFromFile includes the time of the operating system.
func BenchmarkReadEventsFromFile(b *testing.B) {
	path := filepath.Join(b.TempDir(), "x-evtrace.bin")
	data := bytes.Repeat(AppendEvent(nil, &Event{Src: 1, Dest: 2, RecvTS: 3}), 1_000_000)
	require.NoError(b, os.WriteFile(path, data, 0o644))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		r, err := Open(path)
		require.NoError(b, err)
		for err == nil {
			_, err = r.Next()
		}
		require.Equal(b, io.EOF, err)
		require.NoError(b, r.Close())
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "Mrecords/s")
}
