// This file owns the forms of the model of the chapter without anything about undoing: the first one, that with
// parameters, which are not in its states, the one that is a program, and replications; and the comparison of the
// chapter with its programs.

package firstmodel

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/experiment"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/stats"
	"github.com/stretchr/testify/require"
)

const stations = 16

// Station is the state of an LP.
type Station struct {
	Bikes int64
	Lost  int64 // customers who found no bike
}

// The messages that a station receives.
type (
	Customer struct{} // wants a bike
	Bike     struct{} // comes back
)

func (s *Station) Init(lp *ross.LP) {
	s.Bikes = 2
	nextCustomer(lp)
}

func (s *Station) Customer(lp *ross.LP, _ *ross.None, _ *Customer) {
	nextCustomer(lp)
	if s.Bikes == 0 {
		s.Lost++
		return
	}
	s.Bikes--
	ride(lp)
}

func (s *Station) Bike(_ *ross.LP, _ *ross.None, _ *Bike) { s.Bikes++ }

func nextCustomer(lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), Customer{}) }

// ride sends a bike to a random station.
func ride(lp *ross.LP) {
	to := ross.LPID(lp.RNG().Integer(0, stations-1))
	ross.Send(lp, to, 0.5+lp.RNG().Exponential(1.5), Bike{})
}

var city = ross.Type[Station, ross.None]{
	Name: "station",
	Init: (*Station).Init,
	On:   []ross.Handler[Station]{ross.On((*Station).Customer), ross.On((*Station).Bike)},
}

// simulate runs a model. The caller closes the simulation.
func simulate(cfg ross.Config, model ross.LPType) (*ross.Simulation, error) {
	sim, err := ross.New(cfg)
	if err != nil {
		return nil, err
	}
	if err = sim.Define(model); err == nil {
		err = sim.Run(context.Background())
	}
	return sim, err
}

// try is simulate for examples that are about the error.
func try(cfg ross.Config, model ross.LPType) error {
	sim, err := simulate(cfg, model)
	if sim != nil {
		_ = sim.Close()
	}
	return err
}

func Example() {
	cfg := ross.DefaultConfig()
	cfg.TotalLPs, cfg.End, cfg.Digest = stations, 100, true
	sim, err := simulate(cfg, city)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sim.Close()
	fmt.Println(lost(sim), "customers found no bike")
	// Output: 744 customers found no bike
}

// lost returns how many customers found no bike, at all stations.
func lost(sim *ross.Simulation) int64 {
	n, _ := ross.Reduce(sim, func(_ *ross.LP, s *Station) int64 { return s.Lost }, func(a, b int64) int64 { return a + b })
	return n
}

func Example_optimistic() {
	cfg := ross.DefaultConfig()
	cfg.TotalLPs, cfg.End, cfg.Digest = stations, 100, true
	first, err := simulate(cfg, city)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer first.Close()
	cfg.Synch, cfg.PEs = ross.Optimistic, 2
	second, err := simulate(cfg, city)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer second.Close()
	fmt.Println(lost(second), "customers found no bike")
	a, b := first.Stats(), second.Stats()
	fmt.Println("same events:", *a.Digest == *b.Digest)
	fmt.Println("same states:", *a.StateDigest == *b.StateDigest)
	// Output:
	// 744 customers found no bike
	// same events: true
	// same states: true
}

// Fleet holds the parameters of a city, which no handler changes.
type Fleet struct {
	Bikes int64   // of each station at the beginning
	Ride  float64 // mean length of a ride, in hours
}

func (f *Fleet) city() ross.Type[Station, ross.None] {
	return ross.Type[Station, ross.None]{
		Name: "station",
		Init: f.begin,
		On:   []ross.Handler[Station]{ross.On(f.customer), ross.On((*Station).Bike)},
	}
}

func (f *Fleet) customer(s *Station, lp *ross.LP, _ *ross.None, _ *Customer) {
	nextCustomer(lp)
	if s.Bikes == 0 {
		s.Lost++
		return
	}
	s.Bikes--
	to := ross.LPID(lp.RNG().Integer(0, stations-1))
	ross.Send(lp, to, 0.5+lp.RNG().Exponential(f.Ride), Bike{})
}

func (f *Fleet) begin(s *Station, lp *ross.LP) {
	s.Bikes = f.Bikes
	nextCustomer(lp)
}

func Example_parameters() {
	dir, err := os.MkdirTemp("", "bikes")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	cfg := ross.DefaultConfig()
	cfg.TotalLPs, cfg.End = stations, 100
	cfg.IOName, cfg.IOVirtualInterval = filepath.Join(dir, "bikes"), 60
	for range 2 {
		fleet := Fleet{Bikes: 2, Ride: 1.5}
		sim, err := simulate(cfg, fleet.city())
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(lost(sim), "customers found no bike")
		_ = sim.Close()
		cfg.IORestart = "latest"
	}
	// Output:
	// 744 customers found no bike
	// 744 customers found no bike
}

