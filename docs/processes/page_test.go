package processes

import (
	"context"
	"fmt"
	"log"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/proc/proctest"
	"github.com/ross-go/ross/stats"
)

func Example_shop() {
	sim, err := ross.Run(context.Background(), ross.Config{End: 4 * 7 * 24 * 60}, shop) // four weeks
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	s := ross.StateOf[Shop](sim.LP(0))
	fmt.Printf("%d parts\n", s.Parts.Count())
	// Output: 33421 parts
}

func Example_line() {
	cfg := ross.Config{Synch: ross.Optimistic, PEs: 2, End: 1000}
	sim, err := ross.Run(context.Background(), cfg, line)
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	table, err := stats.Collect(sim)
	if err != nil {
		log.Fatal(err)
	}
	trip, _ := table.Row("Stop", "trip")
	fmt.Printf("%d trips of %.2f minutes\n", trip.Count, trip.Mean)
	// Output: 9945 trips of 10.56 minutes
}

func Example_quay() {
	sim, err := ross.Run(context.Background(), ross.Config{End: 24 * 365}, quay)
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	table, err := stats.Collect(sim)
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"berths.Wait", "cranes.OutOfOrder", "cranes.Member[0].Busy", "all stays"} {
		row, _ := table.Row("Quay", name)
		fmt.Printf("%s: %.2f %s\n", name, row.Mean, row.Unit)
	}
	// Output:
	// berths.Wait: 2.56 h
	// cranes.OutOfOrder: 0.43 members
	// cranes.Member[0].Busy: 0.45 share
	// all stays: 9.72 h
}

func TestQuay(t *testing.T) {
	quays := quay
	quays.LPs = 3
	proctest.Run(t, modeltest.Model{
		Config: ross.Config{End: 400},
		Types:  func() []ross.LPType { return []ross.LPType{quays} },
	})
}

func TestShop(t *testing.T) {
	shops := shop
	shops.LPs = 3
	proctest.Run(t, modeltest.Model{
		Config: ross.Config{End: 600},
		Types:  func() []ross.LPType { return []ross.LPType{shops} },
	})
}

func TestLine(t *testing.T) {
	proctest.Run(t, modeltest.Model{
		Config: ross.Config{End: 30},
		Types:  func() []ross.LPType { return []ross.LPType{line} },
	})
}

func TestPageShowsThePrograms(t *testing.T) {
	var all string
	for _, name := range []string{"shop.go", "line.go", "quay.go", "page_test.go", "zz_proc.go"} {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		all += "\n" + string(text)
	}
	page, err := os.ReadFile("../processes.md")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?ms)^```go\n(.*?)^```$").FindAllStringSubmatch(string(page), -1)
	require.Greater(t, len(blocks), 4)
	for _, b := range blocks {
		require.True(t, strings.Contains(all, "\n"+b[1]), "no program has this block:\n%s", b[1])
	}
}
