// This file tests the subcommands together: their help and completion, outputs that are not ordinary files, and what
// they find in files of real runs.

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
)

func TestSubcommandsAreFoundByTheirNames(t *testing.T) {
	for _, c := range program().Commands() {
		var stdout, stderr bytes.Buffer
		require.Zero(t, run([]string{c.Name(), "--help"}, &stdout, &stderr))
		require.Contains(t, stdout.String(), "\nusage: rossreader "+c.Name())
		require.Empty(t, stderr.String())
	}
}

func TestUsageListsTheSubcommands(t *testing.T) {
	for args, want := range map[string]int{"": 2, "--help": 0, "help": 0, "nonsense": 2} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, want, run(strings.Fields(args), &stdout, &stderr), args)
		text := stdout.String() + stderr.String()
		for _, c := range program().Commands() {
			require.Contains(t, text, "  "+c.Name()+" ")
		}
	}
}

func prints(t *testing.T, status int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	require.Equal(t, status, run(args, &out, &errs), "%s", &errs)
	return out.String(), errs.String()
}

func TestVersionHasManyNames(t *testing.T) {
	for _, word := range []string{"version", "--version", "-version"} {
		text, _ := prints(t, cli.StatusOK, word)
		require.Regexp(t, `^rossreader .*\nross +go-\S+\nrevision .*\ngo +go1`, text)
	}
}

func TestHelpOfASubcommand(t *testing.T) {
	for _, c := range program().Commands() {
		direct, _ := prints(t, cli.StatusOK, c.Name(), "--help")
		asked, _ := prints(t, cli.StatusOK, "help", c.Name())
		require.Equal(t, direct, asked)
		for line := range strings.Lines(direct) {
			require.LessOrEqual(t, len(line), 100, "%s: %s", c.Name(), line)
		}
	}
	text, _ := prints(t, cli.StatusOK, "help", "checkpoint", "diff")
	require.Contains(t, text, "--most NUMBER")
	text, _ = prints(t, cli.StatusOK, "help", "completion")
	require.Contains(t, text, "usage: rossreader completion SHELL\n")
	_, text = prints(t, cli.StatusUsage, "help", "nonsense")
	require.Contains(t, text, `no subcommand "nonsense"`)
	_, text = prints(t, cli.StatusUsage, "repot")
	require.Contains(t, text, `no subcommand "repot"; did you mean report?`)
}

func TestOutputHasTwoNames(t *testing.T) {
	for _, name := range []string{"report", "trace", "dump"} {
		text, _ := prints(t, cli.StatusOK, name, "--help")
		require.Contains(t, text, "  -o, --output FILE ", name)
	}
	for _, option := range []string{"-o", "--output"} {
		out := t.TempDir() + "/x.csv"
		prints(t, cli.StatusOK, "dump", "../../instr/testdata/cons2-payload-evtrace.bin", option, out)
		require.FileExists(t, out)
	}
}

func TestSubcommandsAndTheirOptionsAreCompleted(t *testing.T) {
	text, _ := prints(t, cli.StatusOK, "__completeNoDesc", "che")
	require.Contains(t, text, "check\ncheckpoint\n")
	text, _ = prints(t, cli.StatusOK, "__completeNoDesc", "report", "--out")
	require.Contains(t, text, "--output\n")
	text, _ = prints(t, cli.StatusOK, "__completeNoDesc", "dump", "--content=g")
	require.Contains(t, text, "gvt\n")
	text, _ = prints(t, cli.StatusOK, "__completeNoDesc", "checkpoint", "diff", "--m")
	require.Contains(t, text, "--most\n")
	for _, shell := range []string{"bash", "zsh", "fish"} {
		text, _ = prints(t, cli.StatusOK, "completion", shell)
		require.Contains(t, text, "rossreader")
	}
	_, text = prints(t, cli.StatusUsage, "completion", "tcsh")
	require.Equal(t,
		"rossreader completion: tcsh: no such shell; give one of bash, zsh, fish, powershell\nfor more, see rossreader completion --help\n", text)
	_, text = prints(t, cli.StatusUsage, "completion")
	require.Contains(t, text, "name one of bash, zsh")
}

