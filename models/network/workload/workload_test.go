// Patterns, programs, placements and traces.

package workload

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/models/network/interconnect"
	"github.com/ross-go/ross/models/network/topology"
	"github.com/ross-go/ross/rng"
)

// stream returns a random stream.
func stream() *rng.Stream {
	s := rng.NewSeeder(rng.SeedsOf(3)).Stream(0)
	return &s
}

// sends returns how often each rank is sent to by a rank, in many draws.
func sends(p Pattern, ranks, rank, draws int) []int {
	s, got := stream(), make([]int, ranks)
	for range draws {
		got[p(rank, s)]++
	}
	return got
}

func TestPatternsSendToWhomTheySay(t *testing.T) {
	of := func(name string, o PatternOptions) Pattern { return must(NewPattern(name, o)) }
	grid := PatternOptions{Ranks: 5 * 4, Lengths: []int{5, 4}}

	uniform := sends(of("uniform", PatternOptions{Ranks: 5}), 5, 2, 4000)
	require.Zero(t, uniform[2])
	for to, n := range uniform {
		require.True(t, to == 2 || n > 900 && n < 1100, "%v", uniform)
	}
	near := sends(of("neighbour", grid), 20, 0, 4000) // (0,0) has the neighbours (4,0), (1,0), (0,3), (0,1)
	for to, n := range near {
		neighbour := to == 4 || to == 1 || to == 15 || to == 5
		require.Equal(t, neighbour, n > 0, "%v", near)
		require.True(t, !neighbour || n > 900, "%v", near)
	}
	require.Equal(t, 2+1*5, of("tornado", grid)(0, nil)) // 2 of 5 and 1 of 4 steps up
	require.Equal(t, (3+2)%5+(3+1)%4*5, of("tornado", grid)(3+3*5, nil))
	require.Equal(t, 3, of("tornado", PatternOptions{Ranks: 8})(0, nil))
	require.Equal(t, 1*4+2, of("transpose", PatternOptions{Ranks: 16})(2*4+1, nil))
	require.Equal(t, 0b1010, of("complement", PatternOptions{Ranks: 16})(0b0101, nil))
	hot := sends(of("hotspot", PatternOptions{Ranks: 10, Fraction: 0.5}), 10, 3, 4000)
	require.InDelta(t, 2000+4000/2/9, hot[0], 150)
	require.Zero(t, hot[3])

	for _, ranks := range []int{2, 3, 100} {
		p, q := of("permutation", PatternOptions{Ranks: ranks}), of("permutation", PatternOptions{Ranks: ranks, Seed: 1})
		seen, differ := map[int]bool{}, false
		for rank := range ranks {
			seen[p(rank, nil)] = true
			require.NotEqual(t, rank, p(rank, nil))
			differ = differ || p(rank, nil) != q(rank, nil)
		}
		require.Len(t, seen, ranks)
		require.Equal(t, ranks == 100, differ && ranks == 100)
	}
	for rank, group := range map[int][2]int{0: {4, 8}, 7: {8, 10}, 9: {0, 4}} { // 10 ranks in groups of 4
		for to, n := range sends(of("adversarial", PatternOptions{Ranks: 10, Group: 4}), 10, rank, 400) {
			require.Equal(t, to >= group[0] && to < group[1], n > 0, "rank %d to %d", rank, to)
		}
	}
}

func TestPatternsThatAreNotPossibleAreRefused(t *testing.T) {
	for text, make := range map[string]func() (Pattern, error){
		`pattern "spiral": give one of [adversarial complement`: func() (Pattern, error) {
			return NewPattern("spiral", PatternOptions{Ranks: 4})
		},
		"pattern uniform for 1 ranks": func() (Pattern, error) {
			return NewPattern("uniform", PatternOptions{Ranks: 1})
		},
		"a grid of [2 3] for 4 ranks": func() (Pattern, error) {
			return NewPattern("tornado", PatternOptions{Ranks: 4, Lengths: []int{2, 3}})
		},
		"a grid of [-2 -2] for 4 ranks": func() (Pattern, error) {
			return NewPattern("tornado", PatternOptions{Ranks: 4, Lengths: []int{-2, -2}})
		},
		"for 15 ranks: give a square number, such as 9": func() (Pattern, error) {
			return NewPattern("transpose", PatternOptions{Ranks: 15})
		},
		"hotspot with the fraction NaN": func() (Pattern, error) {
			return NewPattern("hotspot", PatternOptions{Ranks: 4, Fraction: math.NaN()})
		},
		"adversarial for 4 ranks in groups of 4": func() (Pattern, error) {
			return NewPattern("adversarial", PatternOptions{Ranks: 4, Group: 4})
		},
	} {
		_, err := make()
		require.ErrorIs(t, err, ErrWorkload)
		require.ErrorContains(t, err, text)
	}
}

