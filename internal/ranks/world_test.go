// Lists and texts of all ranks.

package ranks_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/testrand"
)

var worlds = []int{1, 2, 3, 5}

// randomBytes are bytes of any value.
func randomBytes(r *rand.Rand, n int) []byte {
	list := make([]byte, n)
	for i := range list {
		list[i] = byte(r.Uint32())
	}
	return list
}

func TestListsOfAnyLengthReachAllRanks(t *testing.T) {
	seed := testrand.Seed(t)
	r := rand.New(rand.NewPCG(seed, 0))
	const head, block = 16, 7
	for _, n := range worlds {
		for range 50 {
			want := make([][]byte, n)
			for i := range want {
				want[i] = randomBytes(r, []int{0, 1, r.IntN(head), head, head + 1, head + block, head + r.IntN(10*block)}[r.IntN(7)])
			}
			errs := errorsOf(t, newRanks(n), func(w *rank) error {
				got, err := ranks.AllGatherByParts(w, want[w.number], head, block)
				assert.Len(t, got, n)
				for i := range got {
					assert.True(t, bytes.Equal(want[i], got[i]), "list %d at rank %d", i, w.number)
				}
				return err
			})
			require.Equal(t, make([]error, n), errs)
		}
	}
}

// One long list does not make the others long.
func TestALongListCostsMemoryOnce(t *testing.T) {
	const long = 1 << 20
	all := newRanks(5)
	errs := errorsOf(t, all, func(w *rank) error {
		var own []byte
		if w.number == 3 {
			own = bytes.Repeat([]byte{7}, long)
		}
		got, err := ranks.AllGatherBytes(w, own)
		assert.Len(t, got[3], long)
		assert.Empty(t, got[0])
		assert.Less(t, w.padded, long/4)
		got[w.number] = append(got[w.number][:0], 1)
		return err
	})
	require.Equal(t, make([]error, 5), errs)
}

func TestTheTextOfRank0ReachesAllRanks(t *testing.T) {
	for _, text := range []string{"", "stats-output-17", "\xff\x00\n", strings.Repeat("long ", 1<<18)} {
		for _, n := range worlds {
			errs := errorsOf(t, newRanks(n), func(w *rank) error {
				own := "another"
				if w.number == 0 {
					own = text
				}
				err := ranks.Share(w, &own)
				assert.True(t, own == text)
				return err
			})
			require.Equal(t, make([]error, n), errs)
		}
	}
}

// Whatever call of MPI fails, its error comes back.
func TestErrorsOfMPIComeBackWrapped(t *testing.T) {
	big := strings.Repeat("x", 10000)
	bodies := map[string]func(w *rank) error{
		"AllGatherBytes": func(w *rank) error { _, err := ranks.AllGatherBytes(w, []byte(big)); return err },
		"Share":          func(w *rank) error { text := big; return ranks.Share(w, &text) },
		"Agree":          func(w *rank) error { return ranks.Agree(w, ownError(w.number, 1), 3) },
		"Check":          func(w *rank) error { return ranks.Check(w, options("--nlp", w.number)) },
	}
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			calls := newRanks(2)
			errorsOf(t, calls, body)
			for at := 1; at <= calls[0].made; at++ {
				all := newRanks(2)
				all[1].failsAt = at
				for number, err := range errorsOf(t, all, body) {
					require.ErrorIs(t, err, errMPI, "call %d", at)
					require.True(t, ranks.ShouldPrint(err), "nothing was agreed")
					require.Regexp(t, `ross: .*ranks: [a-z ]+: MPI_Fake: rank 1: cable cut: another rank may be gone: end the run`, err.Error())
					require.Equal(t, 1, strings.Count(err.Error(), "ross: "))
					if name == "Agree" && number == 1 {
						require.ErrorIs(t, err, errOwn, "call %d", at)
					}
				}
			}
		})
	}
}
