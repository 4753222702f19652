// The random models of the tests of worlds: a seed decides about the types of LPs, how their events are
// undone, the sizes of messages and states, and what events do.

package run_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/rng"
	"github.com/ross-go/ross/stats"
)

// worldModel says what a model does. Its fields are exported so that a failure can be printed, and
// repeated without its seed.
type worldModel struct {
	LPs, Population uint64
	Kinds           []worldKind
	Streams         uint64
	End, Lookahead  float64
	Remote          float64 // probability that an event is for another LP
	Zero            float64 // that it has no delay
	Grid            float64 // that its time is a multiple of 1/4
	Priorities      float64 // that it has a priority other than 0
	Burst           float64 // that there are 5 at once
	Far             float64 // that its delay is 50 times longer
	Suspend         float64 // that an LP suspends itself, if its kind does that
	StopFrom        float64 // time from which an event in 64 stops the run; 0: none does
	StopLater       float64 // how much later it stops it
	FailFrom        float64 // time from which an event in 64 panics; 0: none does
	WarmUp          float64
	Declared        bool    // types declare the lookahead
	Sudden          bool    // the run may stop with less than the lookahead, as types say then
	CommitFails     float64 // time from which the commit of an event in 64 fails; 0: none does
	Below           float64 // time from which an event in 64 sends below the lookahead that types declare; 0: none does
	Logs            bool
}

// worldKind is a type of LPs.
type worldKind struct {
	Undo                                  worldUndo
	Message, State                        int // sizes: indices of the instances below
	Sleeps, Timers, Blocks, Stats, Sample bool
	Things, Alarms, Records               bool
	Shops                                 bool // with the first size of states
}

// worldUndo is how events of a kind are undone.
type worldUndo string

const (
	byBits    worldUndo = "bits"    // Reverse, bits, and the message
	byUndo    worldUndo = "undo"    // On, with undo data
	byMixture worldUndo = "mixture" // Reverse for some fields, Save for others
	byLog     worldUndo = "log"     // Save
	byDelta   worldUndo = "delta"
	byNever   worldUndo = "never"
)

// contained reports whether the engine can undo an event of the kind that panics. Other types end the
// run even if the event comes too early.
func (k worldKind) contained() bool { return k.Undo == byLog || k.Undo == byDelta || k.Undo == byNever }

var worldUndos = []worldUndo{byBits, byUndo, byMixture, byLog, byDelta, byNever}

// randomModel returns the model of a seed.
func randomModel(seed uint64) worldModel {
	r := rand.New(rand.NewPCG(seed, 3))
	some := func(p, most float64) float64 { // most of the time 0
		if r.Float64() >= p {
			return 0
		}
		return most * r.Float64()
	}
	m := worldModel{
		LPs: 1 + r.Uint64N(1<<(1+r.IntN(6))), Population: 1 + r.Uint64N(5), Streams: 1,
		Remote: []float64{0, 0.1, 0.5, 1}[r.IntN(4)], Zero: some(0.5, 0.5), Grid: some(0.5, 1.2), Priorities: some(0.3, 1),
		Burst: some(0.4, 0.2), Far: some(0.4, 0.1), Suspend: some(0.2, 0.01),
	}
	if r.IntN(3) == 0 {
		m.Streams = 1 + r.Uint64N(3)
	}
	if r.IntN(3) > 0 {
		m.Lookahead = []float64{1e-9, 0.05, 0.25, 1}[r.IntN(4)]
	}
	m.End = math.Ceil(float64(600+r.IntN(900)) / float64(m.LPs*m.Population))
	if r.IntN(8) == 0 {
		m.StopFrom = m.End * r.Float64()
		m.StopLater = max(some(0.5, 2), m.Lookahead)
	}
	if r.IntN(12) == 0 {
		m.FailFrom = m.End * r.Float64()
	}
	for range 1 + r.IntN(4) {
		yes := func() bool { return r.IntN(2) == 0 }
		m.Kinds = append(m.Kinds, worldKind{
			Undo: worldUndos[r.IntN(len(worldUndos))], Message: r.IntN(worldSizes), State: r.IntN(worldSizes),
			Sleeps: yes(), Timers: yes(), Blocks: yes(), Stats: yes(), Sample: yes(),
		})
	}
	m.addThings(rand.New(rand.NewPCG(seed, 7)))
	m.addShops(rand.New(rand.NewPCG(seed, 9)))
	return m
}

