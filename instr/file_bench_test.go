// This file measures buffers and files: go test -run '^$' -bench 'Reserve|HandOver|File' ./instr

package instr

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// fill writes the record of an event as a PE would.
func fill(r []byte, i uint64) {
	_ = r[headerSize-1]
	binary.LittleEndian.PutUint32(r, uint32(i))
	binary.LittleEndian.PutUint32(r[4:], uint32(i))
	binary.LittleEndian.PutUint32(r[8:], math.Float32bits(float32(i)))
	binary.LittleEndian.PutUint32(r[12:], math.Float32bits(float32(i)))
	binary.LittleEndian.PutUint32(r[16:], math.Float32bits(float32(i)))
	binary.LittleEndian.PutUint32(r[20:], 0)
}

func BenchmarkReserve(b *testing.B) {
	b.Run("fill alone", func(b *testing.B) {
		buf := make([]byte, 0, 1<<16)
		i := uint64(0)
		b.SetBytes(headerSize)
		for b.Loop() {
			if cap(buf)-len(buf) < headerSize {
				buf = buf[:0]
			}
			buf = buf[:len(buf)+headerSize]
			fill(buf[len(buf)-headerSize:], i)
			i++
		}
	})
	b.Run("Reserve and fill", func(b *testing.B) {
		f, _ := createFile(b, FileOptions{Buffers: 1, Discard: true})
		buf := f.Buffer(0)
		i := uint64(0)
		b.SetBytes(headerSize)
		b.ReportAllocs()
		for b.Loop() {
			if buf.Used() > 1<<16-headerSize {
				buf.HandOver()
			}
			fill(buf.Reserve(headerSize), i)
			i++
		}
	})
	b.Run("AppendEvent", func(b *testing.B) {
		f, _ := createFile(b, FileOptions{Buffers: 1, Discard: true})
		buf := f.Buffer(0)
		e := Event{}
		b.SetBytes(headerSize)
		b.ReportAllocs()
		for b.Loop() {
			if buf.Used() > 1<<16-headerSize {
				buf.HandOver()
			}
			AppendEvent(buf.Reserve(headerSize)[:0], &e)
			e.Src++
		}
	})
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