// programs are programs of some ranks.
func programs(ranks int) map[string]Program {
	r := Rounds{Count: 2, Compute: 100}
	all := map[string]Program{
		"all-to-all": must(AllToAll(ranks, 700, r)),
		"ring":       must(RingAllReduce(ranks, 700, r)),
		"barrier":    must(Barrier(ranks, r)),
		"stencil":    must(Stencil([]int{ranks}, 700, r)),
	}
	switch ranks {
	case 8:
		all["doubling"], all["cube"] = must(DoublingAllReduce(8, 700, r)), must(Stencil([]int{2, 2, 2}, 700, r))
	case 12:
		all["grid"], all["box"] = must(Stencil([]int{4, 3}, 700, r)), must(Stencil([]int{3, 2, 2}, 700, r))
	}
	return all
}

// TestProgramsReceiveWhatTheySend matches all sends with all receives, and has the ranks do their
// operations in turn until all have ended.
func TestProgramsReceiveWhatTheySend(t *testing.T) {
	testlevel.Once(t, "arithmetic")
	for _, ranks := range []int{2, 3, 8, 12} {
		for name, p := range programs(ranks) {
			require.Equal(t, ranks, p.Ranks())
			type message struct {
				from, to int32
				tag      uint32
			}
			open, next, sent := map[message]int{}, make([]int, ranks), 0
			for going := true; going; {
				going = false
				for rank := range ranks {
					op, ok := p.Op(rank, next[rank])
					if !ok {
						continue
					}
					switch m := (message{op.Peer, int32(rank), op.Tag}); op.Kind {
					case Send:
						open[message{int32(rank), op.Peer, op.Tag}]++
						sent++
					case Receive:
						if open[m] == 0 {
							continue
						}
						open[m]--
					}
					next[rank]++
					going = true
				}
			}
			require.Positive(t, sent)
			for rank := range ranks {
				_, ok := p.Op(rank, next[rank])
				require.False(t, ok, "%s of %d: rank %d waits for ever", name, ranks, rank)
			}
			for m, n := range open {
				require.Zero(t, n, "%s of %d: %v", name, ranks, m)
			}
		}
	}
}

// TestReductionsReachAllRanks follows what each rank knows: at the end of an all-reduce or a barrier it is
// something of every rank.
func TestReductionsReachAllRanks(t *testing.T) {
	testlevel.Once(t, "arithmetic")
	once := Rounds{Count: 1}
	for name, p := range map[string]Program{
		"ring": must(RingAllReduce(6, 60, once)), "doubling": must(DoublingAllReduce(16, 60, once)),
		"barrier": must(Barrier(11, once)),
	} {
		known := make([]map[int]bool, p.Ranks())
		for rank := range known {
			known[rank] = map[int]bool{rank: true}
		}
		for index := 0; ; index++ {
			was := make([]map[int]bool, len(known))
			for rank := range known {
				was[rank] = map[int]bool{}
				for k := range known[rank] {
					was[rank][k] = true
				}
			}
			some := false
			for rank := range known {
				op, ok := p.Op(rank, index)
				some = some || ok
				if ok && op.Kind == Receive {
					for k := range was[op.Peer] {
						known[rank][k] = true
					}
				}
			}
			if !some {
				break
			}
		}
		for rank, all := range known {
			require.Len(t, all, p.Ranks(), "%s: rank %d", name, rank)
		}
	}
}