// addThings adds to a model what is in worlds_test.go, and more promises, kept or not.
func (m *worldModel) addThings(r *rand.Rand) {
	for i := range m.Kinds {
		k := &m.Kinds[i]
		k.Things, k.Alarms, k.Records = r.IntN(2) == 0, r.IntN(3) == 0, r.IntN(2) == 0
	}
	if r.IntN(2) == 0 {
		m.WarmUp = m.End * r.Float64() * r.Float64()
		if r.IntN(2) == 0 {
			m.WarmUp = math.Ceil(m.WarmUp*4) / 4
		}
	}
	m.Logs = r.IntN(2) == 0
	m.Declared = m.Lookahead > 0 && r.IntN(2) == 0
	switch {
	case m.FailFrom == 0 && m.StopFrom == 0 && r.IntN(3) == 0:
		m.widen(r)
	case m.Declared && m.FailFrom == 0 && m.StopFrom == 0 && r.IntN(6) == 0:
		m.Below = m.End * r.Float64()
	case m.StopFrom > 0 && r.IntN(2) == 0:
		m.Sudden, m.StopLater = true, m.StopLater*float64(r.IntN(2))/2
	}
	if m.FailFrom == 0 && m.StopFrom == 0 && m.Below == 0 && r.IntN(12) == 0 {
		m.CommitFails = m.End * r.Float64()
	}
}

// widen makes the lookahead a large part of the run, so that conservative PEs commit events far beyond GVT, and has
// something happen in such a window: the warm-up ends, the run stops, or an event makes a mistake.
func (m *worldModel) widen(r *rand.Rand) {
	m.LPs, m.Population, m.Remote = 8+r.Uint64N(32), 2+r.Uint64N(7), 0.5
	m.Burst, m.Far, m.Zero, m.Suspend, m.WarmUp, m.Lookahead, m.End = 0, 0, 0, 0, 0, wide, 10
	m.Logs = false // it would show before anything else that events were in another order
	for i := range m.Kinds {
		m.Kinds[i].Stats, m.Kinds[i].Records = true, true
	}
	switch r.IntN(4) {
	case 0:
		m.WarmUp = 8 * r.Float64()
	case 1:
		m.StopFrom, m.StopLater = 6*r.Float64(), wide+r.Float64()*r.Float64()
	case 2:
		m.FailFrom = 8 * r.Float64()
		for i := range m.Kinds {
			m.Kinds[i].Undo = []worldUndo{byDelta, byLog}[r.IntN(2)]
		}
	case 3:
		m.Declared, m.Below = true, 8*r.Float64()
	}
}

// wide is the lookahead of models with large windows.
const wide = 2

// worldSizes is the number of sizes of messages and of states.
const worldSizes = 3

type (
	words2  [2]uint64
	words9  [9]uint64
	words80 [80]uint64
)

// note is a message.
type note[P any] struct {
	Tag      uint64
	Priority float64
	Was      float64 // a field of the state before the event, for byBits
	Body     P
}

// cell is the state of an LP.
type cell[T, R any] struct {
	Handled, Sum uint64
	Last         float64
	Shelf        ross.Block[uint64]
	Timer        ross.Timer
	Count        stats.Counter
	Delay        stats.Tally
	Busy         stats.Level `ross:",,every=0.5,q=0.5"`
	Shops        R           // a bazaar, or nothing
	Table        T
	Things       things
}

func words[T any](t *T) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(t)), unsafe.Sizeof(*t)/8)
}

const wordFactor = 6364136223846793005

// worldSender sends a message of the type that an LP of a kind receives.
type worldSender struct {
	send  func(lp *ross.LP, dst ross.LPID, delay, priority float64, tag uint64)
	after func(lp *ross.LP, delay, priority float64, tag uint64) ross.Timer
}

// instance is a model in a run.
type instance struct {
	worldModel
	senders []worldSender
	commits []uint64 // of each LP, a hash of its committed events
	strict  bool     // a send below the lookahead is a mistake of the model, also in a sequential run
}

