// This file pins what a PE keeps for the PEs of other ranks: messages, ids, tables.

package timewarp

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/avl"
	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/ranks/transport"
	"github.com/ross-go/ross/internal/sys/mem"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/ross-go/ross/pq"
)

// What a PE keeps of the channels to other ranks: messages, ids, and what GVT must not pass. The
// other rank is a second PE here, and the network a list of messages.

// outbox is the sending end of a network that never loses anything, and has no room if full is set.
type outbox struct {
	sent [][]uint64
	full bool
}

func (b *outbox) Room(int, int) bool { return !b.full }
func (b *outbox) Post(_, _ int, words []uint64) bool {
	b.sent = append(b.sent, slices.Clone(words))
	return true
}
func (b *outbox) Poll(func(int, []uint64)) (bool, error) { return false, nil }
func (b *outbox) PollNear(func(int, []uint64)) bool      { return false }
func (b *outbox) Near() bool                             { return false }
func (b *outbox) Counts() mpi.Counts                     { return mpi.Counts{} }

// farSize is the size of the messages, in bytes: no whole words.
const farSize = 12

// farPE returns the PE of a rank of two, in so much memory.
func farPE(t *testing.T, id uint64, memory uint64) (*PE, *outbox) {
	t.Helper()
	return farPEOf(t, id, memory, farSize)
}

// farPEOf is farPE with messages of another size.
func farPEOf(t *testing.T, id uint64, memory uint64, size uintptr) (*PE, *outbox) {
	t.Helper()
	run := &kernel.Run{Base: id, Messages: []*kernel.Message{{Size: size}}}
	run.Set.PEs = 1
	pe, box := &PE{}, &outbox{}
	pe.ID, pe.Run, pe.Address = id, run, &kernel.Address{ID: id}
	pe.SetMode(settings.Optimistic)
	pe.Bound, pe.RedMin = gvt.Max, gvt.Max
	budget := mem.NewBudget(memory)
	budget.Piece = 4 << 10
	var err error
	pe.Arena, err = event.NewArena(16, 1<<16, budget)
	require.NoError(t, err)
	t.Cleanup(pe.Arena.Release)
	pe.Queue, err = pq.NewEventSet(pe.Arena, "go", 0)
	require.NoError(t, err)
	pe.Budget = budget
	pe.Channels = channels{Base: uint32(id), AntiMin: gvt.Max, Out: make([]Outbox, 1)}
	log, err := avl.NewLog(1, "")
	require.NoError(t, err)
	t.Cleanup(log.Close)
	pe.Remote = &remote{Box: box, Peers: transport.NewTable[peer](2), perPE: 1, run: run, worth: mpiWorth, log: log}
	pe.Remote.take = pe.takeMessage
	return pe, box
}

// postTest sends an event at a time, whose message is filled with a number, and which an anti-message may
// name. It returns the id.
func (pe *PE) postTest(t *testing.T, time float64, fill byte, node uint32) uint32 {
	t.Helper()
	e, i, err := pe.Arena.Alloc()
	require.NoError(t, err)
	e.Fill(time, 0.5, (time-1)/2, 7, 1)
	e.Address(3, 0)
	e.Lineage, e.Bits = node, farSize
	copy(unsafe.Slice((*byte)(event.Payload(e)), farSize), slices.Repeat([]byte{fill}, farSize))
	p := pe.Remote.peer(1 - uint32(pe.ID))
	o := outgoing{here: i, there: p.newID()}
	pe.Channels.Balance++
	pe.emitRemote(o, e, p)
	return o.there
}

// eat takes all memory that is left, and returns how much that was.
func (pe *PE) eat() (ate uint64) {
	for size := pe.Budget.Limit(); size > 0; size /= 2 {
		for pe.Budget.Charge(size) == nil {
			ate += size
		}
	}
	return ate
}

// fills returns the times of the pending events, and what their messages are filled with.
func (pe *PE) fills(t *testing.T) (times []float64, fills []byte) {
	t.Helper()
	for k, ok := pe.Queue.Pop(); ok; k, ok = pe.Queue.Pop() {
		e := pe.Arena.At(k.Index())
		msg := unsafe.Slice((*byte)(event.Payload(e)), farSize)
		require.Equal(t, slices.Repeat(msg[:1], farSize), msg)
		times, fills = append(times, e.Time), append(fills, msg[0])
	}
	return times, fills
}

