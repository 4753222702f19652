// This file tests what is refused in manifests with correct checksums, and in ROSS's, which have
// none.

package rio

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestManifestThatMakesNoSenseIsRefused(t *testing.T) {
	whole := fileBytes(t, makeContent(seeded(1), small).saved(t, false)+".rio-md")
	for what, change := range map[string]func(m *manifest){
		"there is no job":                  func(m *manifest) { m.jobs = nil },
		"more than possible":               func(m *manifest) { m.jobs[0].LPs = 1 << 63 },
		"clock +Inf":                       func(m *manifest) { m.jobs[0].Clock = math.Inf(1) },
		"4 LPs with 0 types":               func(m *manifest) { m.types = nil },
		"job 0 has 4 partitions":           func(m *manifest) { m.jobs[0].Parts++ },
		"1 partitions belong to no job":    func(m *manifest) { m.jobs[0].Parts-- },
		"job 0 has 3 LPs, found 4":         func(m *manifest) { m.jobs[0].LPs-- },
		"data file 0: it cannot have 39":   func(m *manifest) { m.files[0].size = dataHead - 1 },
		"data file 2, there are 2":         func(m *manifest) { m.entries[0].File = 2 },
		"expected at offset 40 of":         func(m *manifest) { m.entries[0].Offset++ },
		"data file 1 has":                  func(m *manifest) { m.entries[0].Size, m.entries[0].Raw = 1<<62, 1<<62 },
		"cannot hold":                      func(m *manifest) { m.entries[0].Raw++ },
		"compressed ones":                  func(m *manifest) { m.entries[0].Compressed = true },
		"are too few for":                  func(m *manifest) { m.entries[0].Events = 1 << 61 },
		"data file 1: its partitions end ": func(m *manifest) { m.files[1].size++ },
		// The end of the first partition, counted in 64 bits, is that of the file.
		"it cannot have 18446744073709551615": func(m *manifest) { m.files[0].size = math.MaxUint64 },
	} {
		m, err := decodeManifest("m", whole)
		require.NoError(t, err)
		change(m)
		_, err = decodeManifest("m", m.encode())
		require.ErrorIs(t, err, ErrDamaged, what)
		require.ErrorContains(t, err, what)
		require.ErrorContains(t, err, "ross: checkpoint: m: offset 40: ")
	}
	_, err := decodeManifest("m", seal(append(whole[:len(whole)-crcSize:len(whole)], make([]byte, 8)...), manifestHead-8))
	require.ErrorContains(t, err, "expected the end of the manifest, found 4 bytes")
	_, err = decodeManifest("m", seal(whole[:len(whole)-1], manifestHead-8))
	require.ErrorContains(t, err, "expected more, the manifest ends at")
}

func TestManifestOfROSSThatMakesNoSenseIsForeign(t *testing.T) {
	for what, v := range map[string][]int32{
		"found -1":                         {0, 0, 0, 64, 1, -1},
		"data file 1, of 1 partitions":     {0, 1, 0, 64, 1, 0},
		"expected at 0, found at 8":        {0, 0, 8, 64, 1, 0},
		"63 bytes are too few":             {0, 0, 0, 63, 1, 0},
		"partition 1: expected at 64, fou": {0, 0, 0, 64, 1, 0, 1, 0, 65, 64, 1, 0},
	} {
		var b []byte
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, uint32(x))
		}
		_, err := decodeOriginalManifest(b)
		require.ErrorContains(t, err, what)
	}
}
