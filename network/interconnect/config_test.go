// Settings, sizes and names.

package interconnect

import (
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/network/topology"
)

// TestMessagesFitIntoEvents holds messages to the size that events have room for.
func TestMessagesFitIntoEvents(t *testing.T) {
	require.LessOrEqual(t, unsafe.Sizeof(arrival{}), uintptr(72))
	require.LessOrEqual(t, unsafe.Sizeof(delivery{}), uintptr(72))
}

// many is a routing with more channels than there may be.
type many struct{ topology.Routing }

func (many) Channels() int { return 256 }

func TestUnusableSettingsAreRefused(t *testing.T) {
	r := topology.NewMinimal(shapes()["dragonfly"])
	for want, change := range map[string]func(c *Config){
		"Routing is nil":                                   func(c *Config) { c.Routing = nil },
		"Adaptive needs a *topology.Valiant":               func(c *Config) { c.Adaptive = true },
		"256 virtual channels: must be 1 to 255":           func(c *Config) { c.Routing = many{r} },
		"Granularity(3): give Messages, Packets or Flits":  func(c *Config) { c.Granularity = 3 },
		"FlitBytes is 0":                                   func(c *Config) { c.FlitBytes = 0 },
		"PacketBytes is -1":                                func(c *Config) { c.PacketBytes = -1 },
		"Delay is NaN":                                     func(c *Config) { c.Delay = math.NaN() },
		"Output is -1":                                     func(c *Config) { c.Output = -1 },
		"Latency of global links is 0":                     func(c *Config) { c.Links[topology.Global].Latency = 0 },
		"Latency of terminal links is -1":                  func(c *Config) { c.Terminal.Latency = -1 },
		"Bandwidth of local links is +Inf":                 func(c *Config) { c.Links[0].Bandwidth = math.Inf(1) },
		"Bandwidth of terminal links is 1e-300":            func(c *Config) { c.Terminal.Bandwidth = 1e-300 },
		"Buffer of up links is 511: must be 512 bytes":     func(c *Config) { c.Links[topology.Up].Buffer = 511 },
		"Buffer of terminal links is 31: must be 32 bytes": func(c *Config) { c.Granularity, c.Terminal.Buffer = Flits, 31 },
	} {
		c := Defaults(r)
		change(&c)
		_, err := New(c)
		require.ErrorIs(t, err, ErrConfig)
		require.ErrorContains(t, err, want)
	}
	_, err := ParseGranularity("bits")
	require.ErrorContains(t, err, `granularity "bits": give messages, packets or flits`)
	for _, g := range allGranularities {
		got, err := ParseGranularity(g.String())
		require.NoError(t, err)
		require.Equal(t, g, got)
	}
}

// TestLookaheadIsThatOfTheLinksThereAre has networks in which some classes of links do not exist.
func TestLookaheadIsThatOfTheLinksThereAre(t *testing.T) {
	least := func(shape topology.Network, g Granularity) float64 {
		return network(t, uneven(topology.NewMinimal(shape), g)).Lookahead()
	}
	flit := func(bandwidth float64) float64 { return 32 / bandwidth }
	require.Equal(t, 11.0, least(shapes()["torus"], Packets))
	require.Equal(t, 17.0, least(shapes()["tree"], Flits))
	require.Equal(t, 130.0, least(must(topology.NewDragonfly(1, 3, 2)), Packets)) // a router is a group
	require.InEpsilon(t, 11+50+flit(10), least(shapes()["dragonfly"], Messages), 1e-12)
	require.InEpsilon(t, 19+50+flit(32), least(shapes()["tree"], Messages), 1e-12)
	require.Equal(t, 7.0, least(must(topology.NewTree(3, 1)), Packets)) // one router
}

func TestLPsAreRoutersAndThenTerminals(t *testing.T) {
	n := network(t, Defaults(topology.NewMinimal(shapes()["tree"])))
	require.Equal(t, 27, n.Terminals())
	require.Equal(t, ross.LPID(27+5), n.LP(5))
	require.Equal(t, 5, n.TerminalOf(27+5))
	require.Equal(t, 1, n.RouterOf(5))
	first, end := n.TerminalsOf(8)
	require.Equal(t, [2]int{24, 27}, [2]int{first, end})
	first, end = n.TerminalsOf(9) // of the next level
	require.Equal(t, first, end)
	require.Equal(t, "router 26", n.Label(26))
	require.Equal(t, "terminal 0", n.Label(27))
}
