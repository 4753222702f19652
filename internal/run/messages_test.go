// Messages of any size arrive as they were sent, through a
// queue full of others, and that several types of LPs live in one run.

package run_test

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/models/rosstest"
)

// received is the state of LPs that check what they get.
type received struct {
	events int
	broken int
	latest float64
}

// bytesOf returns the bytes of a message.
func bytesOf[M any](m *M) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(m)), unsafe.Sizeof(*m))
}

// pattern returns byte i of the message that arrives at an LP at a time: no two
// messages are alike, so that one in another's place is seen.
func pattern(lp ross.LPID, at float64, i int) byte {
	x := uint64(lp)*0x9e3779b97f4a7c15 + uint64(at*4096)*0xff51afd7ed558ccd + uint64(i)*0xc4ceb9fe1a85ec53
	return byte(x >> 37)
}

// exchange is a model of types with messages of many sizes: each event checks
// its message and sends two or none, by a message of the receiver's type.
type exchange struct {
	rnd   *rand.Rand
	total int
	sends []func(lp *ross.LP, dst ross.LPID, delay float64) // by type
	left  int                                               // events to send
}

// add registers a type with messages M.
func add[M any](x *exchange, name string) ross.LPType {
	x.sends = append(x.sends, func(lp *ross.LP, dst ross.LPID, delay float64) {
		fill := func(m *M) {
			for i := range bytesOf(m) {
				bytesOf(m)[i] = pattern(dst, lp.Now()+delay, i)
			}
		}
		if x.rnd.IntN(2) == 0 {
			fill(ross.NewEvent[M](lp, dst, delay))
			return
		}
		var m M
		fill(&m)
		ross.Send(lp, dst, delay, m)
	})
	return ross.Type[received, M]{
		Name: name,
		Init: func(_ *received, lp *ross.LP) { x.send(lp, 50) },
		Event: func(s *received, lp *ross.LP, _ *ross.Bits, m *M) {
			for i, b := range bytesOf(m) {
				if b != pattern(lp.ID(), lp.Now(), i) {
					s.broken++
					break
				}
			}
			if lp.Now() < s.latest {
				s.broken++
			}
			s.events++
			s.latest = lp.Now()
			clear(bytesOf(m)) // a handler may write to its message
			x.send(lp, x.rnd.IntN(3))
		},
	}
}

// send sends events to LPs at random. Times are multiples of 1/4096, so that
// receivers know them exactly and many tie.
func (x *exchange) send(lp *ross.LP, n int) {
	for range n {
		if x.left == 0 {
			return
		}
		x.left--
		dst := ross.LPID(x.rnd.IntN(x.total))
		x.sends[int(dst)%len(x.sends)](lp, dst, float64(x.rnd.IntN(20000))/4096)
	}
}

type (
	p0    struct{}
	p1    struct{ B [1]byte }
	p8    struct{ B [8]byte }
	p40   struct{ B [40]byte }
	p300  struct{ B [300]byte }
	p5000 struct{ B [5000]byte }
)

func TestMessagesOfAllSizesArriveIntact(t *testing.T) {
	for name, types := range map[string]func(x *exchange) []ross.LPType{
		"0, 8 and 300 bytes": func(x *exchange) []ross.LPType {
			return []ross.LPType{add[p0](x, "0"), add[p8](x, "8"), add[p300](x, "300")}
		},
		"1, 40 and 5000": func(x *exchange) []ross.LPType {
			return []ross.LPType{add[p1](x, "1"), add[p40](x, "40"), add[p5000](x, "5000")}
		},
		"three large": func(x *exchange) []ross.LPType {
			return []ross.LPType{add[p5000](x, "a"), add[p300](x, "b"), add[[257]byte](x, "c")}
		},
		"one type of 0":       func(x *exchange) []ross.LPType { return []ross.LPType{add[p0](x, "0")} },
		"one type of 1":       func(x *exchange) []ross.LPType { return []ross.LPType{add[p1](x, "1")} },
		"one type of 300":     func(x *exchange) []ross.LPType { return []ross.LPType{add[p300](x, "300")} },
		"one type of 5000":    func(x *exchange) []ross.LPType { return []ross.LPType{add[p5000](x, "5000")} },
		"same type, new name": func(x *exchange) []ross.LPType { return []ross.LPType{add[p40](x, "a"), add[p40](x, "b")} },
	} {
		t.Run(name, func(t *testing.T) {
			seed := testrand.Seed(t)
			x := &exchange{rnd: rand.New(rand.NewPCG(seed, 0)), total: 11, left: 2000}
			cfg := rosstest.Small()
			cfg.NLP = uint64(x.total)
			all := types(x)
			cfg.TypeMap = func(gid ross.LPID) int { return int(gid) % len(all) }
			out := rosstest.Run(t, cfg, all...)
			events, broken := 0, 0
			for gid := range ross.LPID(x.total) {
				s := ross.StateOf[received](out.LP(gid))
				events += s.events
				broken += s.broken
			}
			st := out.Stats()
			require.Zero(t, broken, "messages that were not what was sent")
			require.Equal(t, 2000-x.left, events+int(st.EventsPastEnd))
			require.Greater(t, events, 300)
			require.Zero(t, liveEvents(out.Simulation))
			require.NoError(t, checkPools(out.Simulation))
		})
	}
}

func TestTypesOfOneRunKeepTheirOwnMessages(t *testing.T) {
	x := &exchange{rnd: rand.New(rand.NewPCG(1, 2)), total: 9, left: 500}
	cfg := rosstest.Small()
	cfg.NLP = 9
	cfg.TypeMap = func(gid ross.LPID) int { return int(gid) % 3 }
	out := rosstest.Run(t, cfg, add[p0](x, "nothing"), add[p40](x, "some"), add[p5000](x, "much"))
	for gid := range ross.LPID(9) {
		require.Equal(t, []string{"nothing", "some", "much"}[gid%3], out.LP(gid).TypeName())
	}
	st := out.Stats()
	require.Equal(t, st.Sizes.Event+5000, st.Sizes.EventWithModel)
}

// What becomes of a message in an event that is never delivered is nobody's
// business, but there is a message to fill in.
func TestNewEventAfterTheEndGivesAMessageToFill(t *testing.T) {
	out := rosstest.Run(t, rosstest.Small(), rosstest.Once(func(lp *ross.LP) {
		m := ross.NewEvent[word](lp, 0, 1000)
		require.NotNil(t, m)
		require.Zero(t, *m)
		m.N = 1
	}))
	st := out.Stats()
	require.EqualValues(t, 1, st.EventsPastEnd)
}