func TestMessagesOfNoWholeWordsArriveWhole(t *testing.T) {
	from, box := farPE(t, 0, 1<<20)
	to, _ := farPE(t, 1, 1<<20)
	for i := range 3 {
		from.postTest(t, float64(i+1), byte(10+i), 0)
	}
	from.flushRemote(true)
	require.Len(t, box.sent, 1)
	to.takeMessage(0, box.sent[0])
	times, fills := to.fills(t)
	require.Equal(t, []float64{1, 2, 3}, times)
	require.Equal(t, []byte{10, 11, 12}, fills)
	require.Zero(t, from.Channels.Balance+to.Channels.Balance)
}

// TestGVTWaitsForMessagesThatFindNoMemory has the earliest event come last, behind others that find
// no memory: GVT has to know of it, and all arrive when there is memory again.
func TestGVTWaitsForMessagesThatFindNoMemory(t *testing.T) {
	from, box := farPE(t, 0, 1<<20)
	to, _ := farPE(t, 1, 1<<20)
	line, err := from.Arena.Lines.Extend(0, 0.25)
	require.NoError(t, err)
	for i, time := range []float64{9, 8, 7, 2} {
		from.postTest(t, time, byte(10+i), []uint32{0, line, 0, 0}[i])
	}
	from.flushRemote(true)
	from.postTest(t, 3, 99, 0)
	from.flushRemote(true)
	require.Len(t, box.sent, 2)
	ate := to.eat()
	var taken []uint32
	for _, i, err := to.Arena.Alloc(); err == nil; _, i, err = to.Arena.Alloc() {
		taken = append(taken, i)
	}
	to.takeMessage(0, box.sent[0])
	clear(box.sent[0]) // the network uses it again
	require.Equal(t, NeedUndo, to.Need, "all PEs must undo uncommitted events")
	require.True(t, to.Urgent)
	to.Bound = gvt.Bound{}
	to.ReddenWaiting()
	require.Equal(t, 2.0, to.RedMin.Time(), "the earliest event that waits")
	require.True(t, to.RedAnti)
	to.Bound = gvt.Max
	to.Budget.Give(ate)
	for _, i := range taken {
		to.Arena.Free(to.Arena.At(i), i)
	}
	to.takeMessage(0, box.sent[1])
	require.Zero(t, to.Queue.Len(), "messages do not overtake")
	require.True(t, to.retryRemote())
	require.Empty(t, to.Remote.Waiting)
	times, fills := to.fills(t)
	require.Equal(t, []float64{2, 3, 7, 8, 9}, times)
	require.Equal(t, []byte{13, 99, 12, 11, 10}, fills)
}

// TestGVTWaitsForUnsentAntiMessages undoes a send to another rank while the network has no room.
func TestGVTWaitsForUnsentAntiMessages(t *testing.T) {
	pe, box := farPE(t, 0, 1<<20)
	id := pe.postTest(t, 9, 1, 0)
	pe.flushRemote(true)
	require.Len(t, box.sent, 1)
	box.full = true
	cause := &event.Event{Time: 4, Tie: 0.5, Prio: 1}
	pe.unsend(cause, id, 1)
	pe.flushRemote(true)
	require.Len(t, box.sent, 1)
	pe.ReddenRemote()
	want := pe.BoundAt(cause)
	require.Zero(t, pe.RedMin.Compare(&want, pe.Arena.Lines), "the event that sent it is the bound")
	require.True(t, pe.RedAnti)

	box.full = false
	pe.flushRemote(true)
	require.Equal(t, []uint64{1 << 32, wireAnti | uint64(id)}, box.sent[1])
	pe.SetRedMin(gvt.Max)
	box.full = true
	pe.postTest(t, 9, 1, 0)
	pe.ReddenRemote()
	require.Equal(t, 9.0, pe.RedMin.Time(), "what has left counts in the balance")
}

// TestGVTWaitsForUnsentEvents has events leave after the first cut of a round.
func TestGVTWaitsForUnsentEvents(t *testing.T) {
	pe, box := farPE(t, 0, 1<<20)
	box.full = true
	pe.postTest(t, 5, 1, 0)
	pe.postTest(t, 3, 1, 0)
	pe.flushRemote(true)
	pe.ReddenRemote()
	require.Equal(t, 3.0, pe.RedMin.Time())
	require.False(t, pe.RedAnti)
	pe.Red = true
	pe.postTest(t, 1, 1, 0)
	require.Equal(t, 1.0, pe.RedMin.Time(), "also what is sent since")
}

