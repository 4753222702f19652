// This file owns the examples of where LPs are, of seeds, of looking into a run at a place, of results, and of
// command lines; of parts of a large state that an event changes, and of scratch.

package ross_test

import (
	"context"
	"fmt"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/rng"
)

// play makes a simulation, runs it and closes it.
func play(cfg ross.Config, after func(*ross.Simulation), types ...ross.LPType) error {
	sim, err := ross.New(cfg)
	if err != nil {
		return err
	}
	defer sim.Close()
	if err := sim.Define(types...); err != nil {
		return err
	}
	if err := sim.Run(context.Background()); err != nil {
		return err
	}
	if after != nil {
		after(sim)
	}
	return nil
}

// A mapping of the model's own: 7 LPs, dealt out to any number of PEs. For gets the
// number of PEs of all ranks; Config.PEs is the number of one rank.
func ExampleConfig_mapping() {
	type state struct{ Received int }
	type msg struct{}
	model := ross.Type[state]{
		Init: func(_ *state, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, msg{}) },
		Event: ross.On(func(s *state, lp *ross.LP, _ *msg) {
			s.Received++
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 6)), 1, msg{})
		}),
	}
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NKP, cfg.End = 3, 3, 1, 100
	cfg.LPs = 7
	cfg.Mapping = mapping.For(func(s mapping.Shape) (mapping.Places, error) {
		return mapping.Places{PE: func(gid uint64) uint64 { return gid % s.PEs }}, nil
	})
	err := play(cfg, func(sim *ross.Simulation) {
		for id := range ross.LPID(sim.TotalLPs()) {
			p, _ := sim.Place(id) // known on all ranks, for the LPs of all ranks
			back, _ := sim.LPAt(p.PE, p.Local)
			fmt.Printf("LP %d is on PE %d, with local id %d; there is LP %d\n", id, p.PE, p.Local, back)
		}
	}, model)
	fmt.Println(err)
	// Output:
	// LP 0 is on PE 0, with local id 0; there is LP 0
	// LP 1 is on PE 1, with local id 0; there is LP 1
	// LP 2 is on PE 2, with local id 0; there is LP 2
	// LP 3 is on PE 0, with local id 1; there is LP 3
	// LP 4 is on PE 1, with local id 1; there is LP 4
	// LP 5 is on PE 2, with local id 1; there is LP 5
	// LP 6 is on PE 0, with local id 2; there is LP 6
	// <nil>
}

// Replications of a model: the same seed, and another number for each. The numbers of a replication
// are the same in every run. Package experiment makes many and evaluates them.
func ExampleConfig_replication() {
	type none struct{}
	type msg struct{}
	model := ross.Type[none]{
		Init: func(_ *none, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, msg{}) },
		Event: ross.On(func(_ *none, lp *ross.LP, _ *msg) {
			fmt.Printf(" %.4f", lp.RNG().Unif())
		}),
	}
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End, cfg.Seed = 3, 10, 2026
	for _, replication := range []uint64{0, 1, 2, 1} {
		fmt.Printf("replication %d:", replication)
		cfg.Replication = replication
		if err := play(cfg, nil, model); err != nil {
			fmt.Println(err)
		}
		fmt.Println()
	}
	// Output:
	// replication 0: 0.7934 0.9580 0.1409
	// replication 1: 0.5657 0.3413 0.2210
	// replication 2: 0.8701 0.9746 0.7612
	// replication 1: 0.5657 0.3413 0.2210
}

// Config.Streams.CoreSeeds decide the order of simultaneous events alone: a result that changes with them
// depends on an order that the model leaves to chance.
func ExampleConfig_seeds() {
	type none struct{}
	type arrival struct{ From ross.LPID }
	model := ross.Type[none]{
		Init: func(_ *none, lp *ross.LP) {
			if lp.ID() != 0 {
				ross.Send(lp, 0, 1, arrival{From: lp.ID()})
			}
		},
		Event: ross.On(func(_ *none, lp *ross.LP, m *arrival) {
			if fmt.Print(" ", m.From); m.From == 1 {
				fmt.Printf(" (at which LP 0 draws %.4f)", lp.RNG().Unif())
			}
		}),
	}
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End = 6, 10
	for replication := range uint64(3) {
		fmt.Print("order of arrival:")
		if replication > 0 {
			cfg.Streams.CoreSeeds = rng.SeedsOf(replication).Uint64s()
		}
		if err := play(cfg, nil, model); err != nil {
			fmt.Println(err)
		}
		fmt.Println()
	}
	// Output:
	// order of arrival: 3 1 (at which LP 0 draws 0.9059) 5 4 2
	// order of arrival: 3 5 4 1 (at which LP 0 draws 0.9059) 2
	// order of arrival: 2 5 4 1 (at which LP 0 draws 0.9059) 3
}

