// This file owns the examples of how a run ends and goes on from a checkpoint, of labels, of the model's log, of
// several messages and of timers.

package ross_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"math"
	"os"
	"path/filepath"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/rio"
)

// A model that has what it wants ends the run: here the first LP to win ten times. All
// schedulers end it at the same event.
func ExampleLP_Stop() {
	type player struct{ Wins int }
	type toss struct{}
	model := ross.Type[player]{
		Init: func(_ *player, lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), toss{}) },
		Event: ross.On(func(s *player, lp *ross.LP, _ *toss) {
			if lp.RNG().Unif() < 0.1 {
				s.Wins++
			}
			if s.Wins == 10 {
				lp.Stop()
			}
			ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), toss{})
		}),
	}
	for _, synch := range []ross.Scheduler{ross.Sequential, ross.Optimistic} {
		cfg := ross.DefaultConfig()
		cfg.Synch, cfg.NLP, cfg.End = synch, 4, 1e6
		err := play(cfg, func(sim *ross.Simulation) {
			by, at, _ := sim.Stopped()
			fmt.Printf("LP %d has won, at time %.3f, after %d tosses of all\n", by, at, sim.Summary().NetEvents())
		}, model)
		fmt.Println(err)
	}
	// Output:
	// LP 2 has won, at time 79.099, after 339 tosses of all
	// <nil>
	// LP 2 has won, at time 79.099, after 339 tosses of all
	// <nil>
}

// A conservative run ends exactly as well, if the model says so at least the lookahead before.
func ExampleLP_StopAfter() {
	type seller struct{ Left int }
	type buyer struct{}
	const lookahead = 0.25
	model := ross.Type[seller]{
		Init: func(s *seller, lp *ross.LP) {
			s.Left = 20
			ross.Send(lp, lp.ID(), lookahead+lp.RNG().Exponential(1), buyer{})
		},
		Event: ross.On(func(s *seller, lp *ross.LP, _ *buyer) {
			if s.Left--; s.Left == 0 {
				lp.StopAfter(1) // all shops close an hour after one has sold out
			}
			ross.Send(lp, lp.ID(), lookahead+lp.RNG().Exponential(1), buyer{})
		}),
	}
	for _, synch := range []ross.Scheduler{ross.Sequential, ross.Conservative, ross.Optimistic} {
		cfg := ross.DefaultConfig()
		cfg.Synch, cfg.LPs, cfg.End, cfg.ConsLookahead = synch, 8, 1e6, lookahead
		if synch != ross.Sequential {
			cfg.PEs = 2
		}
		err := play(cfg, func(sim *ross.Simulation) {
			by, at, _ := sim.Stopped()
			fmt.Printf("LP %d closes all shops at %.3f, after %d sales\n", by, at, sim.Summary().NetEvents())
		}, model)
		if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// LP 5 closes all shops at 18.547, after 121 sales
	// LP 5 closes all shops at 18.547, after 121 sales
	// LP 5 closes all shops at 18.547, after 121 sales
}

// Errors, the report and the log name an LP as the model does.
func ExampleType_label() {
	type router struct{}
	type packet struct{ Hops int }
	model := ross.Type[router]{
		Label: func(id ross.LPID) string { return fmt.Sprintf("router (%d,%d)", id/4, id%4) },
		Init:  func(_ *router, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, packet{}) },
		Event: ross.On(func(_ *router, lp *ross.LP, _ *packet) {
			ross.Send(lp, lp.ID()+4, 1, packet{}) // there is no fifth row
		}),
		Name: "router",
	}
	cfg := ross.DefaultConfig()
	cfg.NLP = 16
	fmt.Println(play(cfg, nil, model))
	// Output:
	// ross: LP 14 "router (3,2)" (router) at time 1: sent an event (ross_test.packet) to LP 18: no such LP: ids go from 0 to 15
}

// What models log arrives when events are committed, in their order: the log of an optimistic
// run is that of a sequential one.
func ExampleLP_Log() {
	type pump struct{ Pressure float64 }
	type stroke struct{}
	model := ross.Type[pump]{
		Label: func(id ross.LPID) string { return fmt.Sprintf("pump %c", 'A'+rune(id)) },
		Init:  func(_ *pump, lp *ross.LP) { ross.Send(lp, lp.ID(), 1+float64(lp.ID())/4, stroke{}) },
		Event: ross.On(func(s *pump, lp *ross.LP, _ *stroke) {
			s.Pressure += lp.RNG().Unif()
			lp.Log().Debug("stroke", "pressure", s.Pressure)
			if s.Pressure > 2 {
				lp.Log().Warn("valve opens", "pressure", math.Round(s.Pressure*100)/100)
				s.Pressure = 0
			}
			ross.Send(lp, lp.ID(), 1, stroke{})
		}),
	}
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.NLP, cfg.End = ross.Optimistic, 3, 10
	cfg.ModelLog = slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{Level: slog.LevelInfo})
	cfg.ModelLogOnly = func(id ross.LPID, label string) bool { return label != "pump B" }
	fmt.Println(play(cfg, nil, model))
	// Output:
	// level=WARN msg="valve opens" lp=2 label="pump C" at=3.5 pe=0 pressure=2.21
	// level=WARN msg="valve opens" lp=0 label="pump A" at=4 pe=0 pressure=2.45
	// level=WARN msg="valve opens" lp=2 label="pump C" at=7.5 pe=0 pressure=2.18
	// level=WARN msg="valve opens" lp=0 label="pump A" at=8 pe=0 pressure=2.5
	// <nil>
}