func TestProgramsThatAreNotPossibleAreRefused(t *testing.T) {
	_, a := AllToAll(1, 1, Rounds{Count: 1})
	_, b := RingAllReduce(4, -1, Rounds{Count: 1})
	_, c := DoublingAllReduce(12, 1, Rounds{Count: 1})
	_, d := Barrier(4, Rounds{})
	_, e := Stencil([]int{2, 2, 2, 2}, 1, Rounds{Count: 1})
	_, f := Stencil([]int{2, 0}, 1, Rounds{Count: 1})
	_, g := AllToAll(4, 1, Rounds{Count: 1, Compute: math.Inf(1)})
	for _, c := range []struct {
		err  error
		text string
	}{
		{a, "all-to-all of 1 ranks: must be 2 to 2^24"}, {b, "of -1 bytes"}, {c, "12 ranks: give a power of two, such as 8"},
		{d, "barrier of 0 rounds"}, {e, "give 1 to 3 lengths"}, {f, "lengths must be at least 1"},
		{g, "computation of +Inf ns"},
	} {
		require.ErrorIs(t, c.err, ErrWorkload)
		require.ErrorContains(t, c.err, c.text)
	}
}

func TestPlacementsHaveEachTerminalOnce(t *testing.T) {
	n := must(interconnect.New(interconnect.Defaults(topology.NewMinimal(must(topology.NewDragonfly(2, 1, 2))))))
	require.Equal(t, []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, Contiguous.order(n, 0))
	require.Equal(t, []int32{0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11}, RoundRobin.order(n, 0))
	a, b := Random.order(n, 1), Random.order(n, 2)
	require.ElementsMatch(t, Contiguous.order(n, 0), a)
	require.NotEqual(t, a, b)
	for _, p := range []Placement{Contiguous, RoundRobin, Random} {
		got, err := ParsePlacement(p.String())
		require.NoError(t, err)
		require.Equal(t, p, got)
	}
	_, err := ParsePlacement("spread")
	require.ErrorContains(t, err, `placement "spread": give contiguous`)

	job := Job{Name: "a", Ranks: 4, Program: must(Barrier(4, Rounds{Count: 1}))}
	other := job
	other.Name = "b"
	w := must(New(n, []Job{job, other}, RoundRobin, 0))
	require.Equal(t, []int32{8, 10, 1, 3}, w.Terminals(1))
}

func TestJobsThatAreNotPossibleAreRefused(t *testing.T) {
	n := must(interconnect.New(interconnect.Defaults(topology.NewMinimal(must(topology.NewDragonfly(2, 1, 2))))))
	barrier, uniform := must(Barrier(4, Rounds{Count: 1})), must(NewPattern("uniform", PatternOptions{Ranks: 4}))
	good := Job{Name: "a", Ranks: 4, Program: barrier}
	change := func(f func(j *Job)) []Job {
		j := good
		f(&j)
		return []Job{j}
	}
	flow := func(load float64, bytes int64) []Job {
		return []Job{{Name: "a", Ranks: 4, Pattern: uniform, Load: load, Bytes: bytes}}
	}
	for text, jobs := range map[string][]Job{
		"has no name":                             change(func(j *Job) { j.Name = "" }),
		"has 13 ranks: there are 12 terminals":    change(func(j *Job) { j.Ranks = 13 }),
		"has 5 ranks, and its program 4":          change(func(j *Job) { j.Ranks = 5 }),
		"must have either a Pattern or a Program": change(func(j *Job) { j.Pattern = uniform }),
		"starts at -1":                            change(func(j *Job) { j.Start = -1 }),
		`two jobs are called "a"`:                 {good, good},
		"has the load 2":                          flow(2, 1),
		"sends messages of 0 bytes":               flow(1, 0),
	} {
		_, err := New(n, jobs, Contiguous, 0)
		require.ErrorIs(t, err, ErrWorkload)
		require.ErrorContains(t, err, text)
	}
}

