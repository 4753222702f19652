// This file owns the examples: an emergency department, a machine that breaks, and a tank. docs/resources.md shows
// parts of them.

package resource_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/resource"
	"github.com/ross-go/ross/stats"
)

// Patient is a customer of an emergency department. Time is in hours.
type Patient struct {
	Class   int8    // 0 is urgent
	Doctor  float64 // how long the treatment takes
	Arrived float64
}

// Emergency is the state of an LP.
type Emergency struct {
	Nurses  resource.Servers[Patient] `ross:"nurses,h"`
	Doctors resource.Servers[Patient] `ross:"doctors,h"`
	Urgent  stats.Tally               `ross:"door to doctor of urgent,h"`
}

// The messages of an emergency department.
type (
	Door    struct{} // a patient comes
	Nursed  struct{ Ticket resource.Ticket }
	Treated struct{ Ticket resource.Ticket }
	Leaves  struct{ Ticket resource.Ticket } // has waited for too long
)

func (e *Emergency) Init(lp *ross.LP) {
	e.Nurses.Open(lp, resource.Rules{Servers: 2})
	e.Doctors.Open(lp, resource.Rules{Servers: 3, Order: resource.ByPriority, Room: 20})
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(1./8), Door{})
}

func (e *Emergency) Door(lp *ross.LP, _ *Door) {
	r := lp.RNG()
	ross.Send(lp, lp.ID(), r.Exponential(1./8), Door{})
	p := Patient{Class: int8(r.Integer(0, 2)), Doctor: r.Exponential(1. / 3), Arrived: lp.Now()}
	if t, outcome := e.Nurses.Request(lp, p); outcome == resource.Starts {
		e.nurse(lp, t)
	}
}

// nurse begins what a nurse does.
func (e *Emergency) nurse(lp *ross.LP, t resource.Ticket) {
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(0.2), Nursed{t})
}

func (e *Emergency) Nursed(lp *ross.LP, m *Nursed) {
	patient, next := e.Nurses.Release(lp, m.Ticket)
	if next != 0 {
		e.nurse(lp, next)
	}
	t, outcome := e.Doctors.RequestPriority(lp, patient, float64(patient.Class))
	if outcome == resource.Starts {
		e.treat(lp, t)
	}
	resource.Patience(lp, &e.Doctors, t, lp.RNG().Exponential(4), Leaves{t})
}

// treat begins a treatment.
func (e *Emergency) treat(lp *ross.LP, t resource.Ticket) {
	patient := e.Doctors.Get(lp, t)
	if patient.Class == 0 {
		e.Urgent.Add(lp, lp.Now()-patient.Arrived)
	}
	ross.Send(lp, lp.ID(), patient.Doctor, Treated{t})
}

func (e *Emergency) Treated(lp *ross.LP, m *Treated) {
	if _, next := e.Doctors.Release(lp, m.Ticket); next != 0 {
		e.treat(lp, next)
	}
}

func (e *Emergency) Leaves(lp *ross.LP, m *Leaves) {
	e.Doctors.Renege(lp, m.Ticket)
}

var department = ross.Type[Emergency]{
	Name:   "emergency",
	Saving: ross.SaveByLog,
	Init:   (*Emergency).Init,
	Event: ross.Events(
		ross.On((*Emergency).Door), ross.On((*Emergency).Nursed), ross.On((*Emergency).Treated), ross.On((*Emergency).Leaves),
	),
}

// simulate runs a model of two LPs on each PE: on several PEs optimistically. The caller closes the
// simulation.
func simulate(pes int, end float64, model ross.LPType) (*ross.Simulation, error) {
	cfg := ross.DefaultConfig()
	cfg.PEs, cfg.NLP, cfg.End, cfg.WarmUp = pes, 2, end, end/10
	if pes > 1 {
		cfg.Synch = ross.Optimistic
	}
	sim, err := ross.New(cfg)
	if err != nil {
		return nil, err
	}
	if err = sim.Define(model); err == nil {
		err = sim.Run(context.Background())
	}
	return sim, err
}

