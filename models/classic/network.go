// This file owns what the models of networks print at the end.

package classic

import (
	"fmt"
	"io"

	"github.com/ross-go/ross"
)

// Network is what came of the messages of a run.
type Network struct {
	Generated         int64 // packets
	Packets, Messages int64 // that have arrived
	Hops              int64 // of these packets
	Travel, Max       float64
}

// means returns the means of the packets that have arrived.
func (n *Network) means() (hops, travel float64) {
	if n.Packets == 0 {
		return 0, 0
	}
	return float64(n.Hops) / float64(n.Packets), n.Travel / float64(n.Packets)
}

// PrintNetwork prints it in the words of the original programs.
func PrintNetwork(w io.Writer, n Network) {
	hops, travel := n.means()
	fmt.Fprintf(w, "\n ****************** \n total packets finished:         %d and %d; \n", n.Packets, n.Packets)
	fmt.Fprintf(w, " total MPI messages finished:         %d; \n total generate:       %d; \n", n.Messages, n.Generated)
	fmt.Fprintf(w, " total hops:           %f; \n average travel time:  %f; \nMax latency is %f\n", hops, travel, n.Max)
}

// Ignored adds options of the original programs that have no effect.
func Ignored(g *ross.Group, names ...string) {
	for _, name := range names {
		g.Float64(new(float64), name, "without effect")
	}
	g.MayVary(names...)
}

// PrintDragonfly prints it in the words of the original dragonfly.
func PrintDragonfly(w io.Writer, n Network) {
	hops, travel := n.means()
	fmt.Fprintf(w, " ****************** \n total finish:         %d and %d; \n total generate:       %d; \n", n.Packets, n.Packets, n.Generated)
	fmt.Fprintf(w, " total hops:           %f; \n average travel time:  %f; \nMax latency is %f\n", hops, travel, n.Max)
}