// TestMessagesCountInTheRoundInWhichTheyWereSent pins the balance by which a round knows that all
// messages of before its first cut have been received. If it is wrong, the run hangs, or GVT passes
// an event that is under way.
func TestMessagesCountInTheRoundInWhichTheyWereSent(t *testing.T) {
	from, box := farPE(t, 0, 1<<20)
	to, _ := farPE(t, 1, 1<<20)
	send := func() {
		from.postTest(t, 1, 1, 0)
		from.flushRemote(true)
	}
	receive := func() {
		to.takeMessage(0, box.sent[0])
		box.sent = box.sent[1:]
	}
	send()
	send()
	receive()
	from.ReddenRemote() // the first cut of the sender
	send()              // counts for the next round
	require.EqualValues(t, 2, from.Remote.White())
	receive()
	receive() // of a sender that is a round ahead
	require.True(t, to.Remote.behind, "the receiver must begin a round")
	to.ReddenRemote()
	require.EqualValues(t, -2, to.Remote.White())
	require.Zero(t, from.Remote.White()+to.Remote.White(), "the round may end")
	from.ReddenRemote()
	to.ReddenRemote()
	require.EqualValues(t, 1, from.Remote.White())
	require.EqualValues(t, -1, to.Remote.White())
}

func TestWhatIsUndoneBeforeItLeavesIsNotSent(t *testing.T) {
	pe, box := farPE(t, 0, 1<<20)
	id := pe.postTest(t, 1, 1, 0)
	pe.unsend(&event.Event{Time: 0.5}, id, 1)
	pe.postTest(t, 1, 1, 0)
	pe.flushRemote(true)
	require.Len(t, box.sent, 1)
	require.Len(t, box.sent[0], 1+headWords+2, "only one event leaves, and no anti-message")
}

// TestEachArrivalAndEachSearchIsCounted has the samplers of the index see all that the log does.
func TestEachArrivalAndEachSearchIsCounted(t *testing.T) {
	from, box := farPE(t, 0, 1<<20)
	to, _ := farPE(t, 1, 1<<20)
	deliver := func() {
		from.flushRemote(true)
		for _, words := range box.sent {
			to.takeMessage(0, words)
		}
		box.sent = nil
	}
	var ids []uint32
	for i := range 100 {
		ids = append(ids, from.postTest(t, float64(i+1), byte(i), 0))
	}
	deliver()
	require.EqualValues(t, 100, to.Counts.Arrivals.N)
	for _, id := range ids[:30] {
		from.unsend(&event.Event{Time: 0.5}, id, 1)
	}
	deliver()
	to.CountIndex()
	c := &to.Counts
	require.Equal(t, [4]uint64{30, 0, 100, 0}, [4]uint64{c.Searches, c.TreeSearches, c.Indexed, c.InTrees},
		"of one source each is where its id says")
	require.Zero(t, to.InTrees())
}

// TestIDsOnlyGrow sends more events than are left of 2^32 ids, cancels some before they leave and some after, and
// lets GVT pass those that were sent early.
func TestIDsOnlyGrow(t *testing.T) {
	for _, impl := range avl.Impls() {
		from, box := farPE(t, 0, 1<<22)
		to, _ := farPE(t, 1, 1<<22)
		var err error
		to.Remote.log, err = avl.NewLog(2, impl)
		require.NoError(t, err)
		const first = 1<<32 - 1000
		from.Remote.peer(1).given, to.Remote.peer(0).came = first, first
		deliver := func() {
			from.flushRemote(true)
			for _, words := range box.sent {
				to.takeMessage(0, words)
			}
			box.sent = nil
		}
		r := testrand.New(t)
		var ids []uint32
		want := map[float64]bool{}
		for i := range 2000 {
			ids = append(ids, from.postTest(t, float64(i+1), byte(i), 0))
			want[float64(i+1)] = true
			require.NotZero(t, ids[i], "0 means that nothing can name the event")
			if k := max(i-r.IntN(1+r.IntN(300)), 0); r.IntN(4) == 0 && want[float64(k+1)] {
				from.unsend(&event.Event{Time: float64(k) / 2}, ids[k], 1)
				delete(want, float64(k+1))
			}
			if r.IntN(16) == 0 {
				deliver()
			}
			if r.IntN(200) == 0 {
				deliver()
				to.GVT = float64(max(i-300, 0)) / 2 // what sent them comes half as late
				to.sweepLog()
			}
		}
		deliver()
		to.Remote.log.Sweep((2000 - 300) / 2)
		require.LessOrEqual(t, to.Remote.log.Len(), 300, "GVT has passed the others")
		left := map[float64]bool{}
		for k, ok := to.Queue.Pop(); ok; k, ok = to.Queue.Pop() {
			if e := to.Arena.At(k.Index()); e.State != event.Cancelled {
				left[e.Time] = true
			}
		}
		require.Equal(t, want, left)
	}
}

