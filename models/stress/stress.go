// The model: its parameters, the kinds of LPs, and what all kinds have in
// common: how many events an event sends, to which LPs, when, and of what size.

package main

import (
	"math"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/rng"
)

// params are the parameters of the model, by flag.
type params struct {
	lps        uint64 // of the run; until New 0 means the number that the configuration gives
	remote     float64
	zero       float64
	grid       float64
	population uint64
	burst      float64
	suspend    float64
	never      bool
	lookahead  float64
	stop       float64
	stopAfter  float64
	streams    uint64
}

func defaultParams() params {
	return params{
		lps: 64, remote: 0.3, zero: 0.15, grid: 0.3, population: 8,
		burst: 0.005, suspend: 0.0005, never: true, streams: 2,
	}
}

// model is a simulation's copy of the model.
type model struct {
	params
	far   float64 // delays of events far ahead are below this
	books []book  // by gid: what was committed
}

func newModel(p params, end float64) *model {
	return &model{params: p, far: 2 * min(end, farthest)}
}

// setSize sets the number of LPs, when it is known.
func (md *model) setSize(lps uint64) { md.lps, md.books = lps, make([]book, lps) }

const (
	farthest  = 100.0
	farShare  = 0.005 // of the events
	burstSize = 8
	maxHops   = 12 // events without delay after one another
	gridStep  = 0.25
	tiny      = 1e-300 // stands for no delay: no drawn delay has this value
)

// kind is a kind of LP: an index into types.
type kind int

const (
	byHand   kind = iota // undone by Reverse
	byLog                // by Save
	byDelta              // by deltas, and some of them suspend themselves
	aHeap                // by deltas, with memory that grows and shrinks
	aList                // by Reverse and Save, with memory
	aSleeper             // by Reverse, and suspends itself
	aNever               // cannot be undone
)

// kinds returns the kind of an LP, by its gid.
var kinds = [32]kind{
	byHand, byLog, byDelta, aHeap, aList, aSleeper, byHand, aNever,
	byHand, byLog, byDelta, aHeap, aList, byHand, byLog, byDelta,
	byHand, byLog, byDelta, aHeap, aList, byHand, byHand, byDelta,
	byHand, byLog, byDelta, aHeap, aList, byHand, byLog, byDelta,
}

func (md *model) kindOf(gid ross.LPID) kind {
	k := kinds[gid%ross.LPID(len(kinds))]
	if k == aNever && !md.never {
		return byHand
	}
	return k
}

// types are the types of LPs, in the order of the kinds.
func (md *model) types() []ross.LPType {
	return []ross.LPType{
		md.handType(), md.logType(), md.deltaType(), md.heapType(), md.listType(), md.sleeperType(), md.neverType(),
	}
}

// head is what every message begins with.
type head struct {
	Word uint32 // random; the handler adds the number of events that its LP had before
	Prio uint16 // in thousandths, and beat
	Hops uint16 // events without delay that led to this one
}

// beat marks an event that keeps its LP going: it sends the next one. The other
// events may die out.
const beat = 1 << 15

// Messages of 8, 40, 200 and 600 bytes: smaller than a cache line, larger, and
// larger than an event has room for.
type (
	small  struct{ head }
	medium struct {
		head
		Body [4]uint64
	}
	large struct {
		head
		Body [24]uint64
	}
	huge struct {
		head
		Body [74]uint64
	}
)

// core is what every state begins with.
type core struct {
	Handled uint64
	Hash    uint64 // of the words, in order
}

// factor is odd, so that it has an inverse modulo 2^64 (Knuth's of MMIX, from
// "The Art of Computer Programming", volume 2, 3.3.4).
const factor = 6364136223846793005

var inverse = invert(factor)

// invert returns x with n * x = 1 modulo 2^64, by Newton's iteration: each step
// doubles the number of correct bits, which is three at first.
func invert(n uint64) uint64 {
	x := n
	for range 5 {
		x *= 2 - n*x
	}
	return x
}

// take counts an event and writes to its message. It returns the word that the
// message had.
func (c *core) take(m *head) (word uint32) {
	word = m.Word
	c.Hash = c.Hash*factor + uint64(word)
	m.Word += uint32(c.Handled)
	c.Handled++
	return word
}

// giveBack undoes take, and returns the same.
func (c *core) giveBack(m *head) (word uint32) {
	c.Handled--
	m.Word -= uint32(c.Handled)
	c.Hash = (c.Hash - uint64(m.Word)) * inverse
	return m.Word
}

// start sends the first events of an LP.
func (md *model) start(lp *ross.LP) {
	md.sendBeat(lp)
	for range md.population - 1 {
		md.sendOne(lp, md.newWord(lp), head{Hops: maxHops}, -1)
	}
}

func (md *model) sendBeat(lp *ross.LP) {
	md.send(lp, lp.ID(), gridStep+md.timing(lp).Exponential(1), head{Word: md.newWord(lp), Prio: beat})
}

