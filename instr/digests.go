// This file owns the file with the digests of single LPs, which a run writes with --record=lps: its bytes, how it is
// written and read, and the sums that it must agree with.

package instr

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"github.com/ross-go/ross/internal/num/hash64"
	"github.com/ross-go/ross/internal/sys/atomicfile"
)

// DigestsSuffix ends the name of the file with the digests of LPs.
const DigestsSuffix = "-lps.digests"

// LPDigest is what a run with --record=lps notes of an LP. Equal numbers mean equal events, in the same order, and an
// equal state at the end, in any scheduler and on any number of PEs.
type LPDigest struct {
	Events uint64 // of its committed events; 0: there were none
	State  uint64 // of its state at the end, mixed with its id; 0: the type has none
}

const (
	digestsMagic = "ROSSLPD1"
	digestsHead  = 16 // bytes before the first LP
	digestSize   = 16 // bytes of an LP
	digestsEnd   = 4  // bytes behind the last LP
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// WriteLPDigests writes the digests of the LPs 0 to len(all)-1. The file has its name when it is whole.
func WriteLPDigests(path string, all []LPDigest) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		sum := crc32.New(castagnoli)
		w = io.MultiWriter(w, sum)
		b := binary.LittleEndian.AppendUint64([]byte(digestsMagic), uint64(len(all)))
		for _, d := range all {
			b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, d.Events), d.State)
			if len(b) >= 64<<10 {
				if _, err := w.Write(b); err != nil {
					return err
				}
				b = b[:0]
			}
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
		_, err := w.Write(binary.LittleEndian.AppendUint32(nil, sum.Sum32()))
		return err
	})
}

// errDigests is the cause of errors about files that are not as they were written.
var errDigests = errors.New("restore the file, or make the run again with --record=lps")

// ReadLPDigests reads what WriteLPDigests has written. A file that is not as it was written is an error.
func ReadLPDigests(path string) ([]LPDigest, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(b) < digestsHead+digestsEnd || string(b[:len(digestsMagic)]) != digestsMagic {
		return nil, fmt.Errorf("%s: no file of digests of LPs: it does not begin with %s: %w", path,
			digestsMagic, errDigests)
	}
	n := binary.LittleEndian.Uint64(b[len(digestsMagic):])
	if body := uint64(len(b) - digestsHead - digestsEnd); body%digestSize != 0 || n != body/digestSize {
		return nil, fmt.Errorf("%s: %d bytes, which is not the size of a file about %d LPs: %w", path, len(b),
			n, errDigests)
	}
	end := len(b) - digestsEnd
	if crc32.Checksum(b[:end], castagnoli) != binary.LittleEndian.Uint32(b[end:]) {
		return nil, fmt.Errorf("%s: its checksum is wrong: %w", path, errDigests)
	}
	all := make([]LPDigest, n)
	for i := range all {
		at := b[digestsHead+i*digestSize:]
		all[i] = LPDigest{binary.LittleEndian.Uint64(at), binary.LittleEndian.Uint64(at[8:])}
	}
	return all, nil
}

// SumLPDigests returns the digest of events and that of states of a run whose LPs have these digests
// (RunResult.Digest, RunResult.StateDigest).
func SumLPDigests(all []LPDigest) (events, states uint64) {
	for i, d := range all {
		if d.Events != 0 {
			events += hash64.Word(d.Events, uint64(i))
		}
		states += d.State
	}
	return events, states
}
