// This file owns the operations of the tests on containers without an order of their own, and on an IndexedHeap; and
// pins that operations allocate nothing on Go's heap, and that random elements are there, are all equally likely
// however many others have been deleted, and are the same in every scheduler.

package container_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	. "github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/num/hash64"
	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/testing/racetest"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testalloc"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
)

// keyedOperations are those of maps, sets, slabs, bitsets, and containers in containers.
var keyedOperations = []operation{
	{"Map.Put", func(s *stock, lp *ross.LP, a byte) uint64 {
		for i := range several(a) {
			s.Map.Put(lp, spotOf(a+byte(i)), uint32(a))
		}
		return uint64(s.Map.Len())
	}, func(b *book, a byte) uint64 {
		for i := range several(a) {
			*b.ensure(spotOf(a + byte(i))) = uint32(a)
		}
		return uint64(len(b.keys))
	}},
	{"Map.Ensure", func(s *stock, lp *ross.LP, a byte) uint64 {
		p := s.Map.Ensure(lp, spotOf(a))
		*p++
		return uint64(*p)
	}, func(b *book, a byte) uint64 {
		p := b.ensure(spotOf(a))
		*p++
		return uint64(*p)
	}},
	{"Map.Edit", func(s *stock, lp *ross.LP, a byte) uint64 {
		if p := s.Map.Edit(lp, spotOf(a)); p != nil {
			*p *= 3
		}
		v, ok := s.Map.Get(lp, spotOf(a))
		return result(uint64(v), ok && s.Map.Has(lp, spotOf(a)))
	}, func(b *book, a byte) uint64 {
		p, ok := b.vals[spotOf(a)]
		if !ok {
			return result(0, false)
		}
		*p *= 3
		return uint64(*p)
	}},
	{"Map.Delete", func(s *stock, lp *ross.LP, a byte) (sum uint64) {
		for i := range several(a) {
			sum = hash64.Word(sum, result(1, s.Map.Delete(lp, spotOf(a+byte(i)))))
		}
		if a == 9 {
			s.Map.Clear(lp)
		}
		return sum
	}, func(b *book, a byte) (sum uint64) {
		for i := range several(a) {
			at := slices.Index(b.keys, spotOf(a+byte(i)))
			if at >= 0 {
				delete(b.vals, b.keys[at])
				b.keys = slices.Delete(b.keys, at, at+1)
			}
			sum = hash64.Word(sum, result(1, at >= 0))
		}
		if a == 9 {
			b.keys, b.vals = nil, map[spot]*uint32{}
		}
		return sum
	}},
	{"Map.All", func(s *stock, lp *ross.LP, _ byte) (sum uint64) {
		for key, v := range s.Map.All(lp) {
			sum = hash64.Word(sum, uint64(key.X)<<32+uint64(v)+uint64(int64(key.Y)))
		}
		return sum
	}, func(b *book, _ byte) (sum uint64) {
		for _, key := range b.keys {
			sum = hash64.Word(sum, uint64(key.X)<<32+uint64(*b.vals[key])+uint64(int64(key.Y)))
		}
		return sum
	}},
	{"Set.Add", func(s *stock, lp *ross.LP, a byte) (sum uint64) {
		for i := range several(a) {
			sum = hash64.Word(sum, result(1, s.Set.Add(lp, uint16(a%64)+uint16(i))))
		}
		return sum + uint64(s.Set.Len())
	}, func(b *book, a byte) (sum uint64) {
		for i := range several(a) {
			key := uint16(a%64) + uint16(i)
			has := slices.Contains(b.set, key)
			if !has {
				b.set = append(b.set, key)
			}
			sum = hash64.Word(sum, result(1, !has))
		}
		return sum + uint64(len(b.set))
	}},
	{"Set.Delete", func(s *stock, lp *ross.LP, a byte) (sum uint64) {
		for key := range s.Set.All(lp) {
			if byte(key)%8 == a%8 {
				s.Set.Delete(lp, key)
			}
		}
		if a == 9 {
			s.Set.Clear(lp)
		}
		for key := range s.Set.All(lp) {
			sum = hash64.Word(sum, uint64(key))
		}
		return result(sum, s.Set.Has(lp, uint16(a)))
	}, func(b *book, a byte) (sum uint64) {
		b.set = slices.DeleteFunc(b.set, func(key uint16) bool { return byte(key)%8 == a%8 })
		if a == 9 {
			b.set = nil
		}
		for _, key := range b.set {
			sum = hash64.Word(sum, uint64(key))
		}
		return result(sum, slices.Contains(b.set, uint16(a)))
	}},
	{"Slab.Add", func(s *stock, lp *ross.LP, a byte) (sum uint64) {
		for i := range several(a) {
			sum = hash64.Word(sum, uint64(s.Slab.Add(lp, jobOf(a+byte(i)))))
		}
		return sum
	}, func(b *book, a byte) (sum uint64) {
		for i := range several(a) {
			j := jobOf(a + byte(i))
			at := len(b.slab)
			if n := len(b.free) - 1; n >= 0 {
				at, b.free = b.free[n], b.free[:n]
				b.slab[at] = &j
			} else {
				b.slab = append(b.slab, &j)
			}
			sum = hash64.Word(sum, uint64(at+1))
		}
		return sum
	}},
	{"Slab.Remove", func(s *stock, lp *ross.LP, a byte) uint64 {
		j, ok := s.Slab.Remove(lp, Handle(a%64))
		if a == 9 {
			s.Slab.Clear(lp)
		}
		return result(j.word()+uint64(s.Slab.Len()), ok)
	}, func(b *book, a byte) uint64 {
		var j job
		at := int(a%64) - 1
		ok := at >= 0 && at < len(b.slab) && b.slab[at] != nil
		if ok {
			j, b.slab[at] = *b.slab[at], nil
			b.free = append(b.free, at)
		}
		if a == 9 {
			b.slab, b.free = nil, nil
		}
		return result(j.word()+uint64(len(b.slab)-len(b.free)), ok)
	}},
	{"Slab.Edit", func(s *stock, lp *ross.LP, a byte) (sum uint64) {
		if p := s.Slab.Edit(lp, Handle(a%64)); p != nil {
			p.Work += 7
		}
		for h, p := range s.Slab.All(lp) {
			sum = hash64.Word(sum, uint64(h)+p.word())
		}
		return result(sum, s.Slab.Get(lp, Handle(a)) != nil)
	}, func(b *book, a byte) (sum uint64) {
		if at := int(a%64) - 1; at >= 0 && at < len(b.slab) && b.slab[at] != nil {
			b.slab[at].Work += 7
		}
		for i, p := range b.slab {
			if p != nil {
				sum = hash64.Word(sum, uint64(i+1)+p.word())
			}
		}
		return result(sum, a > 0 && int(a) <= len(b.slab) && b.slab[a-1] != nil)
	}},
	{"Bitset.Set", func(s *stock, lp *ross.LP, a byte) (sum uint64) {
		for i := range several(a) {
			s.Bits.Set(lp, int(a)*3+i)
		}
		next, ok := s.Bits.Next(lp, int(a))
		return result(uint64(next+s.Bits.Len()), ok)
	}, func(b *book, a byte) (sum uint64) {
		for i := range several(a) {
			b.bits[int(a)*3+i] = true
		}
		next := int(a)
		for !b.bits[next] {
			next++
		}
		return uint64(next + len(b.bits))
	}},
	{"Bitset.Unset", func(s *stock, lp *ross.LP, a byte) (sum uint64) {
		for i := range s.Bits.All(lp) {
			if i%4 == int(a%4) {
				s.Bits.Unset(lp, i)
			}
		}
		if a == 9 {
			s.Bits.Clear(lp)
		}
		s.Bits.Unset(lp, int(a)-1)
		for i := range s.Bits.All(lp) {
			sum = hash64.Word(sum, uint64(i))
		}
		return result(sum+uint64(s.Bits.Len()), s.Bits.Has(lp, int(a)))
	}, func(b *book, a byte) (sum uint64) {
		for i := range b.bits {
			if i%4 == int(a%4) || a == 9 || i == int(a)-1 {
				delete(b.bits, i)
			}
		}
		for i := range 1024 {
			if b.bits[i] {
				sum = hash64.Word(sum, uint64(i))
			}
		}
		return result(sum+uint64(len(b.bits)), b.bits[int(a)])
	}},
	{"Lines.Push", func(s *stock, lp *ross.LP, a byte) uint64 {
		l := &s.Lines[a%2]
		if p := l.At(lp, int(a%8)); p != nil {
			p.Push(lp, uint16(a))
			return uint64(p.Len())
		}
		var inner Stack[uint16]
		inner.Push(lp, uint16(a))
		l.Push(lp, inner)
		return uint64(l.Len())
	}, func(b *book, a byte) uint64 {
		l := &b.lines[a%2]
		if i := int(a % 8); i < len(*l) {
			(*l)[i] = append((*l)[i], uint16(a))
			return uint64(len((*l)[i]))
		}
		*l = append(*l, []uint16{uint16(a)})
		return uint64(len(*l))
	}},
	{"Lines.Pop", func(s *stock, lp *ross.LP, a byte) (sum uint64) {
		l := &s.Lines[a%2]
		if p := l.At(lp, int(a%16)); p != nil {
			v, ok := p.Pop(lp)
			return result(uint64(v), ok)
		}
		p := l.At(lp, 0)
		if p == nil {
			return 1
		}
		for _, v := range p.All(lp) {
			sum = hash64.Word(sum, uint64(v))
		}
		p.Clear(lp)
		l.Pop(lp)
		return sum
	}, func(b *book, a byte) (sum uint64) {
		l := &b.lines[a%2]
		if i := int(a % 16); i < len(*l) {
			in := (*l)[i]
			if len(in) == 0 {
				return result(0, false)
			}
			(*l)[i] = in[:len(in)-1]
			return uint64(in[len(in)-1])
		}
		if len(*l) == 0 {
			return 1
		}
		for _, v := range (*l)[0] {
			sum = hash64.Word(sum, uint64(v))
		}
		*l = (*l)[1:]
		return sum
	}},
	{"By.Push", func(s *stock, lp *ross.LP, a byte) uint64 {
		q := s.By.Ensure(lp, a%16)
		for i := range several(a) {
			q.Push(lp, jobOf(a+byte(i)))
		}
		return uint64(q.Len())
	}, func(b *book, a byte) uint64 {
		at := slices.IndexFunc(b.by, func(l line) bool { return l.key == a%16 })
		if at < 0 {
			at = len(b.by)
			b.by = append(b.by, line{key: a % 16})
		}
		for i := range several(a) {
			b.by[at].jobs = append(b.by[at].jobs, jobOf(a+byte(i)))
		}
		return uint64(len(b.by[at].jobs))
	}},
	{"By.Pop", func(s *stock, lp *ross.LP, a byte) uint64 {
		q := s.By.Find(lp, a%16)
		if q == nil {
			return 1
		}
		j, ok := q.Pop(lp)
		if !ok {
			q.Clear(lp)
			s.By.Delete(lp, a%16)
		}
		return result(j.word(), ok)
	}, func(b *book, a byte) uint64 {
		at := slices.IndexFunc(b.by, func(l line) bool { return l.key == a%16 })
		if at < 0 {
			return 1
		}
		l := &b.by[at]
		if len(l.jobs) == 0 {
			b.by = slices.Delete(b.by, at, at+1)
			return result(0, false)
		}
		j := l.jobs[0]
		l.jobs = l.jobs[1:]
		return j.word()
	}},
}