func TestManualNamesAllSubcommands(t *testing.T) {
	text, _ := prints(t, cli.StatusOK, "man")
	for _, c := range program().Commands() {
		require.Contains(t, text, ".SH "+strings.ToUpper(c.Name()))
	}
}

type (
	state struct{ handled uint64 }
	hop   struct{ n uint32 }
)

const numLPs = 24

// hops is a model; half of its LPs describe their events and states.
func hops() []ross.LPType {
	quiet := ross.Type[state]{
		Name: "quiet",
		Init: func(_ *state, lp *ross.LP) {
			for range 4 {
				ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), hop{})
			}
		},
		Event: ross.On(func(s *state, lp *ross.LP, m *hop) {
			s.handled++
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, numLPs-1)), 0.1+lp.RNG().Exponential(0.9), hop{m.n + 1})
		}).Reverse(func(s *state, _ *ross.LP, _ *hop) { s.handled-- }),
	}
	loud := quiet
	loud.Name = "loud"
	loud.TraceSize, loud.SampleSize, loud.PointSize = 4, 8, 8
	loud.Event = loud.Event.(ross.EventHandler[state, hop]).Trace(
		func(_ *ross.LP, _ ross.TraceKind, m *hop, buf []byte) bool {
			buf[0] = byte(m.n)
			return true
		})
	loud.Sample = func(s *state, _ *ross.LP, buf []byte) { buf[0] = byte(s.handled) }
	loud.Point = func(s *state, _ *ross.LP, buf []byte) { buf[0] = byte(s.handled) }
	return []ross.LPType{quiet, loud}
}

func TestFilesOfRunsHaveNothingWrong(t *testing.T) {
	for _, synch := range []int{1, 2, 3, 4, 5, 6} {
		for _, pes := range []int{1, 2, 4} {
			if pes > 1 && synch != 2 && synch != 3 && synch != 5 {
				continue
			}
			for _, what := range []int{1, 2, 3} {
				for name, set := range map[string]func(*ross.Config){
					"plain":         func(*ross.Config) {},
					"tiny buffers":  func(c *ross.Config) { c.Instruments.BufferSize = 500 },
					"small buffers": func(c *ross.Config) { c.Instruments.BufferSize = 3000 },
					"no output":     func(c *ross.Config) { c.Instruments.Discard = true },
				} {
					t.Run(fmt.Sprintf("synch=%d/pes=%d/trace=%d/%s", synch, pes, what, name), func(t *testing.T) {
						dir := filepath.Join(t.TempDir(), "stats")
						var report, found, errs bytes.Buffer
						cfg := ross.DefaultConfig()
						cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP, cfg.End, cfg.ConsLookahead = ross.Scheduler(synch), pes, int(
							numLPs/pes), 3, 40, 0.1
						cfg.TypeMap = func(gid ross.LPID) int { return int(gid & 1) }
						cfg.Instruments.Engine, cfg.Instruments.Model, cfg.Instruments.Trace, cfg.Instruments.Path =
							ross.SampleAll, ross.SampleAll, ross.TraceKind(what), dir
						cfg.Instruments.EveryGVTs, cfg.Instruments.RealInterval, cfg.Instruments.VirtualInterval, cfg.Instruments.KPs,
							cfg.Instruments.LPs = 1, time.Millisecond, 3, true, true
						cfg.Tuning.GVTInterval, cfg.Tuning.FixedGVT = 4, true
						cfg.Output = &report
						set(&cfg)
						sim, err := ross.New(cfg)
						require.NoError(t, err)
						defer sim.Close()
						require.NoError(t, sim.Define(hops()...))
						require.NoError(t, sim.Run(context.Background()))
						if name == "tiny buffers" {
							require.Contains(t, report.String(), "bytes of data missed because of buffer overflow")
						} else if name == "plain" {
							require.NotContains(t, report.String(), "missed")
						}
						if cfg.Instruments.Discard {
							return
						}
						args := []string{"check", dir}
						if what == 3 {
							args = append(args, "--committed")
						}
						require.Zero(t, run(args, &found, &errs), "%s%s", &found, &errs)
						require.Contains(t, found.String(), "ross-stats-evtrace.bin")
						require.Contains(t, found.String(), "ross-stats-vt.bin")
						for file, model := range map[string]bool{instr.VTSuffix: true, instr.VTEngineSuffix: false} {
							r, err := instr.Open(instr.FileName(dir, "", file))
							require.NoError(t, err)
							for rec, err := range r.All() {
								require.NoError(t, err)
								require.Equal(t, model, rec.Kind == instr.KindVTModel, "%s has a sample of a %s", file, rec.Kind)
							}
							require.NoError(t, r.Close())
						}
					})
				}
			}
		}
	}
}