// TestFailedRunCountsItsSendsToOtherRanksOut has a KP keep events that are neither undone nor
// committed when the run has failed.
func TestFailedRunCountsItsSendsToOtherRanksOut(t *testing.T) {
	pe, _ := farPE(t, 0, 1<<20)
	kp := &kernel.KP{PE: &pe.PE}
	h := &kp.History
	h.Buf = make([]uint64, 64)
	for i := range 2 {
		at := h.Head
		h.At(at).Back = uint32(at - h.Last)
		h.Last, h.Head = at, at+kernel.GroupWords
		h.Push(kernel.TagRemote<<kernel.TagShift | 1<<32 | uint64(i+1)) // to another rank
		h.Push(kernel.TagRemote<<kernel.TagShift | uint64(i+1))         // to this one
		h.Push(kernel.TagBeyond << kernel.TagShift)
		h.At(at).Size = uint32(h.Head - at)
	}
	pe.PastEnd, pe.Counts.Beyond[0] = 2, 2
	pe.Disown(kp)
	require.EqualValues(t, 2, pe.Counts.Undone)
	require.EqualValues(t, 4, pe.Counts.Unsent)
	require.EqualValues(t, 2, pe.Counts.NetUnsent)
	require.Zero(t, pe.PastEnd)
	require.Zero(t, pe.Counts.Beyond[0])
}

// TestLineagesArriveWhole sends lineages that have more and fewer tie-breakers in common with the one
// before, and none.
func TestLineagesArriveWhole(t *testing.T) {
	from, box := farPE(t, 0, 1<<20)
	to, _ := farPE(t, 1, 1<<20)
	chain := []uint32{0}
	for i := range 4 {
		node, err := from.Arena.Lines.Extend(chain[i], float64(i+1)/8)
		require.NoError(t, err)
		chain = append(chain, node)
	}
	other, err := from.Arena.Lines.Extend(chain[2], 0.9)
	require.NoError(t, err)
	sent := []uint32{chain[3], other, 0, chain[4], chain[1], chain[2]}
	var want, got [][]float64
	for i, node := range sent {
		from.Arena.Lines.Keep(node)
		want = append(want, from.Arena.Lines.Append(nil, node))
		from.postTest(t, float64(i+1), 1, node)
	}
	from.flushRemote(true)
	to.takeMessage(0, box.sent[0])
	for k, ok := to.Queue.Pop(); ok; k, ok = to.Queue.Pop() {
		e := to.Arena.At(k.Index())
		got = append(got, to.Arena.Lines.Append(nil, e.Lineage))
		to.Arena.Free(e, k.Index())
	}
	require.Equal(t, want, got)
	to.Arena.Lines.Drop(to.Remote.peer(0).LastCame)
	require.Zero(t, to.Arena.Lines.Live(), "nodes leaked")
}

// TestSlotIsFreeAgainIfItsPayloadFindsNoMemory has a slot for an event of another rank, and no memory
// for its message, which is too long for the slot.
func TestSlotIsFreeAgainIfItsPayloadFindsNoMemory(t *testing.T) {
	const size = 1000
	to, _ := farPEOf(t, 1, 1<<20, size)
	e, i, err := to.Arena.Alloc()
	require.NoError(t, err)
	e.State = event.Pending
	to.Arena.Free(e, i)
	ate := to.eat()
	words := make([]uint64, 1+headWords+size/8)
	// time 1, tie 0.5, priority 1
	words[1], words[2], words[5] = 0x3ff0000000000000, 0x3fe0000000000000, 0x3ff0000000000000
	to.takeMessage(0, slices.Clone(words))
	require.Len(t, to.Remote.Waiting, 1)
	require.Zero(t, to.Arena.Live(), "the slot leaked")
	to.Budget.Give(ate)
	require.True(t, to.retryRemote())
	require.EqualValues(t, 1, to.Arena.Live())
	require.EqualValues(t, 1, to.Queue.Len())
}

// TestAntiMessagesFindTheirEvents cancels one of several events after they have arrived.
func TestAntiMessagesFindTheirEvents(t *testing.T) {
	from, box := farPE(t, 0, 1<<20)
	to, _ := farPE(t, 1, 1<<20)
	var ids []uint32
	for i := range 3 {
		ids = append(ids, from.postTest(t, float64(i+1), byte(i), 0))
	}
	from.flushRemote(true)
	from.unsend(&event.Event{Time: 0.5}, ids[1], 1)
	from.flushRemote(true)
	for _, words := range box.sent {
		to.takeMessage(0, words)
	}
	var left []float64
	for k, ok := to.Queue.Pop(); ok; k, ok = to.Queue.Pop() {
		if e := to.Arena.At(k.Index()); e.State != event.Cancelled {
			left = append(left, e.Time)
		}
	}
	require.Equal(t, []float64{1, 3}, left)
}

