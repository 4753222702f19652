// This file measures buffers, files and reading: go test -run '^$' -bench 'Reserve|HandOver|File|Read' ./instr

package instr

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The record of an event into a slice, into a buffer, and as an Event put together first.
func BenchmarkReserve(b *testing.B) {
	b.Run("PutEvent alone", func(b *testing.B) {
		buf := make([]byte, 0, 1<<16)
		i := uint64(0)
		b.SetBytes(EventSize)
		for b.Loop() {
			if cap(buf)-len(buf) < EventSize {
				buf = buf[:0]
			}
			buf = buf[:len(buf)+EventSize]
			PutEvent(buf[len(buf)-EventSize:], i, i, float64(i), float64(i), float64(i), nil)
			i++
		}
	})
	for _, way := range []struct {
		name string
		put  func(r []byte, i uint64)
	}{
		{"PutEvent", func(r []byte, i uint64) { PutEvent(r, i, i, float64(i), float64(i), float64(i), nil) }},
		{"AppendEvent", func(r []byte, i uint64) {
			AppendEvent(r[:0], &Event{Src: uint32(i), Dest: uint32(i), SendTS: float32(i), RecvTS: float32(i), RealTS: float32(i)})
		}},
	} {
		b.Run(way.name, func(b *testing.B) {
			f, _ := createFile(b, FileOptions{Buffers: 1, Discard: true})
			buf := f.Buffer(0)
			i := uint64(0)
			b.SetBytes(EventSize)
			b.ReportAllocs()
			for b.Loop() {
				if buf.Used() > 1<<16-EventSize {
					buf.HandOver()
				}
				way.put(buf.Reserve(EventSize), i)
				i++
			}
		})
	}
}

func BenchmarkHandOver(b *testing.B) {
	for _, bytes := range []int{0, 1000} {
		for _, buffers := range []int{1, 8} {
			b.Run(fmt.Sprintf("%d bytes of %d", bytes, buffers), func(b *testing.B) {
				f := startFake(&fakeDisk{forget: true}, FileOptions{Buffers: buffers})
				b.ReportAllocs()
				for n := range b.N {
					buf := f.Buffer(n % buffers)
					if bytes > 0 {
						buf.Reserve(bytes)
					}
					buf.HandOver()
				}
				require.NoError(b, f.Close())
			})
		}
	}
}

func BenchmarkFile(b *testing.B) {
	for _, size := range []int{4 << 10, 64 << 10, 1200 << 10, 8_000_000} {
		for _, buffers := range []int{1, 2, 8} {
			b.Run(fmt.Sprintf("%d KiB of %d", size>>10, buffers), func(b *testing.B) {
				f, _ := createFile(b, FileOptions{Buffers: buffers})
				b.SetBytes(int64(size * buffers))
				b.ReportAllocs()
				for n := range b.N {
					if n%(1+1<<28/size/buffers) == 0 { // not more than 256 MiB of disk
						f.mu.Lock()
						f.end = 0
						f.mu.Unlock()
					}
					for i := range buffers {
						f.Buffer(i).Reserve(size)
						f.Buffer(i).HandOver()
					}
				}
				f.mu.Lock()
				for f.ready() || f.writing != nil {
					f.freed.Wait()
				}
				f.mu.Unlock()
			})
		}
	}
}

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
