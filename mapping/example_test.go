// This file owns the runnable examples: the 7-LP custom mapping of the ROSS
// documentation, and a look at the two provided mappings.

package mapping_test

import (
	"fmt"

	"github.com/ross-go/ross/mapping"
)

// sevenLPs spreads exactly 7 LPs over npe PEs, like cards: no PE has two more
// than another. There is one KP per PE.
func sevenLPs(npe uint64) (*mapping.Map, error) {
	return mapping.NewCustom(npe, 7, 1, mapping.Places{
		PE:    func(gid uint64) uint64 { return gid % npe },
		Local: func(gid uint64) uint64 { return gid / npe },
		KP:    func(pe, local uint64) uint64 { return 0 },
	})
}

// A model of exactly 7 LPs runs on any number of PEs, evenly spread.
func Example() {
	for npe := uint64(1); npe <= 3; npe++ {
		m, err := sevenLPs(npe)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%d PEs, %v:", m.NumPEs(), m.Kind())
		for gid := range m.Total() {
			pe, local := m.Locate(gid)
			fmt.Printf("  %d:%d.%d", gid, pe, local)
		}
		fmt.Println()
	}
	// Output:
	// 1 PEs, model defined:  0:0.0  1:0.1  2:0.2  3:0.3  4:0.4  5:0.5  6:0.6
	// 2 PEs, model defined:  0:0.0  1:1.0  2:0.1  3:1.1  4:0.2  5:1.2  6:0.3
	// 3 PEs, model defined:  0:0.0  1:1.0  2:2.0  3:0.1  4:1.1  5:2.1  6:0.2
}

func ExampleNewLinear() {
	m, err := mapping.NewLinear(2, 5, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	printLPs(m)
	// Output:
	// PE 0: LPs 0 1 2 3 4, their KPs 0 0 0 1 1
	// PE 1: LPs 5 6 7 8 9, their KPs 0 0 0 1 1
}

// Seven LPs on three PEs: the first PE has one more.
func ExampleNewEven() {
	for _, kind := range []mapping.Kind{mapping.Linear, mapping.RoundRobin} {
		m, err := mapping.NewEven(kind, 3, 7, 2)
		if err != nil {
			fmt.Println(err)
			return
		}
		printLPs(m)
	}
	// Output:
	// PE 0: LPs 0 1 2, their KPs 0 0 1
	// PE 1: LPs 3 4, their KPs 0 1
	// PE 2: LPs 5 6, their KPs 0 1
	// PE 0: LPs 0 3 6, their KPs 0 1 0
	// PE 1: LPs 1 4, their KPs 0 1
	// PE 2: LPs 2 5, their KPs 0 1
}

func ExampleNewRoundRobin() {
	m, err := mapping.NewRoundRobin(2, 5, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	printLPs(m)
	// Output:
	// PE 0: LPs 0 2 4 6 8, their KPs 0 1 0 1 0
	// PE 1: LPs 1 3 5 7 9, their KPs 0 1 0 1 0
}

// A slip in a function of the model is an error that names the LP.
func ExampleNewCustom_error() {
	_, err := mapping.NewCustom(3, 7, 1, mapping.Places{
		PE: func(gid uint64) uint64 { return gid / 2 },
	})
	fmt.Println(err)
	// Output:
	// ross: custom mapping: LP 6: PE 3 does not exist: let Places.PE return 0 to 2
}

func printLPs(m *mapping.Map) {
	for pe := range m.NumPEs() {
		var gids, kps string
		for local := range m.NumLPs(pe) {
			gids += fmt.Sprint(" ", m.GID(pe, local))
			kps += fmt.Sprint(" ", m.KP(pe, local))
		}
		fmt.Printf("PE %d: LPs%s, their KPs%s\n", pe, gids, kps)
	}
}