// This file shows an LP type that receives several messages, with undo data, and timers.

// port is the state of an end of a line: it forwards packets as long as it has credits.
type port struct {
	Credits, Forwarded, Dropped int32
	Highest                     int32 // number of the newest packet
}

type (
	packet struct{ Number int32 }
	credit struct{ Count int32 }
)

// forwarded is the undo data of Packet: what Reverse needs to know.
type forwarded struct {
	highest int32
	dropped bool
}

func (p *port) Init(lp *ross.LP) {
	p.Credits = 3
	for i := range int32(6) {
		ross.Send(lp, lp.ID(), float64(i+1), packet{i})
	}
}

// Packet handles a packet: it is forwarded or dropped, and a credit comes back later.
func (p *port) Packet(lp *ross.LP, undo *forwarded, m *packet) {
	undo.highest, undo.dropped = p.Highest, p.Credits == 0
	p.Highest = max(p.Highest, m.Number)
	if undo.dropped {
		p.Dropped++
		return
	}
	p.Credits--
	p.Forwarded++
	ross.Send(lp, lp.ID(), 3.5, credit{1})
}

// UndoPacket undoes Packet.
func (p *port) UndoPacket(lp *ross.LP, undo *forwarded, m *packet) {
	p.Highest = undo.highest
	if undo.dropped {
		p.Dropped--
		return
	}
	p.Credits++
	p.Forwarded--
}

func (p *port) Credit(lp *ross.LP, m *credit)     { p.Credits += m.Count }
func (p *port) UndoCredit(lp *ross.LP, m *credit) { p.Credits -= m.Count }

// A type with a handler for each message. The message says nothing but what was sent: what Reverse
// needs is in undo data.
func ExampleOn() {
	err := simulate(1, 100, ross.Type[port]{
		Init: (*port).Init,
		Event: ross.Events(
			ross.OnUndo((*port).Packet).Reverse((*port).UndoPacket),
			ross.On((*port).Credit).Reverse((*port).UndoCredit),
		),
		Final: func(p *port, lp *ross.LP) {
			fmt.Printf("%d forwarded, %d dropped, newest %d\n", p.Forwarded, p.Dropped, p.Highest)
		},
	})
	fmt.Println(err)
	// Output:
	// 5 forwarded, 1 dropped, newest 5
	// <nil>
}

// sender sends requests that may be lost, and repeats those that are not answered in time.
type sender struct {
	Timeout         ross.Timer
	Tries, Answered int
}

type (
	request struct{ From ross.LPID }
	answer  struct{}
	timeout struct{}
)

func (s *sender) send(lp *ross.LP) {
	s.Tries++
	ross.Send(lp, 1, 1, request{lp.ID()})
	s.Timeout = ross.After(lp, 4, timeout{})
}

func (s *sender) Init(lp *ross.LP) {
	if lp.ID() == 0 {
		s.send(lp)
	}
}

// Request is handled by LP 1, which answers only each third.
func (s *sender) Request(lp *ross.LP, m *request) {
	if s.Tries++; s.Tries%3 == 0 {
		ross.Send(lp, m.From, 1, answer{})
	}
}

func (s *sender) Answer(lp *ross.LP, _ *answer) {
	s.Timeout.Cancel(lp)
	s.Answered++
	fmt.Println("answered at time", lp.Now(), "after", s.Tries, "tries")
}

func (s *sender) Repeat(lp *ross.LP, _ *timeout) { s.send(lp) }

// A timeout that an answer cancels. The engine undoes it all, since no handler has a Reverse.
func ExampleAfter() {
	err := simulate(2, 100, ross.Type[sender]{
		Init:  (*sender).Init,
		Event: ross.Events(ross.On((*sender).Request), ross.On((*sender).Answer), ross.On((*sender).Repeat)),
	})
	fmt.Println(err)
	// Output:
	// answered at time 10 after 3 tries
	// <nil>
}

