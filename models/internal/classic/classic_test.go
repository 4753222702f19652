// This file pins what a Recorder writes.

package classic_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/internal/classic"
)

// There are two kinds of LPs: even ones count, odd ones add up.
type (
	counter struct{ N uint64 }
	adder   struct{ Sum float64 }
	ping    struct{}
)

// record runs a model of six LPs with the words of a command line, and has a Recorder write of it.
func record(t *testing.T, synch ross.Scheduler, pes int, words ...string) error {
	t.Helper()
	var r classic.Recorder
	o := ross.NewOptions("recorded")
	r.Register(o)
	cfg := ross.DefaultConfig()
	cfg.Register(o)
	if _, err := o.Parse(words); err != nil {
		return err
	}
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.LPs, cfg.NKP, cfg.End, cfg.Output = synch, pes, 0, 6, 2, 30, io.Discard
	cfg.Tuning.Batch, cfg.Tuning.GVTInterval = 2, 2
	cfg.TypeMap = func(id ross.LPID) int { return int(id % 2) }
	r.Prepare(&cfg)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	if err := r.Open(sim); err != nil {
		return err
	}
	next := func(lp *ross.LP) {
		ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 5)), lp.RNG().Exponential(1), ping{})
	}
	require.NoError(t, sim.Define(
		ross.Type[counter]{
			Init:  func(_ *counter, lp *ross.LP) { next(lp) },
			Event: ross.On(func(s *counter, lp *ross.LP, _ *ping) { r.Event(lp, 1); s.N++; next(lp) }),
		},
		ross.Type[adder]{
			Init: func(_ *adder, lp *ross.LP) { next(lp) },
			Event: ross.On(func(s *adder, lp *ross.LP, _ *ping) {
				r.EventFrom(lp, 99, 2)
				s.Sum += lp.Now() - lp.SentAt()
				next(lp)
			}),
		}))
	require.NoError(t, sim.Run(context.Background()))
	return r.Finish(sim,
		classic.States(func(_ *ross.LP, s *counter) string { return fmt.Sprint("counter ", s.N) }),
		classic.NumberedStates(func(lp *ross.LP) uint64 { return uint64(lp.ID()) + 4 },
			func(_ *ross.LP, s *adder) string { return fmt.Sprint("adder ", s.Sum) }))
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(text)
}

func TestOptimisticRunsAreRecordedLikeSequentialOnes(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, record(t, ross.Sequential, 1, "--trace=one.csv", "--states=one.txt"))
	require.Regexp(t, `^dest,src,send,recv,type\n(\d,(\d|99),[0-9.]+,[0-9.]+,[12]\n){100,}$`, read(t, "one.csv"))
	require.Regexp(t, `\n[024],[0-5],[^\n]*,1\n`, read(t, "one.csv"))
	require.Regexp(t, `\n[135],99,[^\n]*,2\n`, read(t, "one.csv"))
	require.Regexp(t, `^0 counter \d+\n2 counter \d+\n4 counter \d+\n5 adder [^\n]+\n7 adder [^\n]+\n9 adder [^\n]+\n$`,
		read(t, "one.txt"))
	require.NoError(t, record(t, ross.Optimistic, 3, "--trace=three.csv", "--states=three.txt"))
	require.Equal(t, read(t, "one.csv"), read(t, "three.csv"))
	require.Equal(t, read(t, "one.txt"), read(t, "three.txt"))
	left, err := filepath.Glob("*" + classic.PartSuffix)
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestNothingIsRecordedUnlessAskedFor(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, record(t, ross.Sequential, 1))
	left, err := filepath.Glob("*")
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestFilesThatCannotBeWrittenAreAnError(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, word := range []string{"--trace=none/x.csv", "--states=none/x.txt"} {
		err := record(t, ross.Sequential, 1, word)
		require.ErrorIs(t, err, ross.ErrUsage) // before anything has run
		require.ErrorContains(t, err, "option "+word+": no such file or directory")
	}
	require.NoError(t, os.Mkdir("folder", 0o777))
	require.ErrorContains(t, record(t, ross.Sequential, 1, "--states=folder"),
		"option --states=folder: is a directory: it is a folder: ")
	require.NoError(t, record(t, ross.Sequential, 1, "--trace=/dev/null"))
	info, err := os.Stat("/dev/null")
	require.NoError(t, err)
	require.False(t, info.Mode().IsRegular(), "a device stays")
}

func ExampleAppendFloat() {
	fmt.Printf("%s\n", classic.AppendFloat(nil, 0.1))
	// Output: 0.10000000000000001
}
