// This file owns the program that README.md shows: it is compiled and run here,
// and compared with the text there.

package ross_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
)

const lps = 64

type State struct{ Received int64 } // what an LP knows
type Msg struct{ Hops int32 }       // what an event carries

func (s *State) Init(lp *ross.LP) { ross.Send(lp, lp.ID(), delay(lp), Msg{}) }

func (s *State) Event(lp *ross.LP, bits *ross.Bits, m *Msg) {
	s.Received++
	dst := lp.ID()
	if lp.RNG().Unif() <= 0.25 { // one event in four goes elsewhere
		dst = ross.LPID(lp.RNG().Integer(0, lps-1))
	}
	ross.Send(lp, dst, delay(lp), Msg{Hops: m.Hops + 1})
}

func delay(lp *ross.LP) float64 { return lp.RNG().Exponential(0.9) + 0.1 }

func Example() {
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End = lps, 100
	sim, err := ross.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	if err := sim.Define(ross.Type[State, Msg]{Init: (*State).Init, Event: (*State).Event}); err != nil {
		log.Fatal(err)
	}
	if err := sim.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
	stats := sim.Stats()
	fmt.Println(stats.NetEvents(), "events, of which LP 0 got", ross.StateOf[State](sim.LP(0)).Received)
	// Output: 6310 events, of which LP 0 got 94
}

func TestReadmeShowsTheExample(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	source, err := os.ReadFile("example_readme_test.go")
	require.NoError(t, err)

	const from = "const lps"
	_, shown, _ := strings.Cut(string(readme), "\n"+from)
	shown, _, found := strings.Cut(shown, "\n}\n```")
	require.True(t, found, "README.md has no program from %q to its end", from)
	_, here, _ := strings.Cut(string(source), "\n"+from)
	here, _, _ = strings.Cut(here, "\n\t// Output:")
	require.Equal(t, strings.Replace(here, "func Example()", "func main()", 1), shown)
}
