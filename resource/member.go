// This file owns the members of a Pool: sets of them, groups, and how the free ones are chosen.

package resource

import (
	"iter"
	"math"
	"math/bits"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/stats"
)

// MaxMembers is the largest number of members of a Pool. Servers may be more.
const MaxMembers = 256

// Member is a member of a [Pool], such as a crane, a berth, a bed or a nurse. Its statistics say what this one did;
// reports and studies have them if they are named, such as --results=cranes.Member[3].Busy, and files have all.
type Member struct {
	is memberState

	Busy   stats.Level   `ross:",share,detail"`     // 1 while a customer has it and it is in order, otherwise 0
	Down   stats.Level   `ross:",share,detail"`     // 1 while it is out of order, otherwise 0
	Served stats.Counter `ross:",customers,detail"` // who got it
}

// memberState is what is saved of a member.
type memberState struct {
	since  float64          // when it was got, became free, or was repaired with a customer
	worked float64          // for how long customers have had it in order, until since
	with   container.Handle // the customer who has it, 0: nobody
	group  uint8
	down   bool
	away   bool
}

// Groups are groups of members by their numbers: group i is the bit 1<<i. 0 stands for all groups.
type Groups uint64

// maxGroups is the number of groups that Groups can name.
const maxGroups = 64

// GroupsOf returns the groups with these numbers, 0 to 63. Numbers beyond these name nothing.
func GroupsOf(numbers ...int) (g Groups) {
	for _, n := range numbers {
		g |= 1 << uint(n)
	}
	return g
}

// GroupsFrom returns the groups from the one with this number on: all berths that are long enough, if groups are
// ordered by length.
func GroupsFrom(number int) Groups { return ^Groups(0) << uint(max(number, 0)) }

// Has reports whether a group is among them.
func (g Groups) Has(number int) bool { return g == 0 || g>>uint(number)&1 == 1 }

// Choice says which of the free members a customer gets. In all of them, members of the groups that he prefers
// (Need.Prefer) come first.
type Choice uint8

// The choices.
const (
	FirstFree    Choice = iota // the one with the least number: the best fit, if the smallest members have the least
	LongestFree                // the one that has been free for the longest time
	LeastUsed                  // the one that customers have had for the least time in all
	MostFree                   // one of the group that has most free members, and of these the first
	RandomMember               // any, with equal probability: it draws from the LP's RNG
	ByRank                     // a rule of the model: the one with the least Rank for this customer, see Ranker
)

// Ranker is a type of customers that chooses members itself (ByRank): Rank is less for a better member, which has a
// number from 0; of equal ones, the first is taken. It depends on nothing but the customer and the number.
type Ranker interface{ Rank(member int) float64 }

// set is a set of members.
type set [MaxMembers / 64]uint64

func (s *set) add(i int)       { s[i>>6] |= 1 << (i & 63) }
func (s *set) remove(i int)    { s[i>>6] &^= 1 << (i & 63) }
func (s *set) has(i int) bool  { return s[i>>6]>>(i&63)&1 == 1 }
func (s *set) isEmpty() bool   { return *s == set{} }
func (s *set) join(other *set) { s.each(other, func(a, b uint64) uint64 { return a | b }) }

// each changes each word of a set by that of another one.
func (s *set) each(other *set, f func(a, b uint64) uint64) {
	for i, b := range other {
		s[i] = f(s[i], b)
	}
}

// and returns what is in both sets, without returns what is only in the first.
func (s set) and(other *set) set {
	s.each(other, func(a, b uint64) uint64 { return a & b })
	return s
}

func (s set) without(other *set) set {
	s.each(other, func(a, b uint64) uint64 { return a &^ b })
	return s
}

// count returns the number of members.
func (s *set) count() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// all returns the members in the order of their numbers.
func (s set) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, w := range s {
			for ; w != 0; w &= w - 1 {
				if !yield(i<<6 + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// member returns a member by its number.
func (p *Pool[C, M]) member(i int) *Member {
	return (*Member)(unsafe.Add(unsafe.Pointer(&p.Member), uintptr(i)*unsafe.Sizeof(Member{})))
}

// editMember saves the state of a member and returns the member.
func (p *Pool[C, M]) editMember(k *kernel.LP, i int) *Member {
	m := p.member(i)
	k.BeginChange(unsafe.Pointer(&m.is), unsafe.Sizeof(m.is)) // it lies in the state, as the numbers do
	return m
}

// of returns the members of groups.
func (p *Pool[C, M]) of(g Groups) (s set) {
	if g == 0 {
		for i := range s {
			if n := int(p.numbers.members) - i<<6; n >= 64 {
				s[i] = ^uint64(0)
			} else if n > 0 {
				s[i] = 1<<n - 1
			}
		}
		return s
	}
	for i := range int(p.numbers.members) {
		if g.Has(int(p.member(i).is.group)) {
			s.add(i)
		}
	}
	return s
}

// choose returns which of the members a customer gets first; there is one.
func (p *Pool[C, M]) choose(lp *ross.LP, h container.Handle, among set) int {
	v := p.visits.Get(lp, h)
	if v.prefer != 0 {
		of := p.of(v.prefer)
		if preferred := among.and(&of); !preferred.isEmpty() {
			among = preferred
		}
	}
	var free [maxGroups]int
	switch p.choice {
	case RandomMember:
		n := lp.RNG().Integer(0, int64(among.count())-1)
		for i := range among.all() {
			if n--; n < 0 {
				return i
			}
		}
	case ByRank:
		ranker, best, least := any(&v.customer).(Ranker), -1, math.Inf(1)
		for i := range among.all() {
			if rank := ranker.Rank(i); best < 0 || rank < least {
				best, least = i, rank
			}
		}
		return best
	case MostFree:
		for i := range among.all() {
			free[p.member(i).is.group]++
		}
	}
	best := -1
	for i := range among.all() {
		if best < 0 || p.better(&p.member(i).is, &p.member(best).is, &free) {
			best = i
		}
	}
	return best
}

// better reports whether a member is chosen before one with a smaller number.
func (p *Pool[C, M]) better(a, b *memberState, free *[maxGroups]int) bool {
	switch p.choice {
	case LongestFree:
		return a.since < b.since
	case LeastUsed:
		return a.worked < b.worked
	case MostFree:
		return free[a.group] > free[b.group]
	default:
		return false
	}
}
