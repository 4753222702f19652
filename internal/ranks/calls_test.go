// This file pins the calls that ranks make together after a run, and gathering.

package ranks

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/ranks/world/worldtest"
)

// clusters calls f on each of n connected ranks, all at once, and closes them.
func clusters(t *testing.T, n int, f func(c *Cluster) error) []error {
	t.Helper()
	errs := make([]error, n)
	world := worldtest.New(n, 1, 0)
	var over sync.WaitGroup
	for rank := range n {
		over.Go(func() {
			c, err := Open(Start{World: world.Rank(rank), PEs: 1, ExitCode: func(error) int { return 1 }})
			if err == nil {
				err = f(c)
				err = errors.Join(err, c.Leave(), c.Close())
			}
			errs[rank] = err
		})
	}
	over.Wait()
	require.Equal(t, n, world.Closed)
	return errs
}

func TestGatherGivesAllWhatEachHas(t *testing.T) {
	for _, size := range []int{0, 10, 100_000} {
		for _, err := range clusters(t, 3, func(c *Cluster) error {
			for range 2 {
				lists, err := c.Gather(bytes.Repeat([]byte{byte(c.Rank)}, c.Rank*size))
				if err != nil {
					return err
				}
				for rank, list := range lists {
					if !bytes.Equal(list, bytes.Repeat([]byte{byte(rank)}, rank*size)) {
						return fmt.Errorf("rank %d has %d bytes of rank %d", c.Rank, len(list), rank)
					}
				}
			}
			return nil
		}) {
			require.NoError(t, err)
		}
	}
	alone, err := Open(Start{PEs: 1, ExitCode: func(error) int { return 1 }})
	require.NoError(t, err)
	require.NoError(t, alone.Call("news", nil))
	lists, err := alone.Gather([]byte("mine"))
	require.NoError(t, err)
	require.Equal(t, [][]byte{[]byte("mine")}, lists)
	require.NoError(t, alone.Leave())
}

// TestRanksThatDoDifferentThingsDoNotWaitForEachOther has rank 0 get news, and the others something else.
func TestRanksThatDoDifferentThingsDoNotWaitForEachOther(t *testing.T) {
	news := func(err error) func(c *Cluster) error {
		return func(c *Cluster) error { return c.Call("news", err) }
	}
	weather := func(err error) func(c *Cluster) error {
		return func(c *Cluster) error { return c.Call("weather", err) }
	}
	nothing := func(*Cluster) error { return nil }
	const order = " at the same time: let all ranks make the same calls in the same order"
	for name, c := range map[string]struct {
		do      []func(c *Cluster) error // by rank
		want    string
		printer int
		printed string // "": want
	}{
		"another call": {do: []func(c *Cluster) error{news(nil), weather(nil)},
			want: "ross: news: rank 1 calls weather" + order},
		"an error": {do: []func(c *Cluster) error{news(nil), news(errors.New("no news"))}, want: "no news",
			printer: 1},
		"nothing": {do: []func(c *Cluster) error{news(nil), nothing}, want: "ross: news: rank 1 calls Close" +
			order},
		"nothing on rank 0": {do: []func(c *Cluster) error{nothing, news(nil)}, want: "ross: Close: rank 1 calls news" +
			order, printer: 1},
		"four": {do: []func(c *Cluster) error{news(nil), weather(nil), news(nil), weather(nil)},
			want: "ross: news: ranks 1 and 3 call weather" + order},
		"four, of all kinds": {do: []func(c *Cluster) error{nothing, weather(nil), nothing, news(nil)},
			want: "ross: Close: rank 1 calls weather, and rank 3 calls news" + order, printer: 1},
		"another call, with an error": {
			do: []func(c *Cluster) error{news(nil), weather(errors.New("it rains"))}, want: "ross: news: rank 1 calls weather" +
				order,
			printed: "ross: news: rank 1 calls weather" + order + "; and rank 1: it rains",
		},
		"different calls, all with errors": {
			do: []func(c *Cluster) error{news(errors.New("no news")), weather(errors.New("it rains")),
				weather(errors.New("it rains"))}, want: "ross: news: ranks 1 and 2 call weather" + order,
			printed: "ross: news: ranks 1 and 2 call weather" + order + "; and no news; and rank 1: it rains",
		},
	} {
		t.Run(name, func(t *testing.T) {
			for rank, err := range clusters(t, len(c.do), func(cl *Cluster) error { return c.do[cl.Rank](cl) }) {
				require.Equal(t, rank == c.printer, ShouldPrint(err), "rank %d", rank)
				if rank == c.printer {
					require.EqualError(t, err, cmp.Or(c.printed, c.want))
				} else if err != nil { // it does not leave
					require.ErrorContains(t, err, c.want, "rank %d", rank)
				}
			}
		})
	}
}

