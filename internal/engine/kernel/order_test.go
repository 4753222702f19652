// This file pins the order of events, what a signature has of it, and what an error shows of a stack.

package kernel_test

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/rng"
)

// The order of events and what a signature has of it.

// What a signature has of its event: time, priority, tie-breaker.

func TestSignatureIsThatOfTheEventBeingHandled(t *testing.T) {
	typ := rosstest.Once(func(lp *ross.LP) {
		s := lp.Signature()
		require.Equal(t, 1.5, s.Time)
		require.EqualValues(t, ross.DefaultPriority, s.Priority)
		g := rosstest.Core(rng.DefaultCoreSeeds, 1, 4, 1)
		require.Equal(t, []float64{g.Unif()}, s.Ties)
	})
	zero := func(_ *none, lp *ross.LP) { require.Zero(t, lp.Signature()) }
	typ.PreRun, typ.Final = zero, zero
	typ.Event = typ.Event.(ross.EventHandler[none, word]).Commit(
		func(_ *none, lp *ross.LP, _ *word) { require.Equal(t, 1.5, lp.Signature().Time) })
	require.Equal(t, 1, rosstest.Run(t, rosstest.Small(), typ).Net())
}

func TestPrioritiesAtTheEdgesAreTaken(t *testing.T) {
	var got []int64
	send := func(lp *ross.LP) {
		for i, p := range []float64{1, math.Nextafter(1, 0), 0.5, math.SmallestNonzeroFloat64, 0} {
			ross.SendPriority(lp, 0, 1, p, word{N: int64(5 - i)})
		}
	}
	typ := rosstest.Once(send)
	typ.Event = ross.On(func(_ *none, lp *ross.LP, m *word) {
		if got = append(got, m.N); m.N == 0 {
			send(lp)
		}
	})
	rosstest.Run(t, rosstest.Small(), typ)
	require.Equal(t, []int64{0, 1, 2, 3, 4, 5}, got)
}

// The order of signatures.

func TestSignatureComparesTimeThenPriorityThenTies(t *testing.T) {
	ordered := []kernel.Signature{
		{},
		{Time: 1, Priority: 0, Ties: nil},
		{Time: 1, Priority: 0, Ties: []float64{0}},
		{Time: 1, Priority: 0, Ties: []float64{0.5}},
		{Time: 1, Priority: 0, Ties: []float64{0.5, 0.1}},
		{Time: 1, Priority: 0, Ties: []float64{0.5, 0.1, 0.9}},
		{Time: 1, Priority: 0, Ties: []float64{0.5, 0.2}},
		{Time: 1, Priority: 0, Ties: []float64{0.6}},
		{Time: 1, Priority: 0.5, Ties: []float64{0.1}},
		{Time: 1, Priority: 1, Ties: []float64{0}},
		{Time: math.Nextafter(1, 2)},
		{Time: math.Inf(1)},
	}
	for i, a := range ordered {
		for j, b := range ordered {
			require.Equal(t, cmp.Compare(i, j), cmp.Compare(a.Compare(b), 0), "%v and %v", a, b)
		}
	}
}

// What an event without delay is, and where it comes in the order.

// An event whose delay is lost in rounding comes after its cause: by its own tie-breaker, or, if that
// is less than its cause's, by the lineage of an event without delay. It is never lost.
func TestDelayThatIsLostInRoundingComesAfterItsCause(t *testing.T) {
	var signatures []ross.Signature
	typ := ross.Type[none]{
		Init: func(_ *none, lp *ross.LP) {
			if lp.ID() == 0 {
				ross.Send(lp, 0, 1e6, word{})
			}
		},
		Event: ross.On(func(_ *none, lp *ross.LP, m *word) {
			require.EqualValues(t, 1e6, lp.Now())
			require.EqualValues(t, len(signatures), m.N)
			signatures = append(signatures, lp.Signature())
			if m.N < 50 {
				ross.Send(lp, ross.LPID(m.N%4), 1e-300, word{N: m.N + 1})
			}
		}),
	}
	cfg := rosstest.Small()
	cfg.End = 2e6
	rosstest.Run(t, cfg, typ)
	require.Len(t, signatures, 51)
	own := 0
	for i, s := range signatures[1:] {
		cause := signatures[i]
		require.Negative(t, cause.Compare(s), i)
		if len(s.Ties) == 1 {
			own++
			continue
		}
		require.Equal(t, cause.Ties, s.Ties[:len(s.Ties)-1], i)
		require.LessOrEqual(t, s.Ties[len(s.Ties)-1], cause.Ties[0], "its own tie-breaker would do")
	}
	require.Positive(t, own)
	require.Less(t, own, 20)
}

// Init and PreRun are no events: what they send at time 0 has no cause.
func TestEventAtTimeZeroFromInitHasOneTieBreaker(t *testing.T) {
	n := 0
	typ := ross.Type[none]{
		Init: func(_ *none, lp *ross.LP) { ross.Send(lp, 0, 0, word{}) },
		Event: ross.On(func(_ *none, lp *ross.LP, _ *word) {
			n++
			require.Len(t, lp.Signature().Ties, 1)
		}),
	}
	rosstest.Run(t, rosstest.Small(), typ)
	require.Equal(t, 4, n)
}