// Four emergency departments. Patients see a nurse, then a doctor, the urgent ones first, and go home if
// that takes too long. Nothing has to be undone by hand, and the statistics are there.
func Example() {
	sim, err := simulate(2, 1000, department)
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	table, err := stats.Collect(sim)
	if err == nil {
		err = table.WriteText(os.Stdout)
	}
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// Statistics from time 100 to 1000
	// group      statistic                 unit       kind     lps  count      sum      mean    stddev          min      max   nonzero
	// emergency  nurses.InQueue            customers  level      4      4  11.1877   2.79693                      0       38  0.572407
	// emergency  nurses.InService          customers  level      4      4  6.40677   1.60169                      0        2  0.887754
	// emergency  nurses.Utilization        share      level      4      4  3.20338  0.800846                      0        1  0.887754
	// emergency  nurses.Wait               h          tally      4  29042  10068.6   0.34669  0.468736            0  3.60093
	// emergency  nurses.Stay               h          tally      4  29041  15833.6  0.545216  0.509371  1.90281e-05  4.12143
	// emergency  nurses.Refused            customers  counter    4      0        0         0
	// emergency  nurses.Reneged            customers  counter    4      0        0         0
	// emergency  nurses.Interrupted        customers  counter    4      0        0         0
	// emergency  doctors.InQueue           customers  level      4      4  9.30319    2.3258                      0       20  0.574814
	// emergency  doctors.InService         customers  level      4      4  10.0962   2.52405                      0        3  0.962045
	// emergency  doctors.Utilization       share      level      4      4   3.3654  0.841349                      0        1  0.962045
	// emergency  doctors.Wait              h          tally      4  26980  7140.29  0.264651  0.493043            0  6.75593
	// emergency  doctors.Stay              h          tally      4  26981  16223.5  0.601295  0.593529  6.24046e-06  6.93702
	// emergency  doctors.Refused           customers  counter    4      5        5      1.25
	// emergency  doctors.Reneged           customers  counter    4   2048     2048       512
	// emergency  doctors.Interrupted       customers  counter    4      0        0         0
	// emergency  door to doctor of urgent  h          tally      4   9442   6042.7   0.63998  0.514482  0.000180559  4.16871
}

// Machine makes parts, and breaks. Parts whose making is interrupted are finished after the repair.
type Machine struct {
	Parts resource.Servers[float64] // how long they take
	Made  int64
}

// The messages of a machine.
type (
	Part   struct{ Takes float64 }
	Made   struct{ Ticket resource.Ticket }
	Breaks struct{}
	Runs   struct{}
)

func (m *Machine) begin(lp *ross.LP, t resource.Ticket) {
	takes, interrupted := m.Parts.Left(lp, t)
	if !interrupted {
		takes = *m.Parts.Get(lp, t)
	}
	resource.Serve(lp, &m.Parts, t, takes, Made{t})
}

func (m *Machine) Part(lp *ross.LP, p *Part) {
	if t, outcome := m.Parts.Request(lp, p.Takes); outcome == resource.Starts {
		m.begin(lp, t)
	}
}

func (m *Machine) Finished(lp *ross.LP, p *Made) {
	fmt.Printf("a part at %g\n", lp.Now())
	if _, next := m.Parts.Release(lp, p.Ticket); next != 0 {
		m.begin(lp, next)
	}
}

func (m *Machine) Breaks(lp *ross.LP, _ *Breaks) {
	m.Parts.SetServers(lp, 0)
	for m.Parts.Evict(lp) != 0 {
	}
}

func (m *Machine) Repaired(lp *ross.LP, _ *Runs) {
	m.Parts.SetServers(lp, 1)
	for t := m.Parts.Next(lp); t != 0; t = m.Parts.Next(lp) {
		m.begin(lp, t)
	}
}

// A machine that breaks at 3 and runs again at 10. The first part, which takes 5, is ready at 12.
func ExampleServers_SetServers() {
	sim, err := simulate(1, 100, ross.Type[Machine]{
		Saving: ross.SaveByLog,
		Init: func(m *Machine, lp *ross.LP) {
			m.Parts.Open(lp, resource.Rules{Servers: 1})
			if lp.ID() == 0 {
				ross.Send(lp, 0, 0, Part{5})
				ross.Send(lp, 0, 1, Part{2})
				ross.Send(lp, 0, 3, Breaks{})
				ross.Send(lp, 0, 10, Runs{})
			}
		},
		Event: ross.Events(
			ross.On((*Machine).Part), ross.On((*Machine).Finished), ross.On((*Machine).Breaks), ross.On((*Machine).Repaired),
		),
	})
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	// Output:
	// a part at 12
	// a part at 14
}

// Station is a filling station with a tank. Cars are numbers.
type Station struct {
	Fuel resource.Level[int32]
}

// The messages of a filling station.
type (
	Car   struct{ Number, Litres int32 }
	Lorry struct{ Litres int32 }
)

func (s *Station) Car(lp *ross.LP, m *Car) {
	if _, outcome := s.Fuel.Get(lp, m.Number, float64(m.Litres)); outcome == resource.Waits {
		fmt.Printf("car %d waits\n", m.Number)
	}
	s.next(lp)
}

func (s *Station) Lorry(lp *ross.LP, m *Lorry) {
	s.Fuel.Put(lp, 0, float64(m.Litres))
	s.next(lp)
}