func (m worldModel) kind(gid ross.LPID) int {
	return int(mixed(uint64(gid)+uint64(len(m.Kinds))) % uint64(len(m.Kinds)))
}

func mixed(x uint64) uint64 {
	x = (x ^ x>>31) * wordFactor
	return x ^ x>>29
}

func (m worldModel) instance() (*instance, []ross.LPType) {
	in := &instance{worldModel: m, commits: make([]uint64, m.LPs)}
	var types []ross.LPType
	for i, k := range m.Kinds {
		make := [worldSizes][worldSizes]func(*instance, int, worldKind) (ross.LPType, worldSender){
			{worldType[words2, words2, struct{}], worldType[words2, words9, struct{}], worldType[words2, words80, struct{}]},
			{worldType[words9, words2, struct{}], worldType[words9, words9, struct{}], worldType[words9, words80, struct{}]},
			{worldType[words80, words2, struct{}], worldType[words80, words9, struct{}], worldType[words80, words80, struct{}]},
		}[k.State][k.Message]
		if k.Shops {
			make = [worldSizes]func(*instance, int, worldKind) (ross.LPType, worldSender){
				worldType[words2, words2, bazaar], worldType[words2, words9, bazaar], worldType[words2, words80, bazaar],
			}[k.Message]
		}
		typ, sender := make(in, i, k)
		types, in.senders = append(types, typ), append(in.senders, sender)
	}
	return in, types
}

func newNote[P any](tag uint64, priority float64) note[P] {
	n := note[P]{Tag: tag, Priority: priority}
	for i, body := 0, words(&n.Body); i < len(body); i++ {
		body[i] = tag + uint64(i)
	}
	return n
}

var errTorn = errors.New("a message is not as it was sent")

