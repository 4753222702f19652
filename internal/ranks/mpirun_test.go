//go:build mpi && cgo && !purego

// The package on MPI: the tests start this test binary under mpirun, to run themselves
// again in each rank.

package ranks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/ranks/mpi/session"
	"github.com/ross-go/ross/internal/testing/testkit"
)

// caseEnv is the environment variable that selects what ranks do.
const caseEnv = "ROSS_TEST_CASE"

// mpirun runs the calling test in n ranks, and returns what they print and mpirun's
// exit status.
func mpirun(t testing.TB, n int, what string) (string, int) {
	t.Helper()
	args := []string{"-np", fmt.Sprint(n)}
	version, err := exec.Command("mpirun", "--version").Output()
	require.NoError(t, err, "mpirun: install Open MPI (libopenmpi-dev and openmpi-bin), as make test-mpi does")
	if bytes.Contains(version, []byte("Open MPI")) {
		args = append(args, "--oversubscribe")
	}
	args = append(args, os.Args[0], "-test.run=^"+strings.Split(t.Name(), "/")[0]+"$", "-test.count=1", "-test.timeout="+
		testkit.RankLimit(t).String())
	ctx, cancel := context.WithTimeout(context.Background(), testkit.Limit(t))
	defer cancel()
	cmd := exec.CommandContext(ctx, "mpirun", args...)
	cmd.Env = session.Env(t, caseEnv+"="+what)
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		t.Fatalf("%d ranks: %v, %v:\n%s", n, err, ctx.Err(), out)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func TestRanksOfMPIShareWhatTheyKnow(t *testing.T) {
	if os.Getenv(caseEnv) == "" {
		for n := 1; n <= 3; n++ {
			out, status := mpirun(t, n, "share")
			require.Zero(t, status, out)
			require.Equal(t, n, strings.Count(out, "PASS"), out)
		}
		return
	}
	w, err := mpi.Start(mpi.Options{})
	require.NoError(t, err)
	defer func() {
		if t.Failed() {
			_ = w.Abort(1) // others may wait
		}
		require.NoError(t, w.Close())
	}()
	for _, n := range []int{0, 1, 100, 4096, 4097, 300000} {
		of := func(rank int) []byte { return bytes.Repeat([]byte{byte(rank + 1)}, n*rank) }
		lists, err := allGatherBytes(w, of(w.Rank()), 4096, 100000)
		require.NoError(t, err)
		require.Len(t, lists, w.Size())
		for rank := range lists {
			require.True(t, bytes.Equal(of(rank), lists[rank]))
		}
	}
	text := fmt.Sprint("out-", w.Rank())
	require.NoError(t, Share(w, &text))
	require.Equal(t, "out-0", text)
	hash, err := Program()
	require.NoError(t, err)
	require.NoError(t, Check(w, Description{{Section: "program", Name: "SHA-256", Value: hash}}))
	require.NoError(t, Agree(w, nil, 0))

	last := w.Size() - 1
	err = Agree(w, ownError(w.Rank(), last), 3)
	require.Equal(t, w.Rank() == last, ShouldPrint(err))
	require.Equal(t, w.Rank() == last, errors.Is(err, errOwn))
	err = Check(w, options("--nlp", w.Rank()))
	require.Equal(t, w.Size() > 1, errors.Is(err, ErrDiffer))
	require.Equal(t, err != nil && w.Rank() == 0, ShouldPrint(err))
}

// What a program does with an error: print, close, exit. The order matters: mpirun
// ends the others when one exits with a status that is not 0.
func TestAProgramOfManyRanksTellsItsErrorOnceAndExitsWithItsStatus(t *testing.T) {
	if what := os.Getenv(caseEnv); what != "" {
		w, err := mpi.Start(mpi.Options{})
		require.NoError(t, err)
		switch what {
		case "all":
			err = Agree(w, errOwn, 2)
		case "last":
			err = Agree(w, ownError(w.Rank(), w.Size()-1), 3)
		case "options":
			err = Check(w, options("--nlp", 8+w.Rank()/2))
		}
		if ShouldPrint(err) {
			fmt.Fprintln(os.Stderr, err)
		}
		if w.Close() != nil {
			os.Exit(99)
		}
		if f := (*Failure)(nil); errors.As(err, &f) {
			os.Exit(f.First.Code)
		}
		return
	}
	for _, c := range []struct {
		what, text string
		from       int // ranks
		status     int
	}{
		{"all", errOwn.Error(), 1, 2},
		{"last", errOwn.Error(), 1, 3},
		{"options", "ross: start: rank 2 differs from rank 0: option --nlp: 9 there, 8 on rank 0: give all ranks the same", 3,
			2},
	} {
		for n := c.from; n <= 3; n++ {
			t.Run(fmt.Sprintf("%s/np=%d", c.what, n), func(t *testing.T) {
				t.Parallel() // mpirun takes its time to end others
				out, status := mpirun(t, n, c.what)
				require.Equal(t, c.status, status, out)
				require.Equal(t, 1, strings.Count(out, "ross: "), out)
				require.Equal(t, 1, strings.Count(out, c.text+"\n"), out)
			})
		}
	}
}

// benchCases are what BenchmarkMPI has the ranks do. They are what a start costs:
// go test -tags mpi -run '^$' -bench . ./internal/ranks
var benchCases = map[string]func(w *mpi.World) error{
	"Agree": func(w *mpi.World) error { return Agree(w, nil, 0) },
	"Check": func(w *mpi.World) error { return Check(w, options("--nlp", 8, "--end", 10, "--synch", 3)) },
	"AllGatherBytes": func(w *mpi.World) error {
		_, err := AllGatherBytes(w, make([]byte, 100))
		return err
	},
}

func BenchmarkMPI(b *testing.B) {
	for name := range benchCases {
		ns := 0.0
		b.Run(name+"/np=2", func(b *testing.B) {
			if b.N == 1 {
				out, status := mpirun(b, 2, name)
				require.Zero(b, status, out)
				_, took, _ := strings.Cut(out, "took ")
				_, err := fmt.Sscan(took, &ns)
				require.NoError(b, err, out)
			}
			b.ReportMetric(ns, "ns/op")
		})
	}
}

func TestMain(m *testing.M) {
	if body := benchCases[os.Getenv(caseEnv)]; body != nil {
		if err := timed(body); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// timed does it often enough, and rank 0 prints how long one time took.
func timed(body func(w *mpi.World) error) error {
	w, err := mpi.Start(mpi.Options{})
	if err != nil {
		return err
	}
	const warm, n = 100, 20000
	var from time.Time
	for i := range warm + n {
		if i == warm {
			from = time.Now()
		}
		if err := body(w); err != nil {
			return err
		}
	}
	if w.Rank() == 0 {
		fmt.Printf("took %d ns\n", time.Since(from).Nanoseconds()/n)
	}
	return w.Close()
}