// TestTheLogKeepsWhatWaitingAntiMessagesName lets GVT pass what sent an event while the anti-message that cancels the
// event waits behind another event, which finds no memory.
func TestTheLogKeepsWhatWaitingAntiMessagesName(t *testing.T) {
	from, box := farPE(t, 0, 1<<20)
	to, _ := farPE(t, 1, 1<<20)
	first := from.postTest(t, 5, 1, 0)
	from.postTest(t, 7, 1, 0)
	from.flushRemote(true)
	to.takeMessage(0, box.sent[0])
	ate := to.eat()
	var taken []uint32
	for e, i, err := to.Arena.Alloc(); err == nil; e, i, err = to.Arena.Alloc() {
		e.State = event.Pending
		taken = append(taken, i)
	}
	from.postTest(t, 9, 1, 0)
	from.unsend(&event.Event{Time: 2}, first, 1)
	from.flushRemote(true)
	to.takeMessage(0, box.sent[1])
	require.Len(t, to.Remote.Waiting, 1)
	to.GVT, to.Bound = 4, gvt.Bound{}
	to.sweepLog()
	to.ReddenWaiting()
	require.Equal(t, 5.0, to.RedMin.Time(), "what is to be cancelled")
	to.Bound = gvt.Max
	to.Budget.Give(ate)
	for _, i := range taken {
		to.Arena.Free(to.Arena.At(i), i)
	}
	require.True(t, to.retryRemote())
	require.Empty(t, to.Remote.Waiting)
	to.sweepLog()
	require.Equal(t, 1, to.Remote.log.Len(), "event 9 was sent at 4")
}

// Memory of a PE for each of the many PEs of other ranks with which it communicates.

// BenchmarkPeers measures the memory for one peer, of 10,000. With each peer the PE has
// exchanged the given number of events at once.
func BenchmarkPeers(b *testing.B) {
	const peers = 10000
	for _, ids := range []int{0, 1, 16, 256} {
		b.Run(fmt.Sprintf("ids=%d", ids), func(b *testing.B) {
			for range b.N {
				before := heapInUse()
				log, err := avl.NewLog(1<<10, "")
				if err != nil {
					b.Fatal(err)
				}
				run := &kernel.Run{}
				run.Set.PEs = 1
				pe := &PE{}
				pe.Remote = &remote{Peers: transport.NewTable[peer](peers), perPE: 1, run: run, log: log}
				for to := range uint32(peers) {
					p := pe.Remote.peer(to)
					for range ids { // as takeEvent does
						p.came++
						log.Add(p.source, p.came, 1, 1)
					}
				}
				b.ReportMetric(float64(heapInUse()-before)/peers, "B/peer")
				if ids > 0 {
					pe.arrived(pe.Remote.peer(0), 1) // the oldest
				}
				b.ReportMetric(float64(log.Bytes())/peers, "B/peer-searched")
				log.Close()
				runtime.KeepAlive(pe)
			}
		})
	}
}

func heapInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestEachRecordCanBeUndone(t *testing.T) {
	for tag := uint64(kernel.TagStream); tag < kernel.NumTags; tag++ {
		require.NotNil(t, records[tag].undo, "tag %d", tag)
	}
}

func TestACrowdedPEGivesItsProcessorUpAtOnce(t *testing.T) {
	for _, c := range []struct {
		ranks                int
		wanted, full, turns  bool // others want the processor; more PEs than processors; a test has PEs take turns
		gives, keepsItNarrow bool // up its processor at once; its window
	}{
		{1, false, false, false, false, false},
		{1, false, true, false, true, false},
		{1, false, false, true, true, false},
		{2, false, false, false, false, false},
		{2, true, false, false, true, true},
		{2, false, true, false, true, true},
		{2, false, false, true, true, false},
		{2, true, false, true, true, true},
	} {
		pe := &PE{}
		pe.Team = &team{cluster: &ranks.Cluster{Ranks: c.ranks}, full: c.full, oneByOne: c.turns}
		pe.SetCrowded(c.wanted)
		require.Equal(t, c.gives, pe.Spin == 1, "%+v", c)
		require.Equal(t, c.keepsItNarrow, pe.Crowded, "%+v", c)
	}
}