// The signature of an event leads back to it: here a run notes down the event that it
// finds odd, and the next run stops for a look just before that one, between others of
// the same time.
func ExampleHookAtSignature() {
	type counter struct{ Ticks int }
	type tick struct{}
	var odd ross.Signature
	model := ross.Type[counter]{
		Init: func(_ *counter, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, tick{}) },
		Event: ross.On(func(s *counter, lp *ross.LP, _ *tick) {
			if s.Ticks++; lp.ID() == 3 && s.Ticks == 5 {
				odd = lp.Signature()
			}
			ross.Send(lp, lp.ID(), 1, tick{})
		}),
	}
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End = 5, 10
	fmt.Println(play(cfg, nil, model))
	fmt.Printf("event at time %g, priority %g, with %d tie-breaker\n", odd.Time, odd.Priority, len(odd.Ties))

	cfg.HookTrigger = ross.HookAtSignature(odd)
	cfg.GVTHook = func(pe *ross.PE, _ bool) {
		fmt.Print("ticks before it:")
		for i := range pe.NumLPs() {
			fmt.Print(" ", ross.StateOf[counter](pe.LP(i)).Ticks)
		}
		fmt.Println()
	}
	fmt.Println(play(cfg, nil, model))
	// Output:
	// <nil>
	// event at time 5, priority 1, with 1 tie-breaker
	// ticks before it: 4 5 5 4 4
	// <nil>
}

// This file owns the examples of results of all LPs, and of their number.

// A model of customers and tellers counts what happened at all LPs. Under mpirun each rank prints
// the same totals; a program writes them to Simulation.Report, so that they appear once.
func ExampleReduce() {
	type customer struct{ Visits int64 }
	type teller struct {
		Served int64
		Busy   float64
	}
	type visit struct{ Customer ross.LPID }
	const tellers = 3 // LPs 0 to 2

	atTeller := ross.Type[teller]{
		Name: "teller",
		Event: ross.On(func(s *teller, lp *ross.LP, m *visit) {
			service := 0.1 + lp.RNG().Exponential(0.4)
			s.Served++
			s.Busy += service
			ross.Send(lp, m.Customer, service, *m)
		}),
	}
	atHome := ross.Type[customer]{
		Name: "customer",
		Init: func(_ *customer, lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Unif(), visit{}) },
		Event: ross.On(func(s *customer, lp *ross.LP, _ *visit) {
			s.Visits++
			to := ross.LPID(lp.RNG().Integer(0, tellers-1))
			ross.Send(lp, to, 1, visit{Customer: lp.ID()})
		}),
	}

	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.End = ross.Optimistic, 2, 8, 100
	cfg.TypeMap = func(gid ross.LPID) int {
		if gid < tellers {
			return 0
		}
		return 1
	}
	sim, err := ross.New(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sim.Close()
	if err = sim.Define(atTeller, atHome); err == nil {
		err = sim.Run(context.Background())
	}
	if err != nil {
		fmt.Println(err)
		return
	}

	sum := func(a, b teller) teller { return teller{a.Served + b.Served, a.Busy + b.Busy} }
	total, err := ross.Reduce(sim, func(_ *ross.LP, s *teller) teller { return *s }, sum)
	fmt.Printf("%d visits, %.3f each (%v)\n", total.Served, total.Busy/float64(total.Served), err)

	visits, err := ross.Gather(sim, func(_ *ross.LP, s *customer) int64 { return s.Visits })
	fmt.Println(visits, err)
	// Output:
	// 857 visits, 0.513 each (<nil>)
	// [63 68 65 64 67 64 69 68 69 69 64 67 66] <nil>
}