// indexOperations are those of an IndexedHeap.
var indexOperations = []operation{
	{"Index.Push", func(s *stock, lp *ross.LP, a byte) (sum uint64) {
		push := s.Index.Push
		if a%3 == 0 {
			push = s.Index.PushFront
		}
		for i := range several(a) {
			sum = hash64.Word(sum, uint64(push(lp, float64(a%11)-float64(i%7), jobOf(a+byte(i)))))
		}
		return sum + uint64(s.Index.Len())
	}, func(b *book, a byte) (sum uint64) {
		for i := range several(a) {
			var h Handle
			if n := len(b.given) - 1; n >= 0 {
				h, b.given = b.given[n], b.given[:n]
			} else {
				b.most++
				h = b.most
			}
			at := len(b.index)
			if a%3 == 0 {
				at = 0
			}
			b.index = slices.Insert(b.index, at, ticket{float64(a%11) - float64(i%7), jobOf(a + byte(i)), h})
			sum = hash64.Word(sum, uint64(h))
		}
		return sum + uint64(len(b.index))
	}},
	{"Index.Pop", func(s *stock, lp *ross.LP, a byte) (sum uint64) {
		for range several(a) {
			first := s.Index.First(lp)
			least, j, was := s.Index.Peek(lp)
			key, v, ok := s.Index.Pop(lp)
			sum = hash64.Word(sum, result(v.word()+j.word()+uint64(int64(2*key-least))+uint64(first), ok && was))
		}
		if a == 9 {
			s.Index.Clear(lp)
		}
		return sum
	}, func(b *book, a byte) (sum uint64) {
		for range several(a) {
			t, ok := b.take(b.first())
			sum = hash64.Word(sum, result(2*t.job.word()+uint64(int64(t.key))+uint64(t.handle), ok))
		}
		if a == 9 {
			b.index, b.given, b.most = nil, nil, 0
		}
		return sum
	}},
	{"Index.Remove", func(s *stock, lp *ross.LP, a byte) (sum uint64) {
		for i := range several(a) {
			key, j, ok := s.Index.Remove(lp, Handle(a%64)+Handle(i))
			sum = hash64.Word(sum, result(j.word()+uint64(int64(key)), ok))
		}
		return sum + uint64(s.Index.Len())
	}, func(b *book, a byte) (sum uint64) {
		for i := range several(a) {
			t, ok := b.take(b.find(Handle(a%64) + Handle(i)))
			sum = hash64.Word(sum, result(t.job.word()+uint64(int64(t.key)), ok))
		}
		return sum + uint64(len(b.index))
	}},
	{"Index.Fix", func(s *stock, lp *ross.LP, a byte) (sum uint64) {
		for i := range several(a) {
			h := Handle(a%64) + Handle(i)
			ok := s.Index.Fix(lp, h, float64(a%13)-3)
			key, has := s.Index.Key(lp, h)
			sum = hash64.Word(sum, result(uint64(int64(key)), ok && has))
		}
		return sum
	}, func(b *book, a byte) (sum uint64) {
		for i := range several(a) {
			key := 0.0
			at := b.find(Handle(a%64) + Handle(i))
			if at >= 0 {
				key = float64(a%13) - 3
				b.index[at].key = key
			}
			sum = hash64.Word(sum, result(uint64(int64(key)), at >= 0))
		}
		return sum
	}},
	{"Index.Edit", func(s *stock, lp *ross.LP, a byte) uint64 {
		p := s.Index.Edit(lp, Handle(a%64))
		if p == nil {
			return 0
		}
		p.Work++
		return s.Index.Get(lp, Handle(a%64)).word()
	}, func(b *book, a byte) uint64 {
		at := b.find(Handle(a % 64))
		if at < 0 {
			return 0
		}
		b.index[at].job.Work++
		return b.index[at].job.word()
	}},
	{"Index.All", func(s *stock, lp *ross.LP, _ byte) (sum uint64) {
		for h, j := range s.Index.All(lp) {
			key, _ := s.Index.Key(lp, h)
			sum += hash64.Word(uint64(h), j.word()+uint64(int64(key)))
		}
		return sum
	}, func(b *book, _ byte) (sum uint64) {
		for _, t := range b.index {
			sum += hash64.Word(uint64(t.handle), t.job.word()+uint64(int64(t.key)))
		}
		return sum
	}},
}

