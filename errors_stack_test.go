// This file pins what an error shows of a panic: the model's functions and nothing of the engine, with all
// schedulers.

package ross_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/rosstest"
)

// shelf panics one call below its handler.
type shelf struct{ Books [2]int64 }

func (s *shelf) put(lp *ross.LP, _ *ross.None, m *word) { s.store(int(lp.ID())+int(m.N), m.N) }

//go:noinline
func (s *shelf) store(at int, n int64) { s.Books[at] = n }

func (s *shelf) look(*ross.LP, *ross.None, *glance) {}

type glance struct{}

func shelves() ross.LPType {
	return ross.Type[shelf, ross.None]{
		Name:  "shelf",
		Label: func(id ross.LPID) string { return fmt.Sprintf("row %d", id) },
		Init:  func(_ *shelf, lp *ross.LP) { ross.Send(lp, lp.ID(), 1.5+float64(lp.ID()), word{N: 1}) },
		On:    []ross.Handler[shelf]{ross.On((*shelf).put), ross.On((*shelf).look)},
	}
}

const stackText = `ross: LP 1 "row 1" (shelf) at time 2.5, handling rosstest.Word: panic: runtime error: index out of range [2] with length 2: handler panicked: see the stack:
	github.com/ross-go/ross_test.(*shelf).store
		errors_stack_test.go
	github.com/ross-go/ross_test.(*shelf).put
		errors_stack_test.go
	(N frames of the engine and of Go left out; GOTRACEBACK=all shows them)`

const undoneText = "\n\tif --synch=1 runs without this error, an event is not undone as it should be: --synch=6 finds it"

// places are what differs between machines and versions of Go.
var places, frameCounts = regexp.MustCompile(`(?m)\S*/(\w+\.go):\d+$`), regexp.MustCompile(`\(\d+ frames`)

func TestPanicShowsTheFunctionsOfTheModel(t *testing.T) {
	t.Setenv("GOTRACEBACK", "single")
	for _, synch := range []ross.Scheduler{1, 2, 3, 4, 5, 6} {
		t.Run(synch.String(), func(t *testing.T) {
			cfg := rosstest.Small()
			cfg.Synch, cfg.ConsLookahead, cfg.GVTInterval = synch, 0.5, 1
			out := rosstest.Try(t, cfg, shelves())
			want := stackText
			if synch == 3 || synch == 5 {
				want += undoneText
			}
			got := frameCounts.ReplaceAllString(places.ReplaceAllString(out.Err.Error(), "$1"), "(N frames")
			require.Equal(t, want, got)
			var me *ross.ModelError
			require.ErrorAs(t, out.Err, &me)
			require.Equal(t, "rosstest.Word", me.Message)
			require.Contains(t, me.Stack, "goroutine ")
			require.Contains(t, me.Stack, "internal/kernel.", "the engine's")
		})
	}
}

func TestPanicShowsAllFunctionsIfAsked(t *testing.T) {
	t.Setenv("GOTRACEBACK", "all")
	err := rosstest.Try(t, rosstest.Small(), shelves()).Err
	require.ErrorContains(t, err, "internal/kernel.")
	require.NotContains(t, err.Error(), "left out")
}

// The innermost function of the model comes first also if it called one of Go or of the engine that panicked.
func TestPanicBelowTheModelShowsTheCall(t *testing.T) {
	t.Setenv("GOTRACEBACK", "")
	err := rosstest.Try(t, rosstest.Small(), rosstest.Once(func(*ross.LP) { _ = strings.Repeat("x", int(zero)-1) })).Err
	_, stack, _ := strings.Cut(err.Error(), "\n")
	require.Regexp(t, `^\tgithub\.com/ross-go/ross_test\.TestPanicBelowTheModelShowsTheCall\.func1\n\t\t\S+errors_stack_test\.go:\d+\n`, stack)
	require.NotContains(t, stack, "strings.Repeat")
}

var zero int64