// next notifies those who can go on.
func (s *Station) next(lp *ross.LP) {
	for car, litres, ok := s.Fuel.Next(lp); ok; car, litres, ok = s.Fuel.Next(lp) {
		fmt.Printf("car %d has %g litres at %g\n", car, -litres, lp.Now())
	}
}

// Two cars want more than there is, until a lorry brings some.
func ExampleLevel() {
	sim, err := simulate(1, 100, ross.Type[Station]{
		Saving: ross.SaveByLog,
		Init: func(s *Station, lp *ross.LP) {
			s.Fuel.Open(lp, resource.LevelRules{Capacity: 1000, Amount: 60})
			if lp.ID() == 0 {
				ross.Send(lp, 0, 1, Car{1, 50})
				ross.Send(lp, 0, 2, Car{2, 40})
				ross.Send(lp, 0, 3, Car{3, 5})
				ross.Send(lp, 0, 9, Lorry{500})
			}
		},
		Event: ross.Events(ross.On((*Station).Car), ross.On((*Station).Lorry)),
	})
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	fmt.Println(ross.StateOf[Station](sim.LP(0)).Fuel.Now(), "litres are left")
	// Output:
	// car 2 waits
	// car 3 waits
	// car 2 has 40 litres at 9
	// car 3 has 5 litres at 9
	// 465 litres are left
}

// Buffer is a place for two parts between machines. Machines are LPs.
type Buffer struct {
	Parts resource.Store[int32, ross.LPID]
}

// The messages of a buffer.
type (
	Bring struct{ Part int32 }
	Fetch struct{}
)

func (b *Buffer) Bring(lp *ross.LP, m *Bring) {
	_, outcome, to, handed := b.Parts.Put(lp, lp.Sender(), m.Part)
	if handed {
		fmt.Printf("LP %d gets part %d at %g\n", to, m.Part, lp.Now())
	} else {
		fmt.Printf("part %d %v\n", m.Part, outcome)
	}
}

func (b *Buffer) Fetch(lp *ross.LP, _ *Fetch) {
	part, _, outcome, from, freed := b.Parts.Get(lp, lp.Sender())
	if outcome == resource.Starts {
		fmt.Printf("LP %d gets part %d at %g\n", lp.Sender(), part, lp.Now())
	}
	if freed {
		fmt.Printf("LP %d may go on\n", from)
	}
}

// Three parts are brought into a buffer for two, and four are fetched.
func ExampleStore() {
	sim, err := simulate(1, 100, ross.Type[Buffer]{
		Saving: ross.SaveByLog,
		Init: func(b *Buffer, lp *ross.LP) {
			b.Parts.Open(lp, resource.Limits{Capacity: 2})
			if lp.ID() == 1 {
				for i := range int32(3) {
					ross.Send(lp, 0, 1+float64(i), Bring{i})
				}
				for i := range 4 {
					ross.Send(lp, 0, 5+float64(i), Fetch{})
				}
				ross.Send(lp, 0, 10, Bring{3})
			}
		},
		Event: ross.Events(ross.On((*Buffer).Bring), ross.On((*Buffer).Fetch)),
	})
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	// Output:
	// part 0 starts
	// part 1 starts
	// part 2 waits
	// LP 1 gets part 0 at 5
	// LP 1 may go on
	// LP 1 gets part 1 at 6
	// LP 1 gets part 2 at 7
	// LP 1 gets part 3 at 10
}

// Quay is the state of a quay with cranes.
type Quay struct {
	Cranes resource.Pool[Vessel, [5]resource.Member] `ross:"cranes,h"`
}

// Vessel is a ship, with what is left to do when its number of cranes changed last.
type Vessel struct {
	Name  int32
	Left  float64 // hours of one crane
	Since float64
	Ends  ross.Timer
}

// The messages of a quay.
type (
	Arrives  struct{ Vessel }
	Unloaded struct{ Ticket resource.Ticket }
	Fails    struct{ Crane int32 }
	Fixed    struct{ Crane int32 }
)

func (q *Quay) Arrives(lp *ross.LP, m *Arrives) {
	need := resource.Need{Least: 2, Most: 3, Collects: true}
	if t, outcome := q.Cranes.Request(lp, m.Vessel, need); outcome == resource.Starts {
		q.unload(lp, t, 0)
	}
}

// unload has a ship go on with as many cranes as it has now, after it has had some.
func (q *Quay) unload(lp *ross.LP, t resource.Ticket, had int) {
	v, has := q.Cranes.Edit(lp, t), q.Cranes.Has(lp, t)
	if had > 0 {
		v.Left -= float64(had) * (lp.Now() - v.Since)
		v.Ends.Cancel(lp)
	}
	if v.Since = lp.Now(); has > 0 {
		v.Ends = ross.After(lp, v.Left/float64(has), Unloaded{t})
	}
	fmt.Printf("%.2f h: ship %d has %d cranes\n", lp.Now(), v.Name, has)
}