// worldType returns a type of LPs with states and messages of the given sizes.
func worldType[T, P, R any](in *instance, index int, k worldKind) (ross.LPType, worldSender) {
	typ := ross.Type[cell[T, R]]{
		Name: fmt.Sprintf("kind %d, %s", index, k.Undo),
		Init: func(s *cell[T, R], lp *ross.LP) {
			if k.Blocks {
				s.Shelf = ross.Alloc[uint64](lp, int(lp.ID()%5))
			}
			if shops, ok := any(&s.Shops).(*bazaar); ok {
				shops.open(lp)
			}
			for i := range in.Population {
				in.send(lp, lp.RNG(), mixed(uint64(lp.ID())<<8+i), 0, true)
			}
		},
		NeverStops: !in.Sudden,
	}
	commit := func(s *cell[T, R], lp *ross.LP, m *note[P]) {
		if in.CommitFails > 0 && lp.Now() >= in.CommitFails && mixed(m.Tag)%64 == 3 {
			lp.Fail(errCommit)
		}
		in.commits[lp.ID()] = in.commits[lp.ID()]*wordFactor + m.Tag
		s.Count.Inc(lp)
		if k.Records {
			s.Things.Sizes.Add(lp, 1e-3)
		}
		if in.Logs && m.Tag%8 == 0 {
			lp.Log().Warn("commit", "tag", m.Tag)
		}
	}
	if in.Declared {
		typ.Lookahead = in.Lookahead
	}
	if k.Sample {
		typ.SampleSize = 8
		typ.Sample = func(s *cell[T, R], _ *ross.LP, buf []byte) { buf[0] = byte(s.Handled) }
	}
	common := func(s *cell[T, R], lp *ross.LP, m *note[P]) {
		for i, word := range words(&m.Body) {
			if word != m.Tag+uint64(i) {
				lp.Fail(errTorn)
			}
		}
		if k.Stats {
			s.Delay.Add(lp, lp.Now()-lp.SentAt())
			s.Busy.Set(lp, float64(m.Tag%4))
		}
		if k.Things {
			changeThings(&s.Things, lp, m.Tag)
		}
		if k.Alarms {
			setAlarms(&s.Things, lp, m.Tag, func(delay float64, tag uint64) ross.Timer {
				return in.senders[index].after(lp, delay, 1, tag)
			})
		}
		if k.Records {
			recordThings(&s.Things, lp, m.Tag)
		}
		if shops, ok := any(&s.Shops).(*bazaar); ok {
			visitor[P]{shops, lp}.visit(m.Tag)
		}
		if in.Logs {
			lp.Log().Info("event", "tag", m.Tag)
		}
		s.Things.Notes = append(s.Things.Notes[:0], m.Tag)
		if !k.isAlarm(m.Tag) {
			in.act(lp, k, m.Tag+s.Sum, m.Priority)
		}
	}
	table := func(s *cell[T, R], m *note[P]) *uint64 {
		all := words(&s.Table)
		return &all[m.Tag%uint64(len(all))]
	}
	later := func(s *cell[T, R], lp *ross.LP, m *note[P]) {
		if !k.Timers {
			return
		}
		if m.Tag%3 == 0 {
			s.Timer.Cancel(lp)
		}
		if m.Tag%4 == 0 && !s.Timer.Pending(lp) {
			s.Timer = in.senders[index].after(lp, 0.5+lp.RNG().Exponential(1), 0, m.Tag^1)
		}
	}
	shelf := func(s *cell[T, R], lp *ross.LP, m *note[P], save func(*uint64)) {
		if !k.Blocks {
			return
		}
		if m.Tag%8 == 0 {
			bigger := ross.Alloc[uint64](lp, int(m.Tag>>8%40))
			copy(bigger.Of(lp), s.Shelf.Of(lp))
			ross.Free(lp, s.Shelf)
			s.Shelf = bigger
		}
		if of := s.Shelf.Of(lp); len(of) > 0 {
			at := &of[m.Tag>>16%uint64(len(of))]
			save(at)
			*at += s.Sum
		}
	}
	switch k.Undo {
	case byBits:
		typ.Event = ross.OnUndo(func(s *cell[T, R], lp *ross.LP, bits *ross.Bits, m *note[P]) {
			s.Handled++
			s.Sum += m.Tag
			if m.Tag%2 == 0 {
				bits.Set(5)
				*table(s, m) ^= m.Tag
			}
			s.Last, m.Was = lp.Now(), s.Last
			common(s, lp, m)
		}).Reverse(func(s *cell[T, R], _ *ross.LP, bits *ross.Bits, m *note[P]) {
			s.Last, m.Was = m.Was, 0
			if bits.Get(5) {
				*table(s, m) ^= m.Tag
			}
			s.Sum -= m.Tag
			s.Handled--
		}).Commit(func(s *cell[T, R], lp *ross.LP, _ *ross.Bits, m *note[P]) { commit(s, lp, m) })
	case byUndo:
		type undo struct{ Word, Sum uint64 }
		typ.Event = ross.OnUndo(func(s *cell[T, R], lp *ross.LP, u *undo, m *note[P]) {
			*u = undo{*table(s, m), s.Sum}
			s.Handled++
			s.Sum = s.Sum*wordFactor + m.Tag
			*table(s, m) += s.Sum
			common(s, lp, m)
		}).Reverse(func(s *cell[T, R], _ *ross.LP, u *undo, m *note[P]) {
			s.Handled--
			*table(s, m), s.Sum = u.Word, u.Sum
		}).Commit(func(s *cell[T, R], lp *ross.LP, _ *undo, m *note[P]) { commit(s, lp, m) })
	case byMixture:
		typ.Event = ross.On(func(s *cell[T, R], lp *ross.LP, m *note[P]) {
			s.Handled++
			ross.Save(lp, &s.Sum)
			s.Sum = s.Sum*wordFactor + m.Tag
			*ross.Write(lp, table(s, m)) += s.Sum
			common(s, lp, m)
		}).Reverse(func(s *cell[T, R], _ *ross.LP, _ *note[P]) { s.Handled-- }).Commit(commit)
	case byLog:
		typ.Saving = ross.SaveByLog
		typ.Event = ross.On(func(s *cell[T, R], lp *ross.LP, m *note[P]) {
			ross.Save(lp, &s.Handled)
			ross.Save(lp, &s.Sum)
			ross.Save(lp, &s.Last)
			s.Handled, s.Sum, s.Last = s.Handled+1, s.Sum*wordFactor+m.Tag, lp.Now()
			*ross.Write(lp, table(s, m)) += s.Sum
			ross.Save(lp, &s.Timer)
			ross.Save(lp, &s.Shelf)
			later(s, lp, m)
			shelf(s, lp, m, func(at *uint64) { ross.Save(lp, at) })
			common(s, lp, m)
		}).Commit(commit)
	case byDelta, byNever:
		if typ.Saving = ross.SaveByDelta; k.Undo == byNever {
			typ.Saving = ross.SaveNever
		}
		typ.Event = ross.On(func(s *cell[T, R], lp *ross.LP, m *note[P]) {
			s.Handled, s.Sum, s.Last = s.Handled+1, s.Sum*wordFactor+m.Tag, lp.Now()
			*table(s, m) += s.Sum
			later(s, lp, m)
			shelf(s, lp, m, func(*uint64) {})
			common(s, lp, m)
		}).Commit(commit)
	}
	return typ, worldSender{
		send: func(lp *ross.LP, dst ross.LPID, delay, priority float64, tag uint64) {
			ross.SendPriority(lp, dst, delay, priority, newNote[P](tag, priority))
		},
		after: func(lp *ross.LP, delay, priority float64, tag uint64) ross.Timer {
			return ross.AfterPriority(lp, delay, priority, newNote[P](tag, priority))
		},
	}
}