// A model of 10 LPs runs on any number of PEs: the first ones have one LP more. The command line of
// the program has --lps for their number, and --nlp for a number on each PE.
func ExampleConfig_RegisterLPs() {
	type state struct{ Events int64 }
	type tick struct{}
	run := func(args ...string) error {
		cfg := ross.DefaultConfig()
		cfg.LPs, cfg.End, cfg.Synch = 10, 20, ross.Optimistic
		o := ross.NewOptions("ticker")
		cfg.RegisterLPs(o.Group("Ticker Model"))
		cfg.Register(o)
		if _, err := o.Parse(args); err != nil {
			return err
		}
		sim, err := ross.New(cfg)
		if err != nil {
			return err
		}
		defer sim.Close()
		err = sim.Define(ross.Type[state]{
			Init: func(_ *state, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, tick{}) },
			Event: ross.On(func(s *state, lp *ross.LP, _ *tick) {
				s.Events++
				ross.Send(lp, lp.ID(), 1, tick{})
			}),
		})
		if err != nil {
			return err
		}
		for pe := range ross.PEID(sim.NumPEs()) {
			fmt.Print(sim.PE(pe).NumLPs(), " ")
		}
		if err := sim.Run(context.Background()); err != nil {
			return err
		}
		add := func(a, b int64) int64 { return a + b }
		events, err := ross.Reduce(sim, func(_ *ross.LP, s *state) int64 { return s.Events }, add)
		fmt.Println("LPs,", events, "events")
		return err
	}
	for _, args := range [][]string{{"--pes=3"}, {"--pes=3", "--lps=7"}, {"--pes=2", "--nlp=4"}, {"--lps=7", "--nlp=4"}} {
		if err := run(args...); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// 4 3 3 LPs, 190 events
	// 3 2 2 LPs, 133 events
	// 4 4 LPs, 152 events
	// ross: options --nlp=4 and --lps=7: the first is the number of LPs on each PE, the second that on all PEs together; give one of them
}

// This file shows how a program reads its command line.

// A model registers its own options before the engine's.
func ExampleOptions_Parse() {
	cfg := ross.DefaultConfig()
	remote := 0.25

	opts := ross.NewOptions("phold")
	model := opts.Group("PHOLD Model")
	model.Float64(&remote, "remote", "desired remote event rate")
	model.Count(&cfg.NLP, "nlp", "number of LPs per processor")
	cfg.Register(opts)

	rest, err := opts.Parse([]string{"--nlp=64", "--remote=0.5", "--end=200", "--max-memory=64M", "--", "trace.csv"})
	fmt.Println(uint64(cfg.NLP), remote, cfg.End, cfg.MaxMemory, rest, err)

	_, err = opts.Parse([]string{"--nlps=64"})
	fmt.Println(err)
	// Output:
	// 64 0.5 200 67108864 [trace.csv] <nil>
	// ross: option --nlps=64: unknown; did you mean --nlp? see --help
}

// A program's main hands over os.Args[1:] and exits when Main says so.
func ExampleOptions_Main() {
	cfg := ross.DefaultConfig()
	opts := ross.NewOptions("phold")
	cfg.Register(opts)
	if code, ok := opts.Main([]string{"--synch=9"}, os.Stdout, os.Stdout); !ok {
		fmt.Println("exit status", code)
	}
	// Output:
	// phold: option --synch=9: out of range; give 0 to 6, or auto
	// exit status 2
}

// Write returns a part of the state to change, and saves it first. Undoing an event of this
// switch costs what a port costs, however many ports there are.
func ExampleWrite() {
	type port struct {
		Credits int
		Sent    [4]int
	}
	type node struct{ Ports [64]port }
	type packet struct{ Port, Class int }
	total := 0
	err := simulateOn(3, 2, 4, 20, ross.Type[node]{
		Name: "node", Saving: ross.SaveByLog,
		Init: func(_ *node, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, packet{}) },
		Event: ross.On(func(s *node, lp *ross.LP, m *packet) {
			out := ross.Write(lp, &s.Ports[m.Port])
			out.Credits--
			out.Sent[m.Class]++
			ross.Send(lp, (lp.ID()+1)%4, 0.5, packet{Port: (m.Port + 7) % 64, Class: (m.Class + 1) % 4})
		}),
		Final: func(s *node, _ *ross.LP) {
			for i := range s.Ports {
				total -= s.Ports[i].Credits
			}
		},
	})
	fmt.Println(err, total)
	// Output: <nil> 152
}

// A field with the tag `ross:"-"` is scratch: it is neither undone nor compared, digested or
// stored. So events must do the same whatever it holds.
func ExampleType_scratch() {
	// lookup is a state with a cache, which may hold anything: it is computed again when it lacks
	// something.
	type lookup struct {
		Asked int
		cache map[int]int `ross:"-"`
	}
	err := simulateOn(6, 1, 1, 10, ross.Type[lookup]{
		Name: "lookup",
		Init: func(s *lookup, lp *ross.LP) { ross.Send(lp, 0, 1, 7) },
		Event: ross.On(func(s *lookup, lp *ross.LP, n *int) {
			square, ok := s.cache[*n]
			if !ok {
				if s.cache == nil {
					s.cache = map[int]int{}
				}
				square = *n * *n
				s.cache[*n] = square
			}
			s.Asked++
			ross.Send(lp, 0, 1, square%10)
		}),
		Final: func(s *lookup, lp *ross.LP) { fmt.Println(s.Asked, "events") },
	})
	fmt.Println(err)
	// Output:
	// 9 events
	// <nil>
}