// gate is an LP that lets visitors in, one after the other, each coming a unit of time
// after the one before.
type gate struct{ Opened, Passed int64 }

type visitor struct{ _ int64 }

// open is its Init: it sends the first visitor.
func (s *gate) open(lp *ross.LP) {
	s.Opened++
	ross.Send(lp, lp.ID(), 0.5, visitor{})
}

func (s *gate) pass(lp *ross.LP, _ *visitor) {
	s.Passed++
	ross.Send(lp, lp.ID(), 1, visitor{})
}

func gates(lps int, end float64) (*ross.Simulation, error) {
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End, cfg.Checkpoints.AfterRun = lps, end, true
	sim, err := ross.New(cfg)
	if err != nil {
		return nil, err
	}
	return sim, sim.Define(ross.Type[gate]{Name: "gate", Init: (*gate).open, Event: ross.On((*gate).pass)})
}

// storeGates runs some gates and stores them. prepare is called before the run.
func storeGates(name string, lps int, end float64, prepare func(*ross.Simulation) error) error {
	sim, err := gates(lps, end)
	if err != nil {
		return err
	}
	defer sim.Close()
	if err := prepare(sim); err != nil {
		return err
	}
	if err := sim.Run(context.Background()); err != nil {
		return err
	}
	return sim.Store(name)
}

// loadGates goes on from a checkpoint and prints the state of the last gate.
func loadGates(name string, lps int, end float64, mode ross.LoadMode) error {
	sim, err := gates(lps, end)
	if err != nil {
		return err
	}
	defer sim.Close()
	if err := sim.Load(name, mode); err != nil {
		return err
	}
	if err := sim.Run(context.Background()); err != nil {
		return err
	}
	s := ross.StateOf[gate](sim.LP(ross.LPID(lps - 1)))
	fmt.Printf("from %g to %g: %d gates, the last was opened %d times and has let in %d\n", sim.Clock(), end,
		uint64(sim.TotalLPs()), s.Opened, s.Passed)
	return nil
}

func unprepared(*ross.Simulation) error { return nil }

// inFolder calls f with a name for a checkpoint in a folder of its own.
func inFolder(f func(name string) error) {
	dir, err := os.MkdirTemp("", "gates")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := f(filepath.Join(dir, "warm")); err != nil {
		fmt.Println(err)
	}
}

// With LoadInit a run goes on as if it had not been stopped: Init is not called. With
// LoadPreInit Init finds the state that was loaded, and changes it. Here it opens each gate
// once more, so that two visitors come in each unit of time.
func ExampleLoadMode_preInit() {
	inFolder(func(warm string) error {
		if err := storeGates(warm, 4, 10, unprepared); err != nil {
			return err
		}
		if err := loadGates(warm, 4, 20, ross.LoadInit); err != nil {
			return err
		}
		return loadGates(warm, 4, 20, ross.LoadPreInit)
	})
	// Output:
	// from 10 to 20: 4 gates, the last was opened 1 times and has let in 20
	// from 10 to 20: 4 gates, the last was opened 2 times and has let in 30
}

// With LoadPostInit the state is loaded over what Init has made of it, but what Init has sent
// stays sent: the visitors are twice as many, and Opened is what it was in the checkpoint.
func ExampleLoadMode_postInit() {
	inFolder(func(warm string) error {
		if err := storeGates(warm, 4, 10, unprepared); err != nil {
			return err
		}
		return loadGates(warm, 4, 20, ross.LoadPostInit)
	})
	// Output:
	// from 10 to 20: 4 gates, the last was opened 1 times and has let in 30
}

// Two simulations, of 4 and of 2 gates, are put together to one of 6. The LPs of the second have
// the ids 4 and 5 in it.
func ExampleAppending() {
	inFolder(func(all string) error {
		for _, lps := range []int{4, 2} {
			sim, err := gates(lps, 10)
			if err == nil {
				err = sim.Run(context.Background())
			}
			if err == nil {
				err = sim.Store(all, ross.Appending())
			}
			if err = errors.Join(err, sim.Close()); err != nil {
				return err
			}
		}
		return loadGates(all, 6, 20, ross.LoadInit)
	})
	// Output:
	// from 10 to 20: 6 gates, the last was opened 1 times and has let in 20
}

