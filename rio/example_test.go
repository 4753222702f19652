// This file shows how a checkpoint is stored, and how it is read.

package rio_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/ross-go/ross/rio"
	"github.com/ross-go/ross/rng"
)

func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	name := rio.Numbered(filepath.Join(dir, "run"), 1)

	// Two KPs, with an LP and an event each.
	stream := rng.StreamState{State: rng.State{C: [4]uint32{11, 22, 33, 44}}}
	var parts []*rio.Part
	for gid := range uint64(2) {
		lp := rio.LP{GID: gid, Now: 9.5, Streams: []rng.StreamState{stream}, State: []byte("idle")}
		e := rio.Event{Src: 0, Dst: gid, Send: 9.5, Recv: 10.5, Priority: 1, Own: []float64{0.25}, Msg: []byte("wake up")}
		p := &rio.Part{LPs: 1, Events: 1, Index: []rio.IndexEntry{{GID: gid, Size: uint64(len(lp.State))}}}
		p.Data = rio.AppendLP(p.Data, &lp)
		p.Data = rio.AppendEvent(p.Data, &e)
		parts = append(parts, p)
	}
	info := &rio.Info{Engine: "1.0", Clock: 10, End: 10, LPs: 2, Streams: 1, Types: []rio.Type{{Name: "sleeper"}}}
	if err := rio.Save(name, info, parts, []int{0, 0}, rio.Options{Files: 1}); err != nil {
		log.Fatal(err)
	}

	c, err := rio.Open(name)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	fmt.Println(c.Info().LPs, "LPs at", c.Info().Clock)
	for i := range c.Entries() {
		if err := show(c, i); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// 2 LPs at 10
	// LP 0 at 9.5: idle
	// event for 0 at 10.5, tie-breakers [0.25]: wake up
	// LP 1 at 9.5: idle
	// event for 1 at 10.5, tie-breakers [0.25]: wake up
}

// show prints the records of a partition.
func show(c *rio.Checkpoint, i int) error {
	contents, err := c.Read(i)
	if err != nil {
		return err
	}
	var lp rio.LP
	for ok := true; ok; {
		if ok, err = contents.NextLP(&lp); err != nil {
			return err
		}
		if ok {
			fmt.Printf("LP %d at %v: %s\n", lp.GID, lp.Now, lp.State)
		}
	}
	var e rio.Event
	for ok := true; ok; {
		if ok, err = contents.NextEvent(&e); err != nil {
			return err
		}
		if ok {
			fmt.Printf("event for %d at %v, tie-breakers %v: %s\n", e.Dst, e.Recv, contents.Lineage(), e.Msg)
		}
	}
	return nil
}