// TestNothingIsExchangedWithARankThatIsGone has rank 1 die before the others begin a call.
func TestNothingIsExchangedWithARankThatIsGone(t *testing.T) {
	for name, call := range map[string]func(c *Cluster) error{
		"Call":    func(c *Cluster) error { return c.Call("news", nil) },
		"Agree":   func(c *Cluster) error { return c.Agree(nil) },
		"Compare": func(c *Cluster) error { return c.Compare(nil) },
		"Gather":  func(c *Cluster) error { _, err := c.Gather(nil); return err },
	} {
		t.Run(name, func(t *testing.T) {
			world := worldtest.New(3, 1, 0)
			errs := make([]error, 3)
			var over, open sync.WaitGroup
			open.Add(3)
			for rank := range 3 {
				over.Go(func() {
					c, err := Open(Start{World: world.Rank(rank), PEs: 1, ExitCode: func(error) int { return 1 }})
					assert.NoError(t, err)
					open.Done()
					if open.Wait(); rank == 1 {
						world.Kill(1)
						return
					}
					errs[rank] = call(c)
					if name == "Call" || name == "Gather" { // the others belong to a call that has begun
						assert.Error(t, call(c))
					}
					assert.NoError(t, c.Leave(), "it has been reported")
					assert.NoError(t, c.Close())
				})
			}
			over.Wait()
			for _, rank := range []int{0, 2} {
				require.ErrorContains(t, errs[rank], "rank 1 is gone")
				require.True(t, ShouldPrint(errs[rank]))
			}
		})
	}
}

func TestAllRanksKnowWhatEachHasToSay(t *testing.T) {
	type news struct {
		From  int
		Words []byte
		mine  string // stays
	}
	for _, err := range errorsOf(t, newRanks(3), func(w *rank) error {
		all, err := Gather(w, &news{w.Rank(), make([]byte, 10*w.Rank()), "mine"})
		if err != nil {
			return err
		}
		for i, n := range all {
			if n.From != i || len(n.Words) != 10*i || n.mine != "" {
				return fmt.Errorf("rank %d has %+v of rank %d", w.Rank(), n, i)
			}
		}
		return nil
	}) {
		require.NoError(t, err)
	}
}

func TestWhatCannotTravelIsAnError(t *testing.T) {
	for i, err := range errorsOf(t, newRanks(2), func(w *rank) error {
		_, err := Gather(w, &struct{ F func() }{})
		return err
	}) {
		require.ErrorContains(t, err, fmt.Sprintf("ross: rank %d: encode its value for the others: ", i))
	}
}

// What ranks agree on; here they are goroutines.

func ExampleAgree() {
	errs := make([]error, 3)
	onAll(newRanks(3), func(w *rank) {
		var err error
		if w.Rank() == 1 {
			err = errors.New("ross: lps.csv: no such file: give --input")
		}
		errs[w.Rank()] = Agree(w, err, 2)
	})
	for rank, err := range errs {
		var f *Failure
		errors.As(err, &f)
		fmt.Printf("rank %d, prints: %-5t, exits with %d: %v\n", rank, ShouldPrint(err), f.First.Code, err)
	}
	// Output:
	// rank 0, prints: false, exits with 2: ross: rank 1: lps.csv: no such file: give --input
	// rank 1, prints: true , exits with 2: ross: lps.csv: no such file: give --input
	// rank 2, prints: false, exits with 2: ross: rank 1: lps.csv: no such file: give --input
}

func ExampleCheck() {
	onAll(newRanks(4), func(w *rank) {
		description := Description{
			{Section: "option", Name: "--nlp", Value: "8"},
			{Section: "LP type 0", Name: "message size (bytes)", Value: "24"},
		}
		if w.Rank() >= 2 {
			description[0].Value = "16"
		}
		if err := Check(w, description); ShouldPrint(err) {
			fmt.Println(err)
		}
	})
	// Output:
	// ross: start: ranks 2 and 3 differ from rank 0: option --nlp: 16 there, 8 on rank 0: give all ranks the same
}
