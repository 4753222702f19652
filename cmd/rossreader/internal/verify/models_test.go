// The models of the tests, right ones and wrong ones. The test's own executable plays them: its environment says which.

package verify

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts/study"
	"github.com/ross-go/ross/stats"
)

// modelName is the variable that makes this executable a model. Records have it, as it begins with ROSS_.
const modelName = "ROSS_VERIFY_MODEL"

func TestMain(m *testing.M) {
	if name := os.Getenv(modelName); name != "" {
		os.Exit(modelOf(name).Main(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// desk is the state of an LP; Mark is what wrong models set.
type desk struct {
	Served int64
	Mark   int64
	Wait   stats.Tally
}

type customer struct{ N int64 }

// counted is what no model should have: a variable that changes.
var counted atomic.Int64

// modelOf returns a model: "right", or one that depends on a clock, a variable, the number of PEs or a map, or whose
// Reverse forgets something.
func modelOf(name string) program.Program {
	cfg := ross.DefaultConfig()
	cfg.LPs, cfg.End, cfg.Dir = 8, 20, ""
	file, out := "", ""
	pes := 0
	return program.Program{
		Name: "desks", Config: cfg,
		Parts: []program.Part{study.Of(func() program.Program { return modelOf(name) })},
		Options: func(o *ross.Options, cfg *ross.Config) {
			g := o.Group("Desks")
			cfg.RegisterLPs(g)
			g.String(&file, "arrivals", "file of arrivals")
			g.File(&out, "out", "file to write")
		},
		Prepare: func(*ross.Config) error {
			if file != "" {
				_, err := os.Stat(file)
				return err
			}
			return nil
		},
		Build: func(sim *ross.Simulation) error {
			pes = sim.NumPEs()
			n := int64(sim.TotalLPs())
			event := func(s *desk, lp *ross.LP, m *customer) {
				delay := lp.RNG().Exponential(1)
				s.Served++
				if name == "late" { // other events, too
					delay += float64(time.Now().UnixNano()%1e6) / 1e9
				}
				s.Wait.Add(lp, delay)
				switch name {
				case "clock":
					s.Mark = time.Now().UnixNano()
				case "variable":
					s.Mark = counted.Add(1)
				case "pes":
					s.Mark += int64(pes)
				}
				ross.Send(lp, ross.LPID(lp.RNG().Integer(0, n-1)), 0.1+delay, customer{m.N + 1})
			}
			t := ross.Type[desk]{Name: "desk", Label: func(id ross.LPID) string { return "desk" },
				Event: ross.On(event),
				Init: func(_ *desk, lp *ross.LP) {
					ross.Send(lp, lp.ID(), 0.1+lp.RNG().Exponential(1),
						customer{})
				}}
			if name == "reverse" {
				t.Saving = ross.SaveByReverse
				t.Event = ross.On(func(s *desk, lp *ross.LP, m *customer) {
					s.Served++
					s.Mark += 2
					ross.Send(lp, ross.LPID(lp.RNG().Integer(0, n-1)),
						0.1+lp.RNG().Exponential(1), customer{m.N + 1})
				}).Reverse(func(s *desk, _ *ross.LP, _ *customer) { s.Served--; s.Mark-- })
			}
			return sim.Define(t)
		},
		Finish: func(*ross.Simulation) error {
			if out == "" {
				return nil
			}
			return os.WriteFile(out, []byte("written\n"), 0o600)
		},
	}
}

// executable returns the path of this executable.
func executable(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	require.NoError(t, err)
	return path
}

// start starts a model with words.
func start(t *testing.T, model, folder string, words ...string) {
	t.Helper()
	c := exec.Command(executable(t), words...)
	c.Dir, c.Env = folder, append(os.Environ(), modelName+"="+model)
	out, err := c.CombinedOutput()
	require.NoError(t, err, string(out))
}

// record makes a recorded run of a model, and returns the folder of the record.
func record(t *testing.T, model string, words ...string) string {
	t.Helper()
	folder := t.TempDir()
	start(t, model, folder, append([]string{"--record=lps", "--stats-path=result", "--statistics=7"}, words...)...)
	return filepath.Join(folder, "result")
}

// verify calls the subcommand.
func verify(words ...string) (status int, out, errs string) {
	var o, e bytes.Buffer
	status = cli.Run(Command(), words, &o, &e)
	return status, o.String(), e.String()
}

// requireLines requires that a text has lines that begin like these.
func requireLines(t *testing.T, text string, begins ...string) {
	t.Helper()
	for _, begin := range begins {
		found := false
		for line := range strings.Lines(text) {
			found = found || strings.HasPrefix(line, begin)
		}
		require.True(t, found, "a line that begins with %q in\n%s", begin, text)
	}
}