func TestTraces(t *testing.T) {
	text := "# a trace\nranks 3\n\n* compute 1.5 # all\n0 send 2 4096 7\n2 recv 0 7\n1 send 0 0\n0 recv 1 0\n"
	p := must(ReadTrace(strings.NewReader(text)))
	var got []Op
	for rank := range p.Ranks() {
		for i := 0; ; i++ {
			op, ok := p.Op(rank, i)
			if !ok {
				break
			}
			got = append(got, op)
		}
	}
	half := Op{Kind: Compute, Time: 1.5}
	require.Equal(t, []Op{
		half, {Kind: Send, Peer: 2, Bytes: 4096, Tag: 7}, {Kind: Receive, Peer: 1},
		half, {Kind: Send, Peer: 0},
		half, {Kind: Receive, Peer: 0, Tag: 7},
	}, got)
	path := filepath.Join(t.TempDir(), "a.trace")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	require.Equal(t, p, must(OpenTrace(path)))
	_, err := OpenTrace(path + "x")
	require.ErrorIs(t, err, ErrWorkload)
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestTracesThatAreWrongAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "line 0: there is no line ranks N",
		"0 compute 1":                          "line 1: \"0 compute 1\": the first line must be ranks N",
		"ranks 0":                              "the first line must be ranks N, with 1 to 1048576",
		"ranks 2\n2 compute 1":                 "line 2: \"2 compute 1\": must begin with a rank, 0 to 1, or *",
		"ranks 2\n0":                           "give compute, send or recv behind the rank",
		"ranks 2\n0 sleep 1":                   "give compute, send or recv",
		"ranks 2\n0 compute NaN":               "compute takes a time of 0 to 10^12 ns",
		"ranks 2\n0 compute 1 2":               "compute takes a time",
		"ranks 2\n0 send 1":                    "send takes a rank, bytes, and perhaps a tag",
		"ranks 2\n0 send 2 1":                  "2 must be a number of 0 to 1",
		"ranks 2\n0 send 1 -1":                 "-1 must be a number of 0 to 1099511627776",
		"ranks 2\n0 recv 1 4294967296":         "must be a number of 0 to 4294967295",
		"ranks 2\n1 send 0 5 3\n0 recv 1 4":    "rank 1 sends +1 messages more than rank 0 receives with the tag 3",
		"ranks 2\n0 recv 1":                    "rank 1 sends -1 messages more than rank 0 receives with the tag 0",
		"ranks 2\n" + strings.Repeat("x", 1e5): "line 2: bufio.Scanner: token too long",
	} {
		trace, err := ReadTrace(strings.NewReader(text))
		require.ErrorIs(t, err, ErrWorkload)
		require.ErrorContains(t, err, want)
		require.Nil(t, trace, text)
	}
}

func FuzzReadTrace(f *testing.F) {
	f.Add("ranks 2\n0 send 1 5\n1 recv 0\n")
	f.Add("ranks 65536\n* compute 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "*") && len(text) > 40 {
			return // a line for all of many ranks takes memory
		}
		p, err := ReadTrace(strings.NewReader(text))
		require.True(t, (err == nil) == (p != nil))
		require.True(t, err == nil || errors.Is(err, ErrWorkload))
	})
}

// TestTimesOfProgramsAreThoseOfTheirMessages compares the ends of programs with sums of formulas, in a
// network where nothing waits.
func TestTimesOfProgramsAreThoseOfTheirMessages(t *testing.T) {
	testlevel.Once(t, "what the network does")
	shape := must(topology.NewTorus([]int{8}, 1))
	c := interconnect.Defaults(topology.NewMinimal(shape))
	// To the next router: links of 10 ns and 1.28 ns a flit, routers of 50 ns, further flits.
	alone := func(links, flits float64) float64 { return links*(10+1.28) + (links-1)*50 + (flits-1)*1.28 }
	for _, x := range []struct {
		job  Job
		want float64
	}{
		{Job{Name: "ring", Ranks: 8, Program: must(RingAllReduce(8, 8*320, Rounds{Count: 3, Compute: 1000}))},
			3 * (14*alone(3, 10) + 1000)},
		{Job{Name: "trace", Ranks: 2,
			Program: must(ReadTrace(strings.NewReader("ranks 2\n0 compute 500\n0 send 1 64\n1 recv 0\n1 compute 20\n"))),
			Start:   7}, 527 + alone(3, 2)},
	} {
		got := run(t, c, steady(1e6), x.job)[0]
		require.InEpsilon(t, x.want, got.End, 1e-9, x.job.Name)
		require.Zero(t, got.Running)
	}
}

func TestResultsOfAJobWithoutMessagesHaveNoNumberThatIsNone(t *testing.T) {
	require.Equal(t, "-", links(math.NaN()))
	require.Equal(t, "-", ns(math.NaN()))
	require.Equal(t, "2.50", links(2.5))
}
