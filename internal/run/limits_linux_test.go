// What the kernel refuses: a disk that is full, and address space to a process that may have little of it, as batch
// systems and CI set it (ulimit -v).

package run_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/sys/mem"
	"github.com/ross-go/ross/internal/testing/racetest"
	"github.com/ross-go/ross/internal/testing/rosstest"
)

// inProcess runs a test in a process of its own, since what it does is done to the whole
// process, with the file in which go test notes what tests open. It reports whether this
// is that process.
func inProcess(t *testing.T) bool {
	t.Helper()
	const here = "ROSS_TEST_IN_PROCESS"
	if os.Getenv(here) != "" {
		return true
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), here+"=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "--- PASS: "+t.Name())
	return false
}

// limitFiles lets no file of the process grow beyond the given number of bytes.
func limitFiles(t *testing.T, bytes uint64) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ)
	var was syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was))
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: bytes, Max: was.Max}))
	t.Cleanup(func() {
		require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was))
		signal.Reset(syscall.SIGXFSZ)
	})
}

func TestAFullDiskEndsTheCollectionOnly(t *testing.T) {
	if !inProcess(t) {
		return
	}
	want := plainDigestTo(t, collectEnd)
	dir := filepath.Join(t.TempDir(), "stats")
	limitFiles(t, 500_001)
	report, sim := collected(t, dir, func(c *ross.Config) { c.Instruments.BufferFree = 0 })
	require.Equal(t, want, *runOf(sim).Stats.Digest)
	require.Equal(t, 1, strings.Count(report, "the collection ends here, and the simulation goes on"), report)
	require.Contains(t, report, dir)
	require.Contains(t, report, syscall.EFBIG.Error())
	require.ErrorIs(t, sim.CollectionError(), syscall.EFBIG)
	for _, suffix := range []string{instr.TraceSuffix, instr.GVTSuffix} {
		name := instr.FileName(dir, "", suffix)
		require.NoFileExists(t, name)
		info, err := os.Stat(name + instr.PartSuffix)
		require.NoError(t, err)
		require.Positive(t, info.Size())
		r, err := instr.Open(name + instr.PartSuffix)
		require.NoError(t, err)
		for _, err := range r.All() {
			require.NoError(t, err, "whole records are left")
		}
		require.NoError(t, r.Close())
	}
}

func TestAFullDiskOfRanksLeavesWholeFlushes(t *testing.T) {
	if !inProcess(t) {
		return
	}
	dir := filepath.Join(t.TempDir(), "stats")
	l := spreadLoad()
	l.end = collectEnd
	limitFiles(t, 500_001)
	var report bytes.Buffer
	sims := checkRanks(t, l, 2, func(c *ross.Config) {
		c.Synch, c.Output, c.Instruments.Path, c.Instruments.Trace, c.Instruments.BufferFree =
			3, &report, dir, ross.TraceCommitted, 0
	})
	require.Equal(t, 1, strings.Count(report.String(), "the files are truncated to what all ranks have written"),
		report.String())
	require.Contains(t, report.String(), syscall.EFBIG.Error())
	for _, sim := range sims {
		require.ErrorContains(t, sim.CollectionError(), syscall.EFBIG.Error())
	}
	name := instr.FileName(dir, "", instr.TraceSuffix)
	require.NoFileExists(t, name)
	events, err := instr.ReadTrace(name + instr.PartSuffix)
	require.NoError(t, err)
	require.NotEmpty(t, events)
	for _, e := range events {
		require.Greater(t, e.RecvTS, float32(0), "no hole")
	}
}

