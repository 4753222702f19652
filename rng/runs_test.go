// This file owns a classic model of ROSS, RAID controllers and disks, whose trace the original wrote with all
// digits: its times go through normal and Weibull draws, and so through every function of C; the test that intervals of
// experiments cover mean and variance of distributions at the nominal rate: the streams of replications are
// independent, and draws have the two moments of theory; and the examples of the documentation.

package rng_test

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/rng"
)

// The types of events, as the original numbers them.
const (
	ioIdle = iota
	ioBusy
	rebuildStart
	rebuildFinish
	raidFailure
	diskFailure
	diskReplaced
)

// raidMsg is an event, with what the trace has about its sender.
type raidMsg struct {
	Type, Src int64
	Sent      float64
}

// raid is the state of a controller; other LPs need none for their times.
type raid struct{ Condition int32 }

const (
	healthy = iota
	waiting
	rebuilding
	failed
)

// A server has 38 LPs: its load, itself, four controllers, and eight disks of each.
const (
	serverLPs  = 38
	controller = 2
	disk       = 6

	horizon = 157680000
)

// raidModel returns the model, which passes each committed event to trace. The distribution of the
// times until a disk fails is Weibull's with the given shape.
func raidModel(shape float64, trace func(lp *ross.LP, m *raidMsg)) ross.LPType {
	send := func(lp *ross.LP, dst ross.LPID, offset float64, what int64) {
		ross.Send(lp, dst, offset, raidMsg{what, int64(lp.ID()), lp.Now()})
	}
	handle := func(s *raid, lp *ross.LP, what int64) {
		place := lp.ID() % serverLPs
		server := lp.ID() - place + 1
		normal := func(mean float64) float64 { return lp.RNG().NormalSD(mean, mean/10) }
		switch {
		case place == 0:
			next, mean := int64(ioBusy), 10.0
			if what == ioBusy {
				next, mean = ioIdle, 100
			}
			x := normal(mean)
			send(lp, lp.ID(), x, next)
			send(lp, server, x, next)
		case place >= disk:
			next, x := int64(diskReplaced), 0.0
			if what == diskFailure {
				x = normal(600)
			} else {
				next, x = diskFailure, lp.RNG().Weibull(3.6e9, shape)
				if lp.Now()+x >= horizon {
					return
				}
			}
			send(lp, lp.ID()-place+controller+(place-disk)/8, x, next)
			send(lp, lp.ID(), x, next)
		case place >= controller && s.Condition != failed:
			switch what {
			case rebuildFinish:
				s.Condition = healthy
				send(lp, server, 0, rebuildFinish)
			case diskReplaced:
				s.Condition = rebuilding
				send(lp, lp.ID(), normal(3600), rebuildFinish)
				send(lp, server, 0, rebuildStart)
			default:
				switch s.Condition {
				case waiting:
					s.Condition = failed
				case rebuilding:
					s.Condition = failed
					send(lp, server, 0, raidFailure)
				default:
					s.Condition = waiting
					send(lp, server, 0, diskFailure)
				}
			}
		}
	}
	return ross.Type[raid]{
		Name: "raid",
		Init: func(s *raid, lp *ross.LP) {
			switch place := lp.ID() % serverLPs; {
			case place == 0:
				handle(s, lp, ioIdle)
			case place >= disk:
				handle(s, lp, diskReplaced)
			}
		},
		Event: ross.On(func(s *raid, lp *ross.LP, m *raidMsg) { handle(s, lp, m.Type) }).Commit(
			func(_ *raid, lp *ross.LP, m *raidMsg) { trace(lp, m) }),
	}
}

