// The workloads of the equivalence tests: two models of some 160,000 events, one with times that are all different and one
// in which thousands of events tie. And messages of any size, which arrive as they were sent.

package run_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/racetest"
	"github.com/ross-go/ross/internal/rosstest"
	"github.com/ross-go/ross/internal/testrand"
)

// loadStart is the number of events of an LP at the start: each event is ten times as expensive under the race detector
// and AddressSanitizer.
var loadStart = racetest.Pick(16, 2)

// largestWorld is the number of ranks that one process has in tests. There, it has address space for the regions of few.
var largestWorld = racetest.Pick(512, 32)

const loadLPs = 1024

// loadMsg is a message with padding between its fields and after them.
type loadMsg struct {
	class uint8 // index into classes
	value uint64
	tail  uint16
}

// classes are the priorities in use: on the grid of the queue's keys and off it.
var classes = [...]float64{0, 0.25, 0.3, 0.30000001, 1}

const lastClass = len(classes) - 1

// chainProbability is that of another event without delay, by class.
var chainProbability = [len(classes)]float64{0.4, 0.4, 0.4, 0.4, 0.85}

// loadState counts, so that each message can differ from all others.
type loadState struct{ sent, handled uint64 }

// parcel is an event on its way out.
type parcel struct {
	dst   ross.LPID
	delay float64
	msg   loadMsg
}

// load is a model and what tests vary of it. Only change, tied and end may have
// an effect on the digest.
type load struct {
	tied     bool
	end      float64
	change   func(lp *ross.LP, n uint64, p *parcel) // alters the n-th parcel of an LP
	inPreRun int                                    // of loadStart, how many PreRun sends instead of Init
	dirt     byte                                   // in the padding of messages
	commit   func(s *loadState, lp *ross.LP, bits *ross.Bits, m *loadMsg)

	dirty int // messages that arrived with padding that held dirt
}

// spreadLoad has PHOLD's delays and no two equal times.
func spreadLoad() *load { return &load{end: 10} }

// tiedLoad has whole times, five priorities, and chains without delay, those of
// the last priority longer than ROSS allows.
func tiedLoad() *load { return &load{tied: true, end: 4} }

var loads = map[string]func() *load{"spread": spreadLoad, "tied": tiedLoad}

func (l *load) lpType() ross.LPType {
	return ross.Type[loadState]{
		Name: "load",
		Init: func(s *loadState, lp *ross.LP) {
			for range loadStart - l.inPreRun {
				l.start(s, lp)
			}
		},
		PreRun: func(s *loadState, lp *ross.LP) {
			for range l.inPreRun {
				l.start(s, lp)
			}
		},
		Event: ross.OnUndo(l.event).Reverse(func(s *loadState, _ *ross.LP, _ *ross.Bits, _ *loadMsg) {
			s.handled--
			s.sent--
		}).Commit(l.commit).Trace(func(_ *ross.LP, _ ross.TraceKind, m *loadMsg, buf []byte) bool {
			buf[0] = m.class
			return true
		}),
		TraceSize: 1,
	}
}

func (l *load) start(s *loadState, lp *ross.LP) {
	p := parcel{dst: lp.ID(), delay: 1, msg: loadMsg{class: uint8(lastClass)}}
	if l.tied {
		p.msg.class = uint8(lp.RNG().Integer(0, int64(lastClass)))
	} else {
		p.delay = lp.RNG().Exponential(1) + 0.1
	}
	l.send(s, lp, p)
}

func (l *load) event(s *loadState, lp *ross.LP, _ *ross.Bits, m *loadMsg) {
	s.handled++
	if l.dirt != 0 && padding(m)[0] == l.dirt {
		l.dirty++
	}
	p := parcel{dst: lp.ID(), msg: loadMsg{class: m.class}}
	if lp.RNG().Unif() <= 0.5 {
		p.dst = ross.LPID(lp.RNG().Integer(0, loadLPs-1))
	}
	switch {
	case !l.tied:
		p.delay = lp.RNG().Exponential(0.9) + 0.1
	case lp.RNG().Unif() <= chainProbability[m.class]: // no delay, and so no lower priority
		p.msg.class = uint8(lp.RNG().Integer(int64(m.class), int64(lastClass)))
	default:
		p.delay = 1
		p.msg.class = uint8(lp.RNG().Integer(0, int64(lastClass)))
	}
	l.send(s, lp, p)
}