// The version of the model is in the checkpoint, for those who ask later where it came from.
func ExampleCheckpoints_version() {
	inFolder(func(name string) error {
		cfg := ross.DefaultConfig()
		cfg.NLP, cfg.End = 4, 10
		cfg.Checkpoints.AfterRun, cfg.Checkpoints.Version = true, "gates 1.2"
		sim, err := ross.Run(context.Background(), cfg, ross.Type[gate]{Init: (*gate).open, Event: ross.On((*gate).pass)})
		if err != nil {
			return err
		}
		defer sim.Close()
		if err := sim.Store(name); err != nil {
			return err
		}
		c, err := rio.Open(name)
		if err != nil {
			return err
		}
		defer c.Close()
		fmt.Printf("stored by %q at time %g\n", c.Info().Model, c.Info().Clock)
		return nil
	})
	// Output:
	// stored by "gates 1.2" at time 10
}

// ROSS has to know how many events beyond the end there may be. Here all of them are kept, whatever
// Config.AskEvents says: with room for one event, the checkpoint has that of each of the 4 gates.
func ExampleConfig_eventsBeyondTheEnd() {
	inFolder(func(name string) error {
		cfg := ross.DefaultConfig()
		cfg.NLP, cfg.End = 4, 10
		cfg.Checkpoints.AfterRun = true
		cfg.AskEvents(0, 1)
		sim, err := ross.New(cfg)
		if err != nil {
			return err
		}
		defer sim.Close()
		if err := sim.Define(ross.Type[gate]{Init: (*gate).open, Event: ross.On((*gate).pass)}); err != nil {
			return err
		}
		if err := sim.Run(context.Background()); err != nil {
			return err
		}
		if err := sim.Store(name); err != nil {
			return err
		}
		c, err := rio.Open(name)
		if err != nil {
			return err
		}
		defer c.Close()
		events := uint64(0)
		for _, part := range c.Entries() {
			events += part.Events
		}
		fmt.Println(events, "events")
		return nil
	})
	// Output:
	// 4 events
}

// shop is an LP whose state grows: it holds a slice, and says how that is stored.
type shop struct{ sold []uint32 }

type sale struct{ Price uint32 }

func (s *shop) open(lp *ross.LP) { ross.Send(lp, lp.ID(), 0.5, sale{Price: 1}) }

func (s *shop) sell(lp *ross.LP, m *sale) {
	s.sold = append(s.sold, m.Price)
	ross.Send(lp, lp.ID(), 1, sale{Price: m.Price + uint32(lp.RNG().Integer(1, 9))})
}

func (s *shop) unsell(*ross.LP, *sale) { s.sold = s.sold[:len(s.sold)-1] }

func (s *shop) size(*ross.LP) int { return 4 * len(s.sold) }

func (s *shop) store(_ *ross.LP, buf []byte) {
	for i, price := range s.sold {
		binary.LittleEndian.PutUint32(buf[4*i:], price)
	}
}

func (s *shop) load(_ *ross.LP, buf []byte) error {
	for ; len(buf) >= 4; buf = buf[4:] {
		s.sold = append(s.sold, binary.LittleEndian.Uint32(buf))
	}
	return nil
}

// shops runs 8 shops up to a time, from a checkpoint or from the beginning, and stores them
// if there is a name to do so.
func shops(end float64, pes int, from, to string) error {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.End, cfg.Digest = 3, pes, 8/pes, end, true
	cfg.Checkpoints.AfterRun = true
	sim, err := ross.New(cfg)
	if err != nil {
		return err
	}
	defer sim.Close()
	if err := sim.Define(ross.Type[shop]{
		Init: (*shop).open, Event: ross.On((*shop).sell).Reverse((*shop).unsell),
		SerializedSize: (*shop).size, Serialize: (*shop).store, Deserialize: (*shop).load,
	}); err != nil {
		return err
	}
	if from != "" {
		if err := sim.Load(from); err != nil {
			return err
		}
	}
	if err := sim.Run(context.Background()); err != nil {
		return err
	}
	s := sim.Summary()
	fmt.Printf("from %g to %g on %d PEs: %d events, LP 5 has sold %d, digest %x\n",
		sim.Clock(), end, pes, s.NetEvents(), len(ross.StateOf[shop](sim.LP(5)).sold), *s.Digest)
	if to != "" {
		return sim.Store(to)
	}
	return nil
}

// A run that is stored half-way and loaded on other PEs ends as one that was not.
func Example_checkpoint() {
	dir, err := os.MkdirTemp("", "shops")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	half := filepath.Join(dir, "half")
	for _, run := range []error{shops(20, 1, "", ""), shops(10, 2, "", half), shops(20, 4, half, "")} {
		if run != nil {
			log.Fatal(run)
		}
	}
	// Output:
	// from 0 to 20 on 1 PEs: 160 events, LP 5 has sold 20, digest c99403fb18a602f0
	// from 0 to 10 on 2 PEs: 80 events, LP 5 has sold 10, digest 4b4fd38bd8ce2bd5
	// from 10 to 20 on 4 PEs: 80 events, LP 5 has sold 20, digest c99403fb18a602f0
}