// TestTimesAreThoseOfTheOriginalToTheLastDigit compares with a run of 64 servers: with all events of
// controllers and disks, and with those of the load of the first server.
func TestTimesAreThoseOfTheOriginalToTheLastDigit(t *testing.T) {
	file, err := os.Open("testdata/raid.csv.gz")
	require.NoError(t, err)
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	require.NoError(t, err)
	rows, err := csv.NewReader(unzipped).ReadAll()
	require.NoError(t, err)
	const lps = 64 * serverLPs
	var want [lps][]string
	for _, row := range rows[1:] {
		var dst int
		_, err := fmt.Sscan(row[0], &dst)
		require.NoError(t, err)
		want[dst] = append(want[dst], fmt.Sprint(row[1:]))
	}
	require.Equal(t, 806, len(rows)-1)
	for _, synch := range testlevel.Pick([]ross.Scheduler{1, 3}, []ross.Scheduler{3}, []ross.Scheduler{3}) {
		var got [lps][]string
		cfg := rosstest.Small()
		cfg.Synch, cfg.NLP, cfg.LPs, cfg.End = synch, 0, lps, 20000
		if synch == ross.Optimistic {
			cfg.PEs = 2
		}
		rosstest.Run(t, cfg, raidModel(0.5, func(lp *ross.LP, m *raidMsg) {
			if m.Type >= rebuildStart || lp.ID() < controller {
				got[lp.ID()] = append(got[lp.ID()], fmt.Sprintf("[%d %.17g %.17g %d]", m.Src, m.Sent, lp.Now(), m.Type))
			}
		}))
		for id := range want {
			for i := range min(len(want[id]), len(got[id])) {
				require.Equal(t, want[id][i], got[id][i], "synch=%d, event %d of LP %d", synch, i, id)
			}
			require.Equal(t, len(want[id]), len(got[id]), "synch=%d, LP %d", synch, id)
		}
	}
}

// An LP draws from its own stream; a rollback restores the stream's state, and the
// numbers come again.
func Example() {
	seeder := rng.NewSeeder(rng.DefaultSeeds)
	stream := seeder.Stream(5)

	before := stream.State()
	fmt.Printf("%.6f %d\n", stream.Unif(), stream.Integer(0, 9))

	stream.SetState(before)
	fmt.Printf("%.6f %d\n", stream.Unif(), stream.Integer(0, 9))
	// Output:
	// 0.940030 6
	// 0.940030 6
}

// A model that reverses by hand undoes as many draws as it made. The seeds of
// replications are unrelated. Multiples of one number are not: a draw with 2 2 2 2 is
// twice the draw with 1 1 1 1, modulo 1.
func ExampleSeedsOf() {
	draw := func(s rng.Seeds) float64 {
		stream := rng.NewSeeder(s).Stream(1)
		return stream.Unif()
	}
	fmt.Printf("%.6f %.6f\n", draw(rng.Seeds{1, 1, 1, 1}), draw(rng.Seeds{2, 2, 2, 2}))
	fmt.Println(rng.Seeds{2, 2, 2, 2}.Patterned())
	for replication := range uint64(2) {
		s := rng.SeedsOf(replication)
		fmt.Printf("%v draws %.6f\n", s, draw(s))
	}
	// Output:
	// 0.642712 0.285424
	// true
	// [60845732 496820717 1925036256 1982667257] draws 0.814625
	// [1294668924 10533118 1608583573 656958378] draws 0.913735
}

func ExampleStream_Reverse() {
	stream := rng.NewSeeder(rng.DefaultSeeds).Stream(5)

	start := stream.Count()
	delay := stream.Exponential(2.5)
	trials := stream.Geometric(0.3)
	draws := stream.Count() - start
	fmt.Printf("%.6f %d, %d draws\n", delay, trials, draws)

	for range draws {
		stream.Reverse()
	}
	fmt.Printf("%.6f %d\n", stream.Exponential(2.5), stream.Geometric(0.3))
	// Output:
	// 0.154609 12, 13 draws
	// 0.154609 12
}