func TestOperationsAllocateNothingInGo(t *testing.T) {
	if invariants.Enabled || racetest.Slow {
		t.Skip("assertions and watches on memory allocate on their own")
	}
	for _, synch := range []ross.Scheduler{ross.Sequential, ross.Optimistic} {
		cfg := rosstest.Small()
		cfg.Synch = synch
		allocs := -1.0
		rosstest.Run(t, cfg, once(ross.SaveByLog, func(s *stock, lp *ross.LP) {
			all := func() {
				s.Queue.Push(lp, job{})
				s.Queue.Pop(lp)
				s.Stack.Push(lp, 1)
				s.Stack.Pop(lp)
				s.Heap.Push(lp, 1, 1)
				s.Heap.Pop(lp)
				s.Index.Fix(lp, s.Index.Push(lp, 1, job{}), 2)
				s.Index.Push(lp, 1, job{})
				s.Index.Pop(lp)
				s.Index.Remove(lp, s.Index.First(lp))
				*s.Map.Ensure(lp, spot{1, 2})++
				s.Set.Add(lp, 1)
				s.Slab.Remove(lp, s.Slab.Add(lp, job{}))
				s.Bits.Set(lp, 3)
				s.Bits.Unset(lp, 3)
				for range s.Map.All(lp) {
				}
			}
			all()
			for range 2000 { // the history gets its room
				s.Queue.Push(lp, job{})
			}
			allocs = testalloc.PerRun(10, all)
		}))
		require.Zero(t, allocs)
	}
}