// send gives a parcel its payload and sends it, those of default priority
// through NewEvent.
func (l *load) send(s *loadState, lp *ross.LP, p parcel) {
	s.sent++
	p.msg.value, p.msg.tail = uint64(lp.ID())<<32|s.sent, uint16(s.sent)
	if l.change != nil {
		l.change(lp, s.sent, &p)
	}
	if prio := classes[p.msg.class]; prio != ross.DefaultPriority {
		ross.SendPriority(lp, p.dst, p.delay, prio, p.msg)
		return
	}
	m := ross.NewEvent[loadMsg](lp, p.dst, p.delay)
	if l.dirt != 0 {
		for i := range padding(m) {
			padding(m)[i] = l.dirt
		}
	}
	m.class, m.value, m.tail = p.msg.class, p.msg.value, p.msg.tail
}

// padding returns the bytes of a message between its first two fields.
func padding(m *loadMsg) []byte {
	const from = unsafe.Offsetof(m.class) + unsafe.Sizeof(m.class)
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(m), from)), unsafe.Offsetof(m.value)-from)
}

// run runs a load and returns the digest of its committed events and their
// number. configure may be nil.
func (l *load) run(t testing.TB, configure func(*ross.Config)) (digest, events uint64) {
	t.Helper()
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End, cfg.Digest = loadLPs, l.end, true
	if configure != nil {
		configure(&cfg)
	}
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(l.lpType()))
	require.NoError(t, sim.Run(context.Background()))
	st := sim.Summary()
	require.NotNil(t, st.Digest)
	requireNoLeak(t, sim)
	return *st.Digest, st.NetEvents()
}

// requireNoLeak shows that every event, lineage node and channel of a finished
// run is accounted for.
func requireNoLeak(t testing.TB, ranks ...*ross.Simulation) {
	t.Helper()
	for _, s := range ranks {
		requireBalanced(t, s)
	}
	require.NoError(t, leaks(ranks...))
	for _, s := range ranks {
		for _, pe := range runOf(s).Locals {
			require.Zero(t, pe.Queue.Len(), "events were left")
		}
	}
}

// leaks says what the ranks of a run have not freed or received. Events stay in the queue if the run was stopped, or if
// they come after its end and a checkpoint could have them.
func leaks(ranks ...*ross.Simulation) (err error) {
	live, left, gave, nodes := int64(0), int64(0), int64(0), uint32(0)
	for _, s := range ranks {
		for _, pe := range runOf(s).Locals {
			forget(pe)
			live += int64(pe.Arena.Peak()) - int64(pe.Arena.Freed())
			left += int64(pe.Queue.Len())
			gave += pe.Channels.Gave
			nodes += pe.Arena.Lines.Live()
		}
		err = errors.Join(err, runOf(s).Space.Check())
	}
	if gave != 0 || live != left || left == 0 && nodes != 0 {
		err = errors.Join(err, fmt.Errorf("%d events lost on their way; %d events and %d lineage nodes leaked",
			gave, live-left, nodes))
	}
	return err
}

// digest is run without the number.
func (l *load) digest(t testing.TB, configure func(*ross.Config)) uint64 {
	t.Helper()
	d, _ := l.run(t, configure)
	return d
}

var plainRuns, plainNumber = map[string]uint64{}, map[string]uint64{}

// plainDigest returns the digest of a load as it comes.
func plainDigest(t testing.TB, name string) uint64 {
	t.Helper()
	if _, known := plainRuns[name]; !known {
		plainRuns[name], plainNumber[name] = loads[name]().run(t, nil)
	}
	return plainRuns[name]
}

// plainEvents returns how many events that is.
func plainEvents(t testing.TB, name string) uint64 {
	t.Helper()
	plainDigest(t, name)
	return plainNumber[name]
}

// permutation returns a random order of the LPs and prints its seed.
func permutation(t testing.TB) []int {
	seed := testrand.Seed(t)
	return rand.New(rand.NewPCG(seed, 0)).Perm(loadLPs)
}

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
	return ross.Type[received]{
		Name: name,
		Init: func(_ *received, lp *ross.LP) { x.send(lp, 50) },
		Event: ross.On(func(s *received, lp *ross.LP, m *M) {
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
		}),
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
			cfg.NLP = int(x.total)
			all := types(x)
			cfg.TypeMap = func(gid ross.LPID) int { return int(gid) % len(all) }
			out := rosstest.Run(t, cfg, all...)
			events, broken := 0, 0
			for gid := range ross.LPID(x.total) {
				s := ross.StateOf[received](out.LP(gid))
				events += s.events
				broken += s.broken
			}
			st := out.Summary()
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
	st := out.Summary()
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
	st := out.Summary()
	require.EqualValues(t, 1, st.EventsPastEnd)
}