// Tables are made once and shared by all LPs. Each LP draws from its own stream.
func ExampleNewDiscrete() {
	size, err := rng.NewDiscrete([]string{"small", "medium", "large"}, []float64{6, 3, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	rank, err := rng.NewZipf(1e9, 1.1) // web pages by popularity
	if err != nil {
		fmt.Println(err)
		return
	}
	stream := rng.NewSeeder(rng.DefaultSeeds).Stream(5)
	for range 4 {
		fmt.Println(size.Draw(&stream), rank.Draw(&stream))
	}
	_, err = rng.NewZipf(1e9, -1)
	fmt.Println(err)
	// Output:
	// small 17
	// small 3865
	// small 1
	// small 184
	// ross: Zipf distribution: the exponent is -1: give a finite number of 0 or more
}

// A replication draws from its own part of every stream, 2^48 draws further on.
func ExampleSeeds_Replication() {
	models, _ := rng.RunSeeds(2026)
	for replication := range uint64(3) {
		stream := rng.NewSeeder(models.Replication(replication)).Stream(5)
		fmt.Printf("%.4f %.4f\n", stream.Unif(), stream.Unif())
	}
	jump := rng.NewSeeder(models).Stream(5)
	jump.Skip(2 * rng.ReplicationDraws)
	fmt.Printf("%.4f\n", jump.Unif())
	// Output:
	// 0.2458 0.8244
	// 0.8965 0.7881
	// 0.9320 0.8956
	// 0.9320
}

func TestIntervalsOfDrawsCoverMeanAndVariance(t *testing.T) {
	testlevel.Once(t, "numbers that no build changes")
	for _, c := range []struct {
		name           string
		mean, variance float64
		draw           func(s *rng.Stream) float64
	}{
		{"Unif", 1. / 2, 1. / 12, (*rng.Stream).Unif},
		{"Exponential(2)", 2, 4, func(s *rng.Stream) float64 { return s.Exponential(2) }},
		{"NormalSD(10, 2)", 10, 4, func(s *rng.Stream) float64 { return s.NormalSD(10, 2) }},
		{"Gamma(2.5, 1.5)", 3.75, 5.625, func(s *rng.Stream) float64 { return s.Gamma(2.5, 1.5) }},
		{"Erlang(4, 2)", 2, 1, func(s *rng.Stream) float64 { return s.Erlang(4, 2) }},
		{"Weibull(2, 2)", 2, 4 * (1/math.Pow(math.Gamma(1.5), 2) - 1),
			func(s *rng.Stream) float64 { return s.Weibull(2, 2) }},
		{"Triangular(0, 2, 5)", 7. / 3, (4 + 25 - 10) / 18., func(s *rng.Stream) float64 { return s.Triangular(0, 2, 5) }},
		{"Poisson(3.5)", 3.5, 3.5, func(s *rng.Stream) float64 { return float64(s.Poisson(3.5)) }},
		{"Binomial(10, 0.3)", 3, 2.1, func(s *rng.Stream) float64 { return float64(s.Binomial(10, 0.3)) }},
		{"Geometric(0.25)", 4, 12, func(s *rng.Stream) float64 { return float64(s.Geometric(0.25)) }},
		{"Integer(0, 9)", 4.5, 99. / 12, func(s *rng.Stream) float64 { return float64(s.Integer(0, 9)) }},
	} {
		rosstest.Covers(t, 20, "rng, "+c.name, map[string]float64{"mean": c.mean, "variance": c.variance},
			func(configure func(*ross.Config)) (map[string]float64, error) {
				const n = 500
				cfg := rosstest.Small()
				cfg.NLP, cfg.NKP, cfg.MaxMemory = 1, 1, 16<<20
				configure(&cfg)
				sum, squares := 0.0, 0.0
				sim, err := ross.Run(context.Background(), cfg, ross.Type[rosstest.None]{
					Name: "draws",
					Init: func(_ *rosstest.None, lp *ross.LP) {
						for range n {
							x := c.draw(lp.RNG()) - c.mean
							sum, squares = sum+x, squares+x*x
						}
					},
					Event: ross.On(func(*rosstest.None, *ross.LP, *rosstest.Word) {}),
				})
				if err != nil {
					return nil, err
				}
				return map[string]float64{"mean": c.mean + sum/n, "variance": (squares - sum*sum/n) / (n - 1)}, sim.Close()
			})
	}
}