// club draws members, in an order that is in Sum.
type club struct {
	Members Set[int64]
	Fees    Map[int64, float64]
	Seats   Slab[int64]
	Sum     uint64
	Wrong   int64
}

func (c *club) draw(lp *ross.LP) {
	r := lp.RNG()
	note := func(x int64) { c.Sum = c.Sum*31 + uint64(x) }
	if member, ok := c.Members.Random(lp, r); ok != (c.Members.Len() > 0) || ok && !c.Members.Has(lp, member) {
		c.Wrong++
	} else if ok {
		note(member)
		if r.Integer(0, 2) > 0 {
			c.Members.Delete(lp, member)
		}
	}
	if member, ok := c.Fees.Random(lp, r); ok != (c.Fees.Len() > 0) || ok && !c.Fees.Has(lp, member) {
		c.Wrong++
	} else if ok {
		note(member)
		if r.Integer(0, 2) > 0 {
			c.Fees.Delete(lp, member)
		}
	}
	if h := c.Seats.Random(lp, r); (h != 0) != (c.Seats.Len() > 0) || h != 0 && c.Seats.Get(lp, h) == nil {
		c.Wrong++
	} else if h != 0 {
		note(*c.Seats.Get(lp, h))
		if r.Integer(0, 2) > 0 {
			c.Seats.Remove(lp, h)
		}
	}
	for range r.Integer(0, 2) {
		x := r.Integer(0, 99)
		c.Members.Add(lp, x)
		c.Fees.Put(lp, x, 1)
		c.Seats.Add(lp, x)
	}
}