func TestAFullDiskCostsACheckpointAndNotTheRun(t *testing.T) {
	if !inProcess(t) {
		return
	}
	want := plainDigestTo(t, collectEnd)
	for _, synch := range []int{1, 2, 3} {
		prefix := filepath.Join(t.TempDir(), "run")
		limitFiles(t, 20_001)
		var report bytes.Buffer
		l := spreadLoad()
		l.end = collectEnd
		digest, sims := runLeg(t, leg{configure: func(c *ross.Config) {
			shape{synch: synch, pes: 1, nkp: 4, files: 1, lookahead: 0.1}.on(loadLPs, l.end)(c)
			c.Output, c.Checkpoints.Name, c.Checkpoints.Interval = &report, prefix, time.Nanosecond
		}}, l.lpType())
		require.Equal(t, want, digest)
		require.ErrorIs(t, sims[0].CheckpointError(), syscall.EFBIG)
		require.Contains(t, report.String(), "the simulation goes on without this checkpoint")
		require.Contains(t, report.String(), prefix+"-000000")
		left, err := filepath.Glob(prefix + "*")
		require.NoError(t, err)
		require.Empty(t, left, "nothing half-written is left")
		require.ErrorIs(t, sims[0].Store(prefix), syscall.EFBIG)
	}
}

// limitable skips a test under the sanitizers, which need terabytes of address space.
func limitable(t *testing.T) {
	t.Helper()
	if racetest.Slow {
		t.Skip("sanitizers need terabytes of address space")
	}
}

// goAddresses is the address space that regions leave to the Go runtime.
const goAddresses = 256 << 20

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
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.End, cfg.Digest = 3, pes, int(64/pes), 10, true
	set(&cfg)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	err = sim.Define(ross.Type[state]{
		Name: "blocks",
		Init: func(_ *state, lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), page{}) },
		Event: ross.On(func(s *state, lp *ross.LP, m *page) {
			ross.Free(lp, s.Last)
			s.Last = ross.Alloc[uint64](lp, 100)
			copy(s.Last.Of(lp), m.Words[:])
			m.Words[0]++
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 63)), lp.RNG().Exponential(1), *m)
		}),
	})
	if err != nil {
		return 0, err
	}
	err = sim.Run(context.Background())
	return *sim.Summary().Digest, err
}

func TestALimitOfTheAddressSpaceLetsPEsRun(t *testing.T) {
	limitable(t)
	if !inProcess(t) {
		return
	}
	limitAddresses(t, 3<<30)
	want, err := runBlocks(t, 1, func(c *ross.Config) { c.Synch = 1 })
	require.NoError(t, err)
	for _, impl := range []string{"", "go"} {
		for _, memory := range []uint64{0, 64 << 20, 100 << 30} { // the last is more than there are addresses
			got, err := runBlocks(t, 4, func(c *ross.Config) { c.Tuning.PQ, c.MaxMemory = rosstest.Impl(impl), memory })
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	}
}

func TestALimitOfTheAddressSpaceThatIsTooLowIsToldByItsName(t *testing.T) {
	limitable(t)
	if !inProcess(t) {
		return
	}
	limitAddresses(t, goAddresses+40<<20)
	_, err := runBlocks(t, 100, func(c *ross.Config) { c.MaxMemory, c.NLP = 8<<30, 1 })
	require.ErrorIs(t, err, ross.ErrMemory)
	require.ErrorContains(t, err, "ross: Define: ")
	require.ErrorContains(t, err, "ulimit -v")
}

func TestEventsBeyondTheAddressSpaceAreToldByItsName(t *testing.T) {
	limitable(t)
	refusesKeys(t)
	if !inProcess(t) {
		return
	}
	limitAddresses(t, 512<<20)
	require.Less(t, mem.AddressSpace(), uint64(512<<20))
	requireBredTooMany(t, breedTooMany(t, 1, 1, 8<<30, func(*ross.LP) {}))
}

func TestTheStackOfFreeSlotsIsRefusedBeyondTheAddressSpace(t *testing.T) {
	limitable(t)
	if !inProcess(t) {
		return
	}
	s, err := event.NewSpace(1, 8, 0, mem.NewBudget(8<<30))
	require.NoError(t, err)
	defer s.Release()
	a := s.Arena(0)
	limitAddresses(t, goAddresses+32<<20)
	for {
		if _, _, err = a.Alloc(); err != nil {
			break
		}
	}
	require.ErrorIs(t, err, mem.ErrLimit)
	require.True(t, mem.IsCut(err), err)
}
