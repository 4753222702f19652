// This file owns the forms of the model of the chapter: the first one, that with parameters, the one that is a
// program, and replications; then the ways in which it undoes its events itself, and mistakes: an event undone
// wrongly, sums of floating-point numbers, scratch data that nobody undoes, and a variable that LPs share; and the
// comparison of the chapter with its programs.

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

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts/experiment"
	"github.com/ross-go/ross/stats"
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

func (s *Station) Customer(lp *ross.LP, _ *Customer) {
	nextCustomer(lp)
	if s.Bikes == 0 {
		s.Lost++
		return
	}
	s.Bikes--
	ride(lp)
}

func (s *Station) Bike(_ *ross.LP, _ *Bike) { s.Bikes++ }

func nextCustomer(lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), Customer{}) }

// ride sends a bike to a random station.
func ride(lp *ross.LP) {
	to := ross.LPID(lp.RNG().Integer(0, stations-1))
	ross.Send(lp, to, 0.5+lp.RNG().Exponential(1.5), Bike{})
}

var city = ross.Type[Station]{
	Name:  "station",
	Init:  (*Station).Init,
	Event: ross.Events(ross.On((*Station).Customer), ross.On((*Station).Bike)),
}

// simulate runs a model. The caller closes the simulation.
func simulate(cfg ross.Config, model ross.LPType) (*ross.Simulation, error) {
	return ross.Run(context.Background(), cfg, model)
}

// try is simulate for examples that are about the error.
func try(cfg ross.Config, model ross.LPType) error {
	sim, err := simulate(cfg, model)
	_ = sim.Close() // which may be nil
	return err
}