func TestChildWithoutDelayMayHaveTheSameOrAHigherPriorityValue(t *testing.T) {
	var got []int64
	typ := ross.Type[none]{
		Init: func(_ *none, lp *ross.LP) {
			if lp.ID() == 0 {
				ross.SendPriority(lp, 0, 1, 0.5, word{N: 0})
				ross.SendPriority(lp, 0, 1, 0.75, word{N: 2})
			}
		},
		Event: ross.On(func(_ *none, lp *ross.LP, m *word) {
			got = append(got, m.N)
			if m.N == 0 {
				ross.SendPriority(lp, 1, 0, 1, word{N: 3})
				ross.SendPriority(lp, 2, 0, 0.5, word{N: 1})
			}
		}),
	}
	rosstest.Run(t, rosstest.Small(), typ)
	require.Equal(t, []int64{0, 1, 2, 3}, got)
}

// Events are handled in the order of their signatures: by time, then by priority, then by tie-breakers. An
// event without delay has those of its cause before its own. So it comes after its cause.
func ExampleSignature_Compare() {
	all := []kernel.Signature{
		{Time: 2, Priority: 0, Ties: []float64{0.1}},
		{Time: 1, Priority: 1, Ties: []float64{0.1}},
		{Time: 1, Priority: 0.5, Ties: []float64{0.7, 0.2}}, // sent without delay by the next one
		{Time: 1, Priority: 0.5, Ties: []float64{0.7}},
		{Time: 1, Priority: 0.5, Ties: []float64{0.8}},
	}
	slices.SortFunc(all, kernel.Signature.Compare)
	for _, s := range all {
		fmt.Println(s.Time, s.Priority, s.Ties)
	}
	// Output:
	// 1 0.5 [0.7]
	// 1 0.5 [0.7 0.2]
	// 1 0.5 [0.8]
	// 1 1 [0.1]
	// 2 0 [0.1]
}

// mistake is an error of a model at a virtual time.
type mistake float64

func (m mistake) Error() string { return fmt.Sprintf("mistake at time %g", float64(m)) }

// Several PEs can end with a mistake. The run ends with the one that a sequential run would have come to.
func ExampleRun_First() {
	run := &kernel.Run{Front: kernel.Front{TimeOf: func(err error) (at float64, ok bool) {
		m, ok := errors.AsType[mistake](err)
		return float64(m), ok
	}}}
	ofPEs := []error{mistake(7), nil, mistake(3), errors.New("the disk is full")}
	others, first := run.First(slices.Values(ofPEs))
	fmt.Println(first)
	fmt.Println(others)
	// Output:
	// mistake at time 3
	// [the disk is full]
}

// What of a stack is the model's.

const stack = `goroutine 7 [running]:
runtime/debug.Stack()
	/go/src/runtime/debug/stack.go:26 +0x5e
github.com/ross-go/ross/internal/engine/kernel.(*PE).panicked(0xc0001, {0x1, 0x2})
	/ross/internal/engine/kernel/errors.go:131 +0x1d
panic({0x1?, 0x2?})
	/go/src/runtime/panic.go:783 +0x132
github.com/ross-go/ross.noSuchBit(...)
	/ross/type.go:140
main.compare[...](...)
	/home/me/line.go:7
slices.SortFunc[...]({0x1, 0x2}, 0x3)
	/go/src/slices/sort.go:30 +0x44
gitlab.com/me/line.v2/pkg.(*Line[go.shape.int]).Sort.func1(0x1)
	/home/me/pkg/line.go:40 +0x99
github.com/ross-go/ross/models/phold.event(0x1)
	/ross/models/phold/phold.go:3 +0x10
github.com/ross-go/ross/internal/run.(*PE).handle(0xc0001)
	/ross/internal/run/sequential.go:80 +0x11
main.main()
	/home/me/main.go:9 +0x22
created by github.com/ross-go/ross/internal/run.(*Run).start in goroutine 1
	/ross/internal/run/run.go:9 +0x22
`

func TestFoldedStackIsTheModels(t *testing.T) {
	t.Setenv("GOTRACEBACK", "")
	require.Equal(t, `	main.compare[...]
		/home/me/line.go:7
	slices.SortFunc[...]
		/go/src/slices/sort.go:30
	gitlab.com/me/line.v2/pkg.(*Line[go.shape.int]).Sort.func1
		/home/me/pkg/line.go:40
	github.com/ross-go/ross/models/phold.event
		/ross/models/phold/phold.go:3
	(7 frames of the engine and of Go left out; GOTRACEBACK=all shows them)`, kernel.FoldStack(stack))
}

func TestStackWithoutTheModelIsWhole(t *testing.T) {
	t.Setenv("GOTRACEBACK", "")
	const own = "goroutine 7 [running]:\ngithub.com/ross-go/ross/internal/run.f()\n\t/ross/run.go:1 +0x1\n"
	for _, text := range []string{"", "garbage", own} {
		require.Equal(t, text, kernel.FoldStack(text))
	}
}
