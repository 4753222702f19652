// What a priority queue of values costs: pq.Queue and container/heap, as a program of its own would use them.

package bench

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ross-go/ross/pq"
)

// job is a value; a program has its own here.
type job struct {
	client uint32
	bytes  uint32
}

// dated is a job in a heap. number orders jobs of one time by their Push, as pq.Queue does.
type dated struct {
	time   float64
	number uint64
	job    job
}

type jobHeap []dated

func (h jobHeap) Len() int { return len(h) }
func (h jobHeap) Less(i, j int) bool {
	return h[i].time < h[j].time || h[i].time == h[j].time && h[i].number < h[j].number
}
func (h jobHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *jobHeap) Push(x any)   { *h = append(*h, x.(dated)) }
func (h *jobHeap) Pop() any {
	n := len(*h) - 1
	d := (*h)[n]
	*h = (*h)[:n]
	return d
}

// BenchmarkQueues takes the least value of n and puts it back an exponential time later.
func BenchmarkQueues(b *testing.B) {
	for _, n := range []int{1 << 10, 1 << 14, 1 << 20} {
		r := rand.New(rand.NewPCG(uint64(n), 1))
		later := make([]float64, increments)
		for i := range later {
			later[i] = r.ExpFloat64()
		}
		for _, impl := range pq.Impls() {
			b.Run(fmt.Sprintf("impl=%s/n=%d", impl, n), func(b *testing.B) {
				q, err := pq.New[job](impl)
				if err != nil {
					b.Fatal(err)
				}
				defer q.Close()
				push := func(time float64, j job) {
					if err := q.Push(time, j); err != nil {
						b.Fatal(err)
					}
				}
				for i := range n {
					push(r.ExpFloat64(), job{uint32(i), 1500})
				}
				hold := func(i int) {
					time, j, _ := q.Pop()
					push(time+later[i%increments], j)
				}
				for i := range n + 1000 {
					hold(i)
				}
				for i := 0; b.Loop(); i++ {
					hold(i)
				}
			})
		}
		b.Run(fmt.Sprintf("impl=std/n=%d", n), func(b *testing.B) {
			h, number := &jobHeap{}, uint64(0)
			push := func(time float64, j job) {
				heap.Push(h, dated{time, number, j})
				number++
			}
			for i := range n {
				push(r.ExpFloat64(), job{uint32(i), 1500})
			}
			hold := func(i int) {
				d := heap.Pop(h).(dated)
				push(d.time+later[i%increments], d.job)
			}
			for i := range n + 1000 {
				hold(i)
			}
			for i := 0; b.Loop(); i++ {
				hold(i)
			}
		})
	}
}
