// Long runs of all C models, with seeds of their own, while Go collects garbage and preempts as often as it can.

package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testkit"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/testrand"
)

// soakVariable is the environment variable that says how long the models run, such as 1h. Without it each has one seed.
const soakVariable = "ROSS_C_SOAK"

// soaked are the models, and options with which a run takes some hundredths of a second.
var soaked = []struct{ model, line string }{
	{"phold", "--nlp=64 --start-events=4 --lookahead=0.1 --end=40"},
	{"airport", "--end=30 --nplanes=1"},
	{"torus", "--end=170"},
	{"qhold", "--nlp_per_pe=16 --end=20000000000"},
	{"zerotie", "--end=20"},
	{"kitchen", ""},
	{"kitchen", "--hook=1"},
	{"kitchen", "--hook=2"},
	{"ledger", ""},
	{"ledger", "--hand=2"},
	{"pholdio", "--io-store=2 --nlp=64 --lookahead=0.1 --end=40"},
}

func TestDigestsAgreeForLong(t *testing.T) {
	testlevel.Once(t, "how C models and the runtime of Go go together, for long")
	length := time.Duration(0)
	if text := os.Getenv(soakVariable); text != "" {
		var err error
		length, err = time.ParseDuration(text)
		require.NoError(t, err, "%s: give a length such as 1h", soakVariable)
	}
	paths := map[string]string{}
	for _, s := range soaked {
		if paths[s.model] == "" {
			paths[s.model] = compile(t, s.model, "-DUSE_RIO")
		}
	}
	r := testrand.New(t)
	t.Setenv("GOGC", "1")
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	t.Chdir(t.TempDir())
	rounds := 0
	for until := time.Now().Add(length); rounds == 0 || time.Now().Before(until); rounds++ {
		for _, s := range soaked {
			seeds := ""
			for n := range 4 {
				seeds += fmt.Sprintf(" --rng-seed%d=%d", n+1, 1+r.IntN(2147483000))
			}
			want := soakedDigest(t, paths[s.model], s.line+seeds+" --synch=1")
			for _, how := range []string{
				"--synch=3 --pes=2 --batch=1 --gvt-interval=1", "--synch=3 --nkp=2 --batch=2 --gvt-interval=4 --pes=" + pick("1", "3", "4"), "--synch=5 --gvt-interval=1 --pes=" + pick("2", "3"),
			} {
				t.Setenv("ROSS_CALLS", pick("", "cgo"))
				t.Setenv("GODEBUG", pick("", "gcstoptheworld=1", "clobberfree=1", "asyncpreemptoff=1", "gcshrinkstackoff=1"))
				t.Setenv("GOMAXPROCS", strconv.Itoa(1+r.IntN(4)))
				line := strings.Join([]string{s.line + seeds, how}, " ")
				require.Equal(t, want, soakedDigest(t, paths[s.model], line), "%s %s, ROSS_CALLS=%s GODEBUG=%s GOMAXPROCS=%s", s.model, line,
					os.Getenv("ROSS_CALLS"), os.Getenv("GODEBUG"), os.Getenv("GOMAXPROCS"))
			}
		}
	}
	t.Logf("%d rounds", rounds)
}

// soakedDigest returns the digest of a run.
func soakedDigest(t *testing.T, path, line string) string {
	status, out, errs := play(t, path, line+" --digest")
	require.Zero(t, status, "%s: %s", line, errs)
	return testkit.Figure(t, out, "Committed Event Digest")
}
