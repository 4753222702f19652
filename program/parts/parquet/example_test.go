// A study whose table is read back.

package parquet_test

import (
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	pq "github.com/parquet-go/parquet-go"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts/parquet"
	"github.com/ross-go/ross/program/parts/study"
)

// clock is a model of one LP, which sends itself an event at each whole time.
func clock() program.Program {
	type tick struct{}
	return program.Program{
		Name:   "clock",
		Parts:  []program.Part{study.Of(clock, parquet.Tables)},
		Config: ross.Config{LPs: 1, End: 10},
		Build: func(sim *ross.Simulation) error {
			return sim.Define(ross.Type[struct{}]{
				Init:  func(_ *struct{}, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, tick{}) },
				Event: ross.On(func(_ *struct{}, lp *ross.LP, _ *tick) { ross.Send(lp, lp.ID(), 1, tick{}) }),
			})
		},
		Results: func(sim *ross.Simulation) (map[string]float64, error) {
			net := sim.Summary().Counters
			return map[string]float64{"ticks": float64(net.NetEvents())}, nil
		},
	}
}

func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "ticks.parquet")
	clock().Main([]string{"--replications=2", "--vary=end=10,20", "--table=" + file}, io.Discard, os.Stdout)

	rows, err := pq.ReadFile[struct {
		End   float64 `parquet:"end"`
		Ticks float64 `parquet:"ticks mean"`
	}](file)
	fmt.Println(rows, err)
	// Output:
	// [{10 9} {20 19}] <nil>
}