// act sends the events of an event. It returns their number, without the next
// beat.
func (md *model) act(lp *ross.LP, c *core, m head) int {
	if m.Prio&beat != 0 {
		md.sendBeat(lp)
	}
	if md.stop > 0 && lp.Now() >= md.stop && m.Word%64 == 0 {
		if md.stopAfter > 0 {
			lp.StopAfter(md.stopAfter)
		} else {
			lp.Stop()
		}
	}
	n, delay := 0, -1.0
	if float64(c.Handled) > lp.Now()*float64(md.population) {
		n = pick(lp, few[:])
	} else if n = pick(lp, many[:]); lp.RNG().Unif() < md.burst {
		n, delay = burstSize, md.lookahead+md.timing(lp).Unif()
	}
	for range n {
		md.sendOne(lp, md.newWord(lp)^uint32(c.Hash>>32), m, delay)
	}
	return n
}

// Fan-outs, all equally probable: of LPs that have had fewer events than
// --population per unit of time, and of those that have had more. So the number
// of events does not grow without limit, whatever the other choices.
var (
	many = [...]int{0, 1, 1, 1, 1, 2, 3, 4}
	few  = [...]int{0, 0, 0, 1, 1, 1, 1, 2}
)

func pick(lp *ross.LP, choices []int) int {
	return choices[lp.RNG().Integer(0, int64(len(choices))-1)]
}

func (md *model) newWord(lp *ross.LP) uint32 { return uint32(lp.RNG().Ulong(0, math.MaxUint32)) }

// timing returns the stream from which times are drawn: the second, if there are
// two.
func (md *model) timing(lp *ross.LP) *rng.Stream { return lp.Stream(int(md.streams) - 1) }

// sendOne sends an event. Its cause has head m; the delay is drawn if it is
// below 0.
func (md *model) sendOne(lp *ross.LP, word uint32, m head, delay float64) {
	dst := lp.ID()
	if lp.RNG().Unif() < md.remote {
		dst = ross.LPID(lp.RNG().Ulong(0, md.lps-1))
	}
	if delay < 0 {
		delay = md.delay(lp, dst, m.Hops)
	}
	next := head{Word: word, Prio: md.priority(lp)}
	if lp.Now()+delay == lp.Now() {
		next.Prio, next.Hops = max(next.Prio, m.Prio&^beat), m.Hops+1
	}
	md.send(lp, dst, delay, next)
}

// delay draws a delay, for an event after as many hops.
func (md *model) delay(lp *ross.LP, dst ross.LPID, hops uint16) float64 {
	r, now, least := md.timing(lp), lp.Now(), md.lookahead
	if dst == lp.ID() {
		least = 0
	}
	if least == 0 && hops < maxHops && r.Unif() < md.zero {
		return tiny * float64(r.Integer(0, 1))
	}
	d := least
	switch u := r.Unif(); {
	case u < farShare:
		d += md.far * r.Unif()
	case u < 0.5:
		d += r.Exponential(1)
	default:
		d += math.Abs(r.Normal01())
	}
	if r.Unif() < md.grid {
		d = math.Ceil((now+d)/gridStep)*gridStep - now
		if d < least || now+d == now {
			d += gridStep
		}
	}
	return d
}

// priority draws a priority, in thousandths: the usual one, multiples of 1/8,
// and any.
func (md *model) priority(lp *ross.LP) uint16 {
	switch r := lp.RNG(); r.Integer(0, 3) {
	case 0:
		return uint16(r.Integer(0, 8)) * 125
	case 1:
		return uint16(r.Integer(0, 1000))
	}
	return 1000
}

// send sends a message of the kind that the destination expects.
func (md *model) send(lp *ross.LP, dst ross.LPID, delay float64, h head) {
	prio := float64(h.Prio&^beat) / 1000
	switch md.kindOf(dst) {
	case byLog, aList:
		m := medium{head: h}
		fill(m.Body[:], h.Word)
		ross.SendPriority(lp, dst, delay, prio, m)
	case byDelta:
		m := large{head: h}
		fill(m.Body[:], h.Word)
		ross.SendPriority(lp, dst, delay, prio, m)
	case aHeap:
		md.sendHuge(lp, dst, delay, prio, h)
	default:
		if prio == ross.DefaultPriority {
			ross.Send(lp, dst, delay, small{h})
			return
		}
		ross.SendPriority(lp, dst, delay, prio, small{h})
	}
}

func (md *model) sendHuge(lp *ross.LP, dst ross.LPID, delay, prio float64, h head) {
	if prio == ross.DefaultPriority {
		m := ross.NewEvent[huge](lp, dst, delay)
		m.head = h
		fill(m.Body[:], h.Word)
		return
	}
	m := huge{head: h}
	fill(m.Body[:], h.Word)
	ross.SendPriority(lp, dst, delay, prio, m)
}

// fill fills a body with words derived from a word.
func fill(body []uint64, word uint32) {
	x := uint64(word)
	for i := range body {
		x = x*factor + 1
		body[i] = x
	}
}

// isFilled reports whether a body is as fill left it.
func isFilled(body []uint64, word uint32) bool {
	x := uint64(word)
	for _, b := range body {
		if x = x*factor + 1; b != x {
			return false
		}
	}
	return true
}