// errBelow stands for ErrLookahead in a sequential run, which does not look for it.
var errBelow = errors.New("below the lookahead")

// errCommit is what Commit gives up with. Which of several events does so first depends on the run.
var errCommit = errors.New("an event is not committed, on purpose")

var errFailed = errors.New("a mistake that the model makes on purpose")

// act sends events, and does what does not change the state.
func (in *instance) act(lp *ross.LP, k worldKind, tag uint64, priority float64) {
	r := lp.Stream(int(tag % in.Streams))
	if in.FailFrom > 0 && k.contained() && lp.Now() >= in.FailFrom && mixed(tag)%64 == 0 {
		panic(errFailed)
	}
	if in.StopFrom > 0 && lp.Now() >= in.StopFrom && mixed(tag)%64 == 1 {
		if in.Sudden && in.StopLater == 0 {
			lp.Stop()
		} else {
			lp.StopAfter(in.StopLater)
		}
	}
	if in.Below > 0 && lp.Now() >= in.Below && mixed(tag)%64 == 2 && in.LPs > 1 {
		if in.strict {
			lp.Fail(errBelow)
			return
		}
		dst := (lp.ID() + 1) % ross.LPID(in.LPs)
		in.senders[in.kind(dst)].send(lp, dst, in.Lookahead/2, 0, tag)
	}
	if k.Sleeps && r.Unif() < in.Suspend {
		lp.Suspend(k.Undo == byBits || k.Undo == byUndo || k.Undo == byMixture, int(tag%7))
	}
	n := 1
	switch u := r.Unif(); {
	case u < in.Burst:
		n = 5
	case u > 1-4*in.Burst:
		n = 0
	}
	for i := range n {
		in.send(lp, r, mixed(tag)*wordFactor+uint64(i), priority, false)
	}
}

// send sends an event.
func (in *instance) send(lp *ross.LP, r *rng.Stream, tag uint64, priority float64, first bool) {
	dst := lp.ID()
	if r.Unif() < in.Remote {
		dst = ross.LPID(r.Integer(0, int64(in.LPs)-1))
	}
	least := 0.0
	if dst != lp.ID() {
		least = in.Lookahead
	}
	classes := []float64{0, 0.25, 0.3, 1}
	if r.Unif() < in.Zero && least == 0 && !first {
		// without delay, the priority is that of the cause, or lower in rank
		if r.Unif() < in.Priorities {
			priority = max(priority, classes[tag%4])
		}
		in.senders[in.kind(dst)].send(lp, dst, 0, priority, tag)
		return
	}
	delay := least + r.Exponential(1)
	if r.Unif() < in.Grid {
		delay = math.Ceil((lp.Now()+delay)*4)/4 - lp.Now()
	}
	if r.Unif() < in.Far {
		delay *= 50
	}
	priority = 0
	if r.Unif() < in.Priorities {
		priority = classes[tag%4]
	}
	in.senders[in.kind(dst)].send(lp, dst, max(delay, least), priority, tag)
}
