package rio

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestJoinedChecksumsAreThoseOfTheWhole(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, 3000)
	for i := range b {
		b[i] = byte(rnd.Uint32())
	}
	for _, at := range []int{0, 1, 16, 999, 3000} {
		require.Equal(t, checksum(b), joined(checksum(b[:at]), checksum(b[at:]), uint64(len(b)-at)), "%d", at)
	}
}

// TestAnIndexInPartsIsThatOfOneProcess has two processes write a checkpoint, each its own part.
func TestAnIndexInPartsIsThatOfOneProcess(t *testing.T) {
	name := filepath.Join(t.TempDir(), "ck")
	want := named(1, "parts", tiny)
	o := Options{Files: want.files}
	first, err := Begin(name, o)
	require.NoError(t, err)
	second, err := Join(name, first.Ticket(), o)
	require.NoError(t, err)
	for i := range o.Files {
		require.NoError(t, first.Create(i))
	}
	require.NoError(t, first.CreateIndex(want.info.LPs))
	var entries []Entry
	var index []IndexPart
	lps, parts, bytes := uint64(0), uint64(0), make([]uint64, o.Files)
	for i, s := range []*Store{first, second} {
		own, files := want.parts[:1], want.file[:1]
		if i == 1 {
			own, files = want.parts[1:], want.file[1:]
		}
		var placed []Entry
		var lines []IndexEntry
		for _, p := range own {
			require.NoError(t, p.Pack(false))
			placed, lines = append(placed, p.Entry()), append(lines, p.Index...)
		}
		require.NoError(t, s.PlaceAfter(placed, files, parts, bytes))
		require.NoError(t, s.Write(own, placed))
		part, err := s.WriteIndexPart(lines, lps)
		require.NoError(t, err)
		for k, e := range placed {
			bytes[files[k]] += e.Size
		}
		lps, parts = lps+uint64(len(lines)), parts+uint64(len(placed))
		entries, index = append(entries, placed...), append(index, part)
	}
	require.Error(t, first.Commit(&want.info, entries, nil), "the index is not complete")
	require.Error(t, first.EndIndex(nil), "a part is missing")
	require.NoError(t, first.EndIndex(index))
	require.NoError(t, first.Commit(&want.info, entries, nil))
	requireSame(t, name, want)
}
