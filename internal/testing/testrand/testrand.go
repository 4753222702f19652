// Package testrand has the random numbers of tests. A test that draws some gets its seed here, so that the
// log states it, and a failure can be repeated:
//
//	ROSS_SEED=0x1234 go test -run TestName ./package
//
// gives all tests this seed. What threads and the system do at random is not the same again.
package testrand

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// Variable is the name of the environment variable.
const Variable = "ROSS_SEED"

// Seed returns the seed of a random test, which the log states: a new one, unless the environment
// variable gives one.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed := rand.Uint64()
	if value, is := os.LookupEnv(Variable); is {
		var err error
		if seed, err = strconv.ParseUint(value, 0, 64); err != nil {
			t.Fatalf("%s=%s: give a whole number from 0 to 2^64-1", Variable, value)
		}
	}
	t.Logf("%s=%d", Variable, seed)
	return seed
}

// New returns random numbers from such a seed.
func New(t testing.TB) *rand.Rand {
	t.Helper()
	return Of(Seed(t), 0)
}

// Of returns the random numbers of a seed, which has several sequences.
func Of(seed, sequence uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, sequence)) }

// Several returns n sequences of a seed, for as many goroutines.
func Several(seed uint64, n int) []*rand.Rand {
	all := make([]*rand.Rand, n)
	for i := range all {
		all[i] = Of(seed, uint64(i))
	}
	return all
}
