// A process that may have little address space, as batch systems and CI set it
// (ulimit -v). The sanitizers need terabytes of it.

//go:build !race && !asan

package run_test

import (
	"context"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/mem"
)

// limitAddresses lets the process have more bytes of address space.
func limitAddresses(t *testing.T, more uint64) {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	require.NoError(t, err)
	pages, err := strconv.ParseUint(strings.Fields(string(text))[0], 10, 64)
	require.NoError(t, err)
	limit := pages*uint64(os.Getpagesize()) + more
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: limit, Max: limit}))
}

// runBlocks runs a model that sends long messages and takes blocks.
func runBlocks(t *testing.T, pes int, set func(*ross.Config)) (uint64, error) {
	t.Helper()
	type page struct{ Words [100]uint64 }
	type state struct{ Last ross.Block[uint64] }
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.End, cfg.Digest = 3, pes, uint64(64/pes), 10, true
	set(&cfg)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	err = sim.Define(ross.Type[state, page]{
		Name: "blocks",
		Init: func(_ *state, lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), page{}) },
		Event: func(s *state, lp *ross.LP, _ *ross.Bits, m *page) {
			ross.Free(lp, s.Last)
			s.Last = ross.Alloc[uint64](lp, 100)
			copy(s.Last.Of(lp), m.Words[:])
			m.Words[0]++
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 63)), lp.RNG().Exponential(1), *m)
		},
	})
	if err != nil {
		return 0, err
	}
	err = sim.Run(context.Background())
	return *sim.Stats().Digest, err
}

func TestALimitOfTheAddressSpaceLetsPEsRun(t *testing.T) {
	if !inProcess(t) {
		return
	}
	limitAddresses(t, 3<<30)
	want, err := runBlocks(t, 1, func(c *ross.Config) { c.Synch = 1 })
	require.NoError(t, err)
	for _, impl := range []string{"", "go"} {
		for _, memory := range []uint64{0, 64 << 20, 100 << 30} { // the last is more than there are addresses
			got, err := runBlocks(t, 4, func(c *ross.Config) { c.PQ, c.MaxMemory = impl, memory })
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	}
}

func TestALimitOfTheAddressSpaceThatIsTooLowIsToldByItsName(t *testing.T) {
	if !inProcess(t) {
		return
	}
	limitAddresses(t, 40<<20)
	_, err := runBlocks(t, 100, func(c *ross.Config) { c.MaxMemory, c.NLP = 8<<30, 1 })
	require.ErrorIs(t, err, ross.ErrMemory)
	require.ErrorContains(t, err, "ross: Define: ")
	require.ErrorContains(t, err, "ulimit -v")
}

func TestEventsBeyondTheAddressSpaceAreToldByItsName(t *testing.T) {
	refusesKeys(t)
	if !inProcess(t) {
		return
	}
	limitAddresses(t, 512<<20)
	require.Less(t, mem.AddressSpace(), uint64(512<<20))
	requireBredTooMany(t, breedTooMany(t, 1, 1, 8<<30, func(*ross.LP) {}))
}

func TestTheStackOfFreeSlotsIsRefusedBeyondTheAddressSpace(t *testing.T) {
	if !inProcess(t) {
		return
	}
	s, err := event.NewSpace(1, 8, 0, mem.NewBudget(8<<30))
	require.NoError(t, err)
	defer s.Release()
	a := s.Arena(0)
	limitAddresses(t, 32<<20)
	for {
		if _, _, err = a.Alloc(); err != nil {
			break
		}
	}
	require.ErrorIs(t, err, mem.ErrLimit)
	require.True(t, mem.IsCut(err), err)
}
