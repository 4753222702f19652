package ross_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/ross-go/ross"
)

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