func Example() {
	cfg := ross.DefaultConfig()
	cfg.LPs, cfg.End, cfg.Digest = stations, 100, true
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
	cfg.LPs, cfg.End, cfg.Digest = stations, 100, true
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
	a, b := first.Summary(), second.Summary()
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

func (f *Fleet) city() ross.Type[Station] {
	return ross.Type[Station]{
		Name:  "station",
		Init:  f.begin,
		Event: ross.Events(ross.On(f.customer), ross.On((*Station).Bike)),
	}
}

func (f *Fleet) customer(s *Station, lp *ross.LP, _ *Customer) {
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
	cfg.LPs, cfg.End = stations, 100
	cfg.Checkpoints.Name, cfg.Checkpoints.VirtualInterval = filepath.Join(dir, "bikes"), 60
	for range 2 {
		fleet := Fleet{Bikes: 2, Ride: 1.5}
		sim, err := simulate(cfg, fleet.city())
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(lost(sim), "customers found no bike")
		_ = sim.Close()
		cfg.Checkpoints.Restart = "latest"
	}
	// Output:
	// 744 customers found no bike
	// 744 customers found no bike
}

func run(args []string, stdout, stderr io.Writer) int {
	cfg := ross.DefaultConfig()
	cfg.LPs, cfg.End, cfg.Statistics = stations, 100, ross.StatisticsInReport
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
	cfg.LPs, cfg.End, cfg.Digest = stations, 100, true
	cfg.Checkpoints.Name, cfg.Checkpoints.VirtualInterval, cfg.Checkpoints.Keep = filepath.Join(dir, "bikes"), 60, 1
	first, err := simulate(cfg, hire)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer first.Close()

	cfg.Checkpoints.Restart = "latest" // from the checkpoint at time 60, on other PEs
	cfg.Synch, cfg.PEs = ross.Optimistic, 2
	second, err := simulate(cfg, hire)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer second.Close()
	a, b := first.Summary(), second.Summary()
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
	cfg.LPs, cfg.End, cfg.WarmUp = stations, 500, 50
	t.Configure(&cfg) // seeds, and the number of the replication
	sim, err := ross.Run(ctx, cfg, model)
	if err != nil {
		return nil, err
	}
	defer sim.Close()
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

// Dock is a Station with Reverse handlers.
type Dock Station

// rented is the undo data of Customer.
type rented struct{ Bike bool }

func (d *Dock) Init(lp *ross.LP) { (*Station)(d).Init(lp) }

func (d *Dock) Customer(lp *ross.LP, undo *rented, _ *Customer) {
	nextCustomer(lp)
	if d.Bikes == 0 {
		d.Lost++
		return
	}
	undo.Bike = true
	d.Bikes--
	ride(lp)
}

func (d *Dock) UndoCustomer(_ *ross.LP, undo *rented, _ *Customer) {
	if undo.Bike {
		d.Bikes++
	} else {
		d.Lost--
	}
}

func (d *Dock) Bike(_ *ross.LP, _ *Bike)     { d.Bikes++ }
func (d *Dock) UndoBike(_ *ross.LP, _ *Bike) { d.Bikes-- }

var docks = ross.Type[Dock]{
	Name: "dock",
	Init: (*Dock).Init,
	Event: ross.Events(
		ross.OnUndo((*Dock).Customer).Reverse((*Dock).UndoCustomer),
		ross.On((*Dock).Bike).Reverse((*Dock).UndoBike),
	),
}

// UndoWrongly forgets the customers who found no bike.
func (d *Dock) UndoWrongly(_ *ross.LP, undo *rented, _ *Customer) {
	if undo.Bike {
		d.Bikes++
	}
}

func TestDocks(t *testing.T) {
	modeltest.Run(t, modeltest.Model{
		Config: ross.Config{LPs: stations, End: 50},
		Types:  func() []ross.LPType { return []ross.LPType{docks} },
		Short:  testing.Short(),
	})
}

func TestTheLineFindsTheWrongHandler(t *testing.T) {
	wrong := ross.Type[Dock]{Name: "dock", Init: (*Dock).Init, Event: ross.Events(
		ross.OnUndo((*Dock).Customer).Reverse((*Dock).UndoWrongly),
		ross.On((*Dock).Bike).Reverse((*Dock).UndoBike),
	)}
	_, err := modeltest.Check(modeltest.Model{
		Config: ross.Config{LPs: stations, End: 100}, Types: func() []ross.LPType { return []ross.LPType{wrong} },
	})
	require.ErrorContains(t, err, "in the handler of dock for firstmodel.Customer, firstmodel.(*Dock).Customer")
	require.ErrorContains(t, err, "left Dock.Lost at 1")
}

func Example_wrongReverse() {
	wrong := docks
	wrong.Event = ross.Events(
		ross.OnUndo((*Dock).Customer).Reverse((*Dock).UndoWrongly),
		ross.On((*Dock).Bike).Reverse((*Dock).UndoBike),
	)
	cfg := ross.DefaultConfig()
	cfg.LPs, cfg.End, cfg.Synch = stations, 100, ross.RollbackCheck
	err := try(cfg, wrong)
	fmt.Println(err)
	// Output: ross: LP 5 (dock) at time 0.6386092441032325: Reverse of the event that LP 5 sent at time 0.456902339312119 left Dock.Lost at 1, it was 0 before: bad rollback: undo in Reverse all that Event did to the state and the message
}

// Rack is a Station whose handlers save what they change.
type Rack Station

func (r *Rack) Init(lp *ross.LP) { (*Station)(r).Init(lp) }

func (r *Rack) Customer(lp *ross.LP, _ *Customer) {
	nextCustomer(lp)
	if r.Bikes == 0 {
		*ross.Write(lp, &r.Lost)++
		return
	}
	*ross.Write(lp, &r.Bikes)--
	ride(lp)
}

func (r *Rack) Bike(lp *ross.LP, _ *Bike) { *ross.Write(lp, &r.Bikes)++ }

var racks = ross.Type[Rack]{
	Name:   "rack",
	Saving: ross.SaveByLog,
	Init:   (*Rack).Init,
	Event:  ross.Events(ross.On((*Rack).Customer), ross.On((*Rack).Bike)),
}

func Example_threeWays() {
	cfg := ross.DefaultConfig()
	cfg.LPs, cfg.End, cfg.Digest = stations, 100, true
	cfg.Synch, cfg.PEs = ross.Optimistic, 2
	for _, model := range []ross.LPType{city, docks, racks} {
		sim, err := simulate(cfg, model)
		if err != nil {
			fmt.Println(err)
			return
		}
		st := sim.Summary()
		fmt.Printf("%016x\n", *st.Digest)
		sim.Close()
	}
	// Output:
	// 1d4784cd577667a4
	// 1d4784cd577667a4
	// 1d4784cd577667a4
}

func Example_subtract() {
	sum := 0.1
	sum += 0.2
	sum -= 0.2
	fmt.Println(sum == 0.1, sum)
	// Output: false 0.10000000000000003
}

// Meter counts the hours of the bikes that come back to its station.
type Meter struct{ Hours float64 }

// Return is the message of a bike that comes back.
type Return struct{ Hours float64 }

func (s *Meter) Init(lp *ross.LP) { ross.Send(lp, lp.ID(), 1, Return{lp.RNG().Unif()}) }

func (s *Meter) Return(lp *ross.LP, m *Return) {
	s.Hours += m.Hours
	ross.Send(lp, lp.ID(), 1, Return{lp.RNG().Unif()})
}

func (s *Meter) UndoReturn(_ *ross.LP, m *Return) { s.Hours -= m.Hours } // wrong

func Example_floatSum() {
	cfg := ross.DefaultConfig()
	cfg.LPs, cfg.End, cfg.Synch = 1, 100, ross.RollbackCheck
	err := try(cfg, ross.Type[Meter]{
		Name: "meter", Init: (*Meter).Init,
		Event: ross.On((*Meter).Return).Reverse((*Meter).UndoReturn),
	})
	fmt.Println(err)
	// Output: ross: LP 0 (meter) at time 4: Reverse of the event that LP 0 sent at time 3 left Meter.Hours at 1.7471259861581172, it was 1.747125986158117 before: bad rollback: undo in Reverse all that Event did to the state and the message; likely cause: rounding, since x+d-d need not be x: keep the old value, or use ross.Save or SaveByDelta
}

// Hire is a station with statistics.
type Hire struct {
	Bikes int64

	Stock  stats.Level   `ross:"bikes in stock"`
	Lost   stats.Counter `ross:"customers lost"`
	Riding stats.Tally   `ross:"riding time,h"`
}

// Hired is the message of a bike that comes back, with the time at which it was taken.
type Hired struct{ Since float64 }

func (h *Hire) Init(lp *ross.LP) {
	h.Bikes = 2
	h.Stock.Set(lp, 2)
	nextCustomer(lp)
}

func (h *Hire) Customer(lp *ross.LP, _ *Customer) {
	nextCustomer(lp)
	if h.Bikes == 0 {
		h.Lost.Inc(lp)
		return
	}
	*ross.Write(lp, &h.Bikes)--
	h.Stock.Add(lp, -1)
	to := ross.LPID(lp.RNG().Integer(0, stations-1))
	ross.Send(lp, to, 0.5+lp.RNG().Exponential(1.5), Hired{Since: lp.Now()})
}

func (h *Hire) Back(lp *ross.LP, m *Hired) {
	*ross.Write(lp, &h.Bikes)++
	h.Stock.Add(lp, 1)
	h.Riding.Add(lp, lp.Now()-m.Since)
}

var hire = ross.Type[Hire]{
	Name:   "hire",
	Saving: ross.SaveByLog,
	Init:   (*Hire).Init,
	Event:  ross.Events(ross.On((*Hire).Customer), ross.On((*Hire).Back)),
}

func Example_statistics() {
	cfg := ross.DefaultConfig()
	cfg.LPs, cfg.End, cfg.WarmUp = stations, 1000, 50
	cfg.Synch, cfg.PEs = ross.Optimistic, 2
	sim, err := simulate(cfg, hire)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sim.Close()
	table, err := stats.Collect(sim)
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = table.WriteText(os.Stdout)
	// Output:
	// Statistics from time 50 to 1000
	// group  statistic       unit  kind     lps  count      sum      mean  stddev       min      max   nonzero
	// hire   bikes in stock        level     16     16  15.8569  0.991058                 0       10  0.501207
	// hire   customers lost        counter   16   7577     7577   473.562
	// hire   riding time     h     tally     16   7562  15338.4   2.02835  1.5245  0.500082  13.8986
}

// Planner adds up the greatest of three numbers that it draws.
type Planner struct {
	Sum   int64
	Draws [3]int64 `ross:"-"` // scratch: each event fills it before it reads it
}

// Plan is the message of a planner.
type Plan struct{}

func (p *Planner) Init(lp *ross.LP) { ross.Send(lp, lp.ID(), 1, Plan{}) }

func (p *Planner) Plan(lp *ross.LP, _ *Plan) {
	for i := range p.Draws {
		p.Draws[i] = lp.RNG().Integer(0, 100)
	}
	*ross.Write(lp, &p.Sum) += max(p.Draws[0], p.Draws[1], p.Draws[2])
	ross.Send(lp, lp.ID(), 1, Plan{})
}

func Example_scratch() {
	cfg := ross.DefaultConfig()
	cfg.LPs, cfg.End, cfg.Synch = 4, 100, ross.RollbackCheck
	err := try(cfg, ross.Type[Planner]{
		Saving: ross.SaveByLog, Init: (*Planner).Init,
		Event: ross.On((*Planner).Plan),
	})
	fmt.Println(err)
	// Output: <nil>
}

var rides int64 // wrong: handlers of all LPs change it

// Counted is a Station that counts in a Go variable.
type Counted Station

func (c *Counted) Init(lp *ross.LP) { (*Station)(c).Init(lp) }

func (c *Counted) Customer(lp *ross.LP, m *Customer) {
	(*Station)(c).Customer(lp, m)
}

func (c *Counted) Bike(_ *ross.LP, _ *Bike) {
	c.Bikes++
	rides++
}

func Example_sharedVariable() {
	rides = 0
	cfg := ross.DefaultConfig()
	cfg.LPs, cfg.End = stations, 100
	err := try(cfg, ross.Type[Counted]{
		Init:  (*Counted).Init,
		Event: ross.Events(ross.On((*Counted).Customer), ross.On((*Counted).Bike)),
	})
	fmt.Println(rides, err)
	// Output: 786 <nil>
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
	require.Greater(t, testkit.RequireShown(t, string(text), sources.String()), 25, "parts of the programs in the chapter")
	printed := testkit.Blocks(string(text), "text")
	require.Greater(t, len(printed), 7)
	for _, block := range printed {
		require.True(t, strings.Contains(outputs.String(), block), "no program prints this:\n%s", block)
	}
}