func run(args []string, stdout, stderr io.Writer) int {
	cfg := ross.DefaultConfig()
	cfg.TotalLPs, cfg.End, cfg.Statistics = stations, 100, 1
	bikes := program.Program{
		Name:   "bikes",
		Config: cfg,
		Build:  func(sim *ross.Simulation) error { return sim.Define(hire) },
	}
	return bikes.Main(args, stdout, stderr)
}

func Example_checkpoints() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	cfg := ross.DefaultConfig()
	cfg.TotalLPs, cfg.End, cfg.Digest = stations, 100, true
	cfg.IOName, cfg.IOVirtualInterval, cfg.IOKeep = filepath.Join(dir, "bikes"), 60, 1
	first, err := simulate(cfg, hire)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer first.Close()

	cfg.IORestart = "latest" // from the checkpoint at time 60, on other PEs
	cfg.Synch, cfg.PEs = ross.Optimistic, 2
	second, err := simulate(cfg, hire)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer second.Close()
	a, b := first.Stats(), second.Stats()
	fmt.Println(a.NetEvents(), "events, and", b.NetEvents(), "after the restart")
	fmt.Println("same digest:", *a.Digest == *b.Digest)
	// Output:
	// 2328 events, and 953 after the restart
	// same digest: true
}

func replicate(ctx context.Context, t *experiment.Trial) (experiment.Responses, error) {
	bikes := int64(t.Int("bikes"))
	model := hire
	model.Init = func(h *Hire, lp *ross.LP) {
		h.Bikes = bikes
		h.Stock.Set(lp, float64(bikes))
		nextCustomer(lp)
	}
	cfg := ross.DefaultConfig()
	cfg.TotalLPs, cfg.End, cfg.WarmUp = stations, 500, 50
	t.Configure(&cfg) // seeds, and the number of the replication
	sim, err := ross.New(cfg)
	if err != nil {
		return nil, err
	}
	defer sim.Close()
	if err = sim.Define(model); err == nil {
		err = sim.Run(ctx)
	}
	if err != nil {
		return nil, err
	}
	table, err := stats.Collect(sim)
	if err != nil {
		return nil, err
	}
	lost, _ := table.Row("hire", "customers lost")
	return experiment.Responses{"lost per hour": lost.Sum / (cfg.End - cfg.WarmUp) / stations}, nil
}

func Example_replications() {
	results, err := experiment.Experiment{
		Name: "bikes", Run: replicate, Seed: 1, Replications: 10,
		Points: experiment.Grid(experiment.Over("bikes", 2, 3, 4)),
	}.Do(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = results.Summary().WriteText(os.Stdout)
	// Output:
	// bikes  response       replications     mean       half      low     high         sd  enough
	//     2  lost per hour            10  0.48615  0.0094864  0.47667  0.49564   0.013261  true
	//     3  lost per hour            10  0.35492  0.0074125   0.3475  0.36233   0.010362  true
	//     4  lost per hour            10   0.2669  0.0061318  0.26077  0.27303  0.0085717  true
}

// blocks returns the contents of the page's blocks of a language.
func blocks(page, language string) (all []string) {
	for {
		_, block, found := strings.Cut(page, "\n```"+language+"\n")
		if !found {
			return all
		}
		block, page, _ = strings.Cut(block, "\n```")
		all = append(all, block)
	}
}

func TestChapterShowsItsPrograms(t *testing.T) {
	text, err := os.ReadFile("../first-model.md")
	require.NoError(t, err)
	files, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	var sources, outputs strings.Builder
	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		sources.Write(source)
		_, _ = strings.NewReplacer("\t// Output: ", "", "\t// ", "").WriteString(&outputs, string(source))
	}
	shown := 0
	for _, block := range blocks(string(text), "go") {
		for part := range strings.SplitSeq(block, "\n\n") {
			require.True(t, strings.Contains(sources.String(), part), "no program has this part of the chapter:\n%s", part)
			shown++
		}
	}
	require.Greater(t, shown, 25, "parts of the programs in the chapter")
	printed := blocks(string(text), "text")
	require.Greater(t, len(printed), 7)
	for _, block := range printed {
		require.True(t, strings.Contains(outputs.String(), block), "no program prints this:\n%s", block)
	}
}

func TestProgramPrintsTheSameStatisticsOptimistically(t *testing.T) {
	t.Chdir(t.TempDir())
	table := func(args ...string) string {
		var out, errs bytes.Buffer
		require.Zero(t, run(args, &out, &errs), "%s", &errs)
		_, table, found := strings.Cut(out.String(), "Statistics from time 0 to 100\n")
		require.True(t, found)
		return table
	}
	require.Equal(t, table(), table("--synch=3", "--pes=2"))
}