// next lets ships go on.
func (q *Quay) next(lp *ross.LP) {
	for g := q.Cranes.Next(lp); g.Ticket != 0; g = q.Cranes.Next(lp) {
		if g.Starts {
			q.unload(lp, g.Ticket, 0)
		} else {
			q.unload(lp, g.Ticket, q.Cranes.Has(lp, g.Ticket)-1)
		}
	}
}

func (q *Quay) Unloaded(lp *ross.LP, m *Unloaded) {
	fmt.Printf("%.2f h: ship %d sails\n", lp.Now(), q.Cranes.Release(lp, m.Ticket).Name)
	q.next(lp)
}

func (q *Quay) Fails(lp *ross.LP, m *Fails) {
	if t := q.Cranes.Break(lp, int(m.Crane)); t != 0 {
		q.unload(lp, t, q.Cranes.Has(lp, t)+1)
	}
	ross.Send(lp, lp.ID(), 3, Fixed{m.Crane})
	q.next(lp)
}

func (q *Quay) Fixed(lp *ross.LP, m *Fixed) {
	q.Cranes.Repair(lp, int(m.Crane))
	q.next(lp)
}

// Ships need 2 of 5 cranes, and take a third one as soon as it is free. Crane 0 breaks down.
func ExamplePool() {
	sim, err := simulate(1, 100, ross.Type[Quay]{
		Saving: ross.SaveByLog,
		Init: func(q *Quay, lp *ross.LP) {
			q.Cranes.Open(lp, resource.PoolRules{})
			if lp.ID() == 1 {
				for i, hours := range []float64{12, 9, 4} {
					ross.Send(lp, 0, 1+float64(i)/2, Arrives{Vessel{Name: int32(i), Left: hours}})
				}
				ross.Send(lp, 0, 2, Fails{0})
			}
		},
		Event: ross.Events(ross.On((*Quay).Arrives), ross.On((*Quay).Unloaded), ross.On((*Quay).Fails),
			ross.On((*Quay).Fixed)),
	})
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	// Output:
	// 1.00 h: ship 0 has 3 cranes
	// 1.50 h: ship 1 has 2 cranes
	// 2.00 h: ship 0 has 2 cranes
	// 6.00 h: ship 1 sails
	// 6.00 h: ship 2 has 3 cranes
	// 6.50 h: ship 0 sails
	// 7.33 h: ship 2 sails
}

// Harbour is the state of an LP with a ferry that takes 3 to 4 cars, and fewer when one has waited for half an hour.
// Time is in minutes.
type Harbour struct {
	Ferry resource.Servers[int32] `ross:"ferry,min"`
}

// The messages of a harbour.
type (
	Comes  struct{ Car int32 }
	Late   struct{ Ticket resource.Ticket }
	Landed struct{ Ticket resource.Ticket }
)

func (h *Harbour) Init(lp *ross.LP) {
	h.Ferry.Open(lp, resource.Rules{Servers: 1, Batch: 4, BatchMin: 3})
	for i, comes := range []float64{0, 5, 9, 20, 45} {
		ross.Send(lp, lp.ID(), comes, Comes{int32(i)})
	}
}

func (h *Harbour) Comes(lp *ross.LP, m *Comes) {
	t, _ := h.Ferry.Request(lp, m.Car)
	h.sail(lp, h.Ferry.Next(lp))
	resource.Patience(lp, &h.Ferry, t, 30, Late{t})
}

func (h *Harbour) Late(lp *ross.LP, m *Late) {
	h.sail(lp, h.Ferry.Overdue(lp, m.Ticket))
}

// sail begins a passage, if a ferry starts.
func (h *Harbour) sail(lp *ross.LP, t resource.Ticket) {
	for car := range h.Ferry.Batch(lp, t) {
		fmt.Printf("car %d is on board at %g\n", *h.Ferry.Get(lp, car), lp.Now())
	}
	if t != 0 {
		ross.Send(lp, lp.ID(), 25, Landed{t})
	}
}

func (h *Harbour) Landed(lp *ross.LP, m *Landed) {
	_, next := h.Ferry.Release(lp, m.Ticket)
	h.sail(lp, next)
}

func ExampleServers_Overdue() {
	sim, err := ross.Run(context.Background(), ross.Config{LPs: 1, End: 200}, ross.Type[Harbour]{Init: (*Harbour).Init,
		Event: ross.Events(ross.On((*Harbour).Comes), ross.On((*Harbour).Late), ross.On((*Harbour).Landed))})
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	// Output:
	// car 0 is on board at 9
	// car 1 is on board at 9
	// car 2 is on board at 9
	// car 3 is on board at 50
	// car 4 is on board at 50
}
