package places_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program/parts/places"
)

// desk sends parcels to the next desk.
type desk struct{ Sent uint32 }

type parcel struct{}

// Three desks in a ring pass parcels on. The map says where they are, and that their samples count the parcels.
func Example() {
	const desks = 3
	m := &places.Map{Title: "three desks", TimeUnit: "s", Arrange: places.Circle, Values: []places.Value{
		{Name: "parcels", Title: "Parcels", Field: "sent", Unit: "parcels", Counts: true, Per: places.Time}}}
	for id := range uint64(desks) {
		m.Nodes = append(m.Nodes, places.Node{LP: id, Name: fmt.Sprint("desk ", id+1), Kind: "desk"})
		m.Links = append(m.Links, places.Link{From: id, To: (id + 1) % desks})
	}

	dir, err := os.MkdirTemp("", "places")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	cfg := ross.DefaultConfig()
	cfg.End, cfg.Output = 100, io.Discard
	cfg.Instruments.Path = filepath.Join(dir, "run") // --stats-path
	cfg.Instruments.Model = ross.SampleByVirtualTime // --model-stats=3
	cfg.Instruments.VirtualInterval = 10             // --vt-interval=10
	sim, err := ross.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	err = sim.Define(ross.Type[desk]{
		LPs:  desks,
		Init: func(_ *desk, lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(5), parcel{}) },
		Event: ross.On(func(d *desk, lp *ross.LP, _ *parcel) {
			d.Sent++
			ross.Send(lp, (lp.ID()+1)%desks, lp.RNG().Exponential(5), parcel{})
		}),
		PointLayout: "sent:u32",
		Point:       func(d *desk, _ *ross.LP, buf []byte) { binary.LittleEndian.PutUint32(buf, d.Sent) },
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := places.Write(sim, m); err != nil {
		log.Fatal(err)
	}
	if err := sim.Run(context.Background()); err != nil {
		log.Fatal(err)
	}

	// Now `rossreader network run -o desks.html` draws it. Other programs can read the map as well.
	read, err := places.Read(filepath.Join(sim.StatsDir(), "ross-stats"+places.Suffix))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(read.Title, "have", len(read.Nodes), "nodes and", len(read.Links), "links")
	// Output: three desks have 3 nodes and 3 links
}
