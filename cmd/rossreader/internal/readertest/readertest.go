// This file owns the helpers: files that the original wrote, an independent decoder of
// their bytes, damaged copies, and runs of a subcommand.

// Package readertest is shared by the tests of rossreader's subcommands.
package readertest

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
)

// Dir is the folder of the original's files, from the folder of a subcommand's package.
const Dir = "../../../../instr/testdata"

// File returns the path of one of them.
func File(name string) string { return filepath.Join(Dir, name) }

// Result is the result of a run.
type Result struct {
	Status         int
	Stdout, Stderr string
}

// Run runs a subcommand.
func Run(command func() *cobra.Command, args ...string) Result {
	var stdout, stderr bytes.Buffer
	status := cli.Run(command(), args, &stdout, &stderr)
	return Result{status, stdout.String(), stderr.String()}
}

// Good runs a subcommand, which must succeed, and returns what it printed.
func Good(t testing.TB, command func() *cobra.Command, args ...string) string {
	r := Run(command, args...)
	require.Equal(t, Result{Status: 0, Stdout: r.Stdout}, r, args)
	return r.Stdout
}

// Copy writes the result of change on a file's bytes to a file of the same name in
// another folder.
func Copy(t testing.TB, path string, change func([]byte) []byte) string {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return Write(t, filepath.Base(path), change(data))
}

// Write writes a file in a new folder.
func Write(t testing.TB, name string, data []byte) string {
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, data, 0o600))
	return path
}

// Raw is a record of a PE, a KP or an LP: its words from the metadata on.
type Raw struct {
	Offset   int
	Flag     uint32
	TS, Real float64
	Words    []uint32 // of the record, floats as their bits
}

// Float returns a word that is a float.
func (r *Raw) Float(word int) float32 { return math.Float32frombits(r.Words[word]) }

// Samples decodes a file of PE, KP and LP records.
func Samples(t testing.TB, path string) (all []Raw) {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	for at := 0; at < len(data); {
		var head struct {
			Flag, Size uint32
			TS, Real   float64
		}
		require.NoError(t, binary.Read(bytes.NewReader(data[at:]), binary.LittleEndian, &head))
		r := Raw{Offset: at, Flag: head.Flag, TS: head.TS, Real: head.Real, Words: make([]uint32, head.Size/4)}
		require.NoError(t, binary.Read(bytes.NewReader(data[at+24:]), binary.LittleEndian, r.Words))
		all = append(all, r)
		at += 24 + int(head.Size)
	}
	return all
}

// Event is an event of a trace.
type Event struct {
	Offset           int
	Src, Dest        uint32
	Send, Recv, Real float32
	Payload          []byte
}

// Events decodes an event trace.
func Events(t testing.TB, path string) (all []Event) {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	for at := 0; at < len(data); {
		var head struct {
			Src, Dest        uint32
			Send, Recv, Real float32
			Size             uint32
		}
		require.NoError(t, binary.Read(bytes.NewReader(data[at:]), binary.LittleEndian, &head))
		e := Event{at, head.Src, head.Dest, head.Send, head.Recv, head.Real, data[at+24 : at+24+int(head.Size)]}
		all = append(all, e)
		at += 24 + len(e.Payload)
	}
	return all
}

// PutFloat64 writes a float into bytes.
func PutFloat64(data []byte, at int, v float64) {
	binary.LittleEndian.PutUint64(data[at:], math.Float64bits(v))
}

// PutFloat32 writes a float into bytes.
func PutFloat32(data []byte, at int, v float32) {
	binary.LittleEndian.PutUint32(data[at:], math.Float32bits(v))
}

// PutUint32 writes a number into bytes.
func PutUint32(data []byte, at int, v uint32) { binary.LittleEndian.PutUint32(data[at:], v) }
