// This file owns the benchmarks of data structures: queues, pools, the index of arrivals, and what a run's LPs and
// events take in memory.

package bench

import (
	"container/heap"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/avl"
	"github.com/ross-go/ross/buddy"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/pq"
	"github.com/stretchr/testify/require"
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

func BenchmarkHold(b *testing.B) {
	for _, dist := range []string{"exp", "uniform", "bimodal", "equal", "farther"} {
		for _, n := range []int{16, 192, 1 << 10, 1 << 14, 1 << 16, 1 << 20, 1 << 22} {
			for _, impl := range []string{"c", "go", "heap4", "std"} {
				h := Hold{Impl: impl, N: n, Dist: dist}
				b.Run(h.String(), h.Run)
			}
		}
	}
}

// BenchmarkPools has a thousand values in use. It replaces one after the other, in random order, by a new one that
// is zero.
func BenchmarkPools(b *testing.B) {
	pools[[64]byte](b)
	pools[[1024]byte](b)
}

const inUse = 1000

func pools[T any](b *testing.B) {
	r := rand.New(rand.NewPCG(3, 3))
	next := make([]int, increments)
	for i := range next {
		next[i] = r.IntN(inUse)
	}
	var zero T
	size := unsafe.Sizeof(zero)
	for _, impl := range buddy.Impls() {
		b.Run(fmt.Sprintf("impl=%s/size=%d", impl, size), func(b *testing.B) {
			pool, err := buddy.New(impl, 64<<20)
			if err != nil {
				b.Fatal(err)
			}
			defer pool.Close()
			values, err := buddy.NewObjects[T](pool)
			if err != nil {
				b.Fatal(err)
			}
			var used [inUse]*T
			for i := range used {
				used[i], _ = values.New()
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				v := &used[next[i%increments]]
				values.Free(*v)
				if *v, err = values.New(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run(fmt.Sprintf("impl=sync.Pool/size=%d", size), func(b *testing.B) {
		pool := sync.Pool{New: func() any { return new(T) }}
		var used [inUse]*T
		for i := range used {
			used[i] = new(T)
		}
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			v := &used[next[i%increments]]
			pool.Put(*v)
			*v = pool.Get().(*T)
			**v = zero
		}
	})
	b.Run(fmt.Sprintf("impl=new/size=%d", size), func(b *testing.B) {
		var used [inUse]*T
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			used[next[i%increments]] = new(T)
		}
	})
}

// BenchmarkArrivals has events come from some sources; 512 events are not committed at a time. One in 50 is
// searched for: nine of ten among the last 64, one anywhere.
func BenchmarkArrivals(b *testing.B) {
	const live, every, rounds = 512, 256, 1 << 14
	for _, sources := range []int{1, 4, 64} {
		type arrival struct {
			source uint32
			id     uint64
			find   int // this many before it; 0: none
		}
		r := rand.New(rand.NewPCG(7, 7))
		script, last := make([]arrival, rounds), make([]uint64, sources)
		for i := range script {
			s := r.IntN(sources)
			last[s]++
			script[i] = arrival{source: uint32(s), id: last[s]}
			if i > live && r.IntN(50) == 0 {
				script[i].find = 1 + r.IntN(64)
				if r.IntN(10) == 0 {
					script[i].find = 1 + r.IntN(live-1)
				}
			}
		}
		for _, impl := range avl.Impls() {
			b.Run(fmt.Sprintf("sources=%d/%s", sources, impl), func(b *testing.B) {
				for n := 0; n < b.N; n += rounds {
					l, err := avl.NewLog(1024, impl)
					if err != nil {
						b.Fatal(err)
					}
					for i := range script {
						a := &script[i]
						l.Add(a.source, a.id, uint64(i), float64(i))
						if a.find > 0 {
							if at, _, ok := l.Find(script[i-a.find].source, script[i-a.find].id); !ok || at != uint64(i-a.find) {
								b.Fatal("not found")
							}
						}
						if i%every == 0 && l.Due() {
							l.Sweep(float64(i - live))
						}
					}
					l.Close()
				}
			})
		}
		b.Run(fmt.Sprintf("sources=%d/map", sources), func(b *testing.B) {
			type key struct {
				source uint32
				id     uint64
			}
			for n := 0; n < b.N; n += rounds {
				m, oldest := map[key]uint32{}, 0
				for i := range script {
					a := &script[i]
					m[key{a.source, a.id}] = uint32(i)
					if a.find > 0 {
						if at, ok := m[key{script[i-a.find].source, script[i-a.find].id}]; !ok || at != uint32(i-a.find) {
							b.Fatal("not found")
						}
					}
					if i%every == 0 {
						for ; oldest < i-live; oldest++ {
							delete(m, key{script[oldest].source, script[oldest].id})
						}
					}
				}
			}
		})
	}
}

// memoryChild and manyChild name the variables that make the test binary one run of Memory, or of Many: they hold the
// run as JSON.
const (
	memoryChild = "ROSS_BENCH_MEMORY"
	manyChild   = "ROSS_BENCH_MANY"
)

func TestMain(m *testing.M) {
	var err error
	if text := os.Getenv(memoryChild); text != "" {
		err = child(text, Memory.Measure)
	} else if text := os.Getenv(manyChild); text != "" {
		err = child(text, Many.Measure)
	} else {
		os.Exit(m.Run())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// child measures what a text describes, and prints the result.
func child[M, Use any](text string, measure func(M) (Use, error)) error {
	var run M
	if err := json.Unmarshal([]byte(text), &run); err != nil {
		return err
	}
	use, err := measure(run)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(use)
}

// measured runs m in a process of its own.
func measured(t testing.TB, m Memory) (use MemoryUse) {
	t.Helper()
	inChild(t, memoryChild, m, &use)
	return use
}

// inChild runs the test binary with a variable that holds m as JSON, and reads what it prints.
func inChild(t testing.TB, variable string, m, use any) {
	t.Helper()
	text, err := json.Marshal(m)
	require.NoError(t, err)
	cmd := exec.Command(os.Args[0])
	cmd.Env, cmd.Stderr = append(os.Environ(), variable+"="+string(text)), os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(out, use))
}

// BenchmarkMany is a run of many LPs, a million or as many as ROSS_LPS says, on as many PEs as ROSS_PES says (0:
// sequential), and the touching of as much memory as the run has when its first event comes.
func BenchmarkMany(b *testing.B) {
	number := func(variable string, otherwise int) int {
		if n, err := strconv.Atoi(os.Getenv(variable)); err == nil {
			return n
		}
		return otherwise
	}
	m := Many{LPs: number("ROSS_LPS", 1_000_000), PEs: number("ROSS_PES", 0), End: 2}
	var use, touched ManyUse
	inChild(b, manyChild, m, &use)
	inChild(b, manyChild, Many{Touch: use.Begun}, &touched)
	n := float64(m.LPs)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(use.Peak/n, "B/LP")
	b.ReportMetric(use.Begun/n, "B/LP-at-start")
	b.ReportMetric(use.Start, "s/start")
	b.ReportMetric(touched.Touch, "s/touch")
	b.ReportMetric(use.Run, "s/run")
	b.ReportMetric(float64(use.Events)/use.Run/1e6, "Mev/s")
}

// BenchmarkMemory is the memory of one LP, KP, pending and uncommitted event.
func BenchmarkMemory(b *testing.B) {
	for _, synch := range []ross.Scheduler{ross.Sequential, ross.Conservative, ross.Optimistic} {
		for _, of := range []string{"lp", "kp", "pending", "uncommitted"} {
			p, ok := MemoryPairs(synch)[of]
			if !ok {
				continue
			}
			b.Run(fmt.Sprintf("of=%s/synch=%d", of, synch), func(b *testing.B) {
				less, more := measured(b, p.Less), measured(b, p.More)
				n := float64(p.N)
				b.ReportMetric(0, "ns/op")
				b.ReportMetric((more.Account-less.Account)/n, "B/account")
				b.ReportMetric((more.Heap-less.Heap)/n, "B/heap")
				b.ReportMetric((more.RSS-less.RSS)/n, "B/RSS")
			})
		}
	}
}

// An LP of PHOLD takes 128 bytes, 8 for its state and 1 for its flags.
func TestMemoryOfAnLP(t *testing.T) {
	testlevel.Once(t, "what memory costs")
	const n = 1 << 16
	for _, synch := range []ross.Scheduler{ross.Sequential, ross.Conservative, ross.Optimistic} {
		less := measured(t, Memory{Synch: synch, LPs: n, KPs: 16, Handled: 1})
		more := measured(t, Memory{Synch: synch, LPs: 2 * n, KPs: 16, Handled: 1})
		require.InDelta(t, 137, (more.Account-less.Account)/n, 0.1, "%v", synch)
		require.InDelta(t, 137, (more.Heap-less.Heap)/n, 2, "%v: what is charged is what there is", synch)
	}
}
