// This file owns the operations of the tests on an IndexedHeap.

package container_test

import (
	"github.com/ross-go/ross"
	. "github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/hash64"
)

// indexOperations are those of an IndexedHeap.
var indexOperations = []operation{
	{"Index.Push", func(s *stock, lp *ross.LP, a byte) (sum uint64) {
		for i := range several(a) {
			sum = hash64.Word(sum, uint64(s.Index.Push(lp, float64(a%11)-float64(i%7), jobOf(a+byte(i)))))
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
			b.index = append(b.index, ticket{float64(a%11) - float64(i%7), jobOf(a + byte(i)), h})
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