// storeRun runs the model to a time and returns the name of the checkpoint stored then.
func storeRun(t *testing.T, synch, pes int, end float64) string {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP, cfg.End, cfg.ConsLookahead = ross.Scheduler(synch), pes, int(
		numLPs/pes), 3, end, 0.1
	cfg.Checkpoints.Files, cfg.Checkpoints.Compress, cfg.Digest = pes, pes > 1, true
	cfg.Checkpoints.AfterRun = true
	cfg.TypeMap = func(gid ross.LPID) int { return int(gid & 1) }
	cfg.Output = io.Discard
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(hops()...))
	require.NoError(t, sim.Run(context.Background()))
	name := filepath.Join(t.TempDir(), "ck")
	require.NoError(t, sim.Store(name))
	return name
}

func TestCheckpointsOfTheSameRunAreEqual(t *testing.T) {
	first := storeRun(t, 1, 1, 20)
	for _, c := range []struct{ synch, pes int }{{1, 1}, {2, 2}, {3, 1}, {3, 4}, {5, 2}} {
		var stdout, stderr bytes.Buffer
		name := storeRun(t, c.synch, c.pes, 20)
		require.Zero(t, run([]string{"checkpoint", "verify", name}, &stdout, &stderr), "%s%s", &stdout, &stderr)
		require.Zero(t, run([]string{"checkpoint", "diff", first, name}, &stdout, &stderr), "synch=%d on %d PEs: %s%s",
			c.synch, c.pes, &stdout, &stderr)
		require.Contains(t, stdout.String(), fmt.Sprintf("equal: %d LPs, %d events\n", numLPs, 4*numLPs))
	}
	var stdout, stderr bytes.Buffer
	require.Equal(t, 1, run([]string{"checkpoint", "diff", first, storeRun(t, 3, 2, 21)}, &stdout, &stderr))
	require.Contains(t, stdout.String(), "\nvirtual time: 20 | 21\n")
}

const sampleFile = "../../instr/testdata/opt2-gvt.bin" // has records of PEs and of KPs

func TestStandardOutputAndFIFOsTakeWhatFilesTake(t *testing.T) {
	for _, args := range []string{"report", "trace", "dump --kind=pe", "dump --format=jsonl"} {
		words := append(strings.Fields(args), sampleFile, "-o")
		file := filepath.Join(t.TempDir(), "file")
		var summary, stderr bytes.Buffer
		require.Zero(t, run(append(words, file), &summary, &stderr), "%s", &stderr)
		want, err := os.ReadFile(file)
		require.NoError(t, err)

		var stdout bytes.Buffer
		require.Zero(t, run(append(words, "-"), &stdout, &stderr), "%s", &stderr)
		require.Equal(t, string(want), stdout.String(), args)
		require.NoFileExists(t, "-")

		fifo := filepath.Join(t.TempDir(), "fifo")
		require.NoError(t, syscall.Mkfifo(fifo, 0o600))
		got := make(chan []byte)
		go func() {
			text, _ := os.ReadFile(fifo)
			got <- text
		}()
		require.Zero(t, run(append(words, fifo), &summary, &stderr), "%s", &stderr)
		require.Equal(t, string(want), string(<-got), args)
	}
}

func TestSeveralKindsDoNotFitIntoOneFIFO(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))
	var stdout, stderr bytes.Buffer
	require.Equal(t, 2, run([]string{"dump", sampleFile, "-o", fifo}, &stdout, &stderr))
	require.Contains(t, stderr.String(), "choose one with --kind")
	entries, err := os.ReadDir(filepath.Dir(fifo))
	require.NoError(t, err)
	require.Len(t, entries, 1, "nothing else")
}