func TestRandomElementsAreTheSameInAllSchedulers(t *testing.T) {
	modeltest.Run(t, modeltest.Model{
		Config: ross.Config{LPs: 6, End: 60, ConsLookahead: 0.01},
		Types: func() []ross.LPType {
			return []ross.LPType{ross.Type[club]{
				Init: func(_ *club, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, tick{}) },
				Event: ross.On(func(c *club, lp *ross.LP, _ *tick) {
					c.draw(lp)
					ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 5)), 0.01+lp.RNG().Exponential(1), tick{})
				}),
				Final: func(c *club, _ *ross.LP) { require.Zero(t, c.Wrong) },
			}}
		},
		Short: testlevel.Is(testlevel.Some),
	})
}

func TestAllElementsAreEquallyLikely(t *testing.T) {
	const draws = 20_000
	for _, keep := range []int64{1, 2, 3, 40, 200} { // every keep-th of 400 stays, so 2 are left of the last
		counts := [3]map[int64]int{{}, {}, {}}
		n := 0
		run(1, func(c *club, lp *ross.LP) {
			handles := map[int64]Handle{}
			for x := range int64(400) {
				c.Members.Add(lp, x)
				c.Fees.Put(lp, x, 0)
				handles[x] = c.Seats.Add(lp, x)
			}
			for x := range int64(400) {
				if x%keep != keep-1 {
					c.Members.Delete(lp, x)
					c.Fees.Delete(lp, x)
					c.Seats.Remove(lp, handles[x])
				}
			}
			n = c.Members.Len()
			for range draws {
				member, _ := c.Members.Random(lp, lp.RNG())
				fee, _ := c.Fees.Random(lp, lp.RNG())
				counts[0][member]++
				counts[1][fee]++
				counts[2][*c.Seats.Get(lp, c.Seats.Random(lp, lp.RNG()))]++
			}
		})
		require.Equal(t, int(400/keep), n)
		for _, count := range counts {
			require.Len(t, count, n)
			chi, mean := 0.0, draws/float64(n)
			for x, k := range count {
				require.Equal(t, keep-1, x%keep)
				chi += (float64(k) - mean) * (float64(k) - mean) / mean
			}
			free := float64(n - 1) // the mean of chi, whose variance is twice as much
			require.InDelta(t, free, chi, 4.5*math.Sqrt(2*free)+4)
		}
	}
}
