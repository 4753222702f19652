// Package container has containers for the states of LPs: queues, stacks, heaps, maps, sets,
// slabs and bitsets that grow, and that the engine undoes with the event that changed them.
//
// A container is a plain field of the state, or of a value in another container. Its zero value is
// empty and ready:
//
//	type Server struct {
//		Waiting container.Queue[Job]
//		Busy    bool
//	}
//
//	func (s *Server) Event(lp *ross.LP, m *Msg) {
//		s.Waiting.Push(lp, m.Job)
//		...
//	}
//
// Methods that read or change the contents take the LP of the running handler. Only the state of
// that LP may be changed, in Init, PreRun and Event; every handler may read.
//
// # Undo
//
// Whatever the Saving of the type is, a container undoes its own changes. A Reverse handler must
// not mention containers: it sees them as Event left them, and after it the engine restores them.
// Save and SaveByDelta need nothing for them either. An operation saves what it changes, a value
// or a few, however many the container has.
//
// Methods that return a pointer come in two forms. [Queue.At], [Slab.Get] and [Map.Find] are for
// reading: what is written through their pointers is not undone, and --synch=6 reports it. [Queue.Edit],
// [Slab.Edit], [Map.Edit] and [Map.Ensure] save the value first, so that it may be changed. A pointer
// is valid until the container changes or the handler returns.
//
// # Values
//
// Values and keys hold no Go pointers, strings, slices, maps or interfaces. They may hold
// containers. Methods of an inner container save what they change, so the reading form is enough
// to reach it:
//
//	type Switch struct{ Ports container.Stack[container.Queue[Packet]] }
//
//	s.Ports.At(lp, m.Port).Push(lp, m.Packet)
//
// An inner container whose value is removed keeps its memory: clear it before, or move the value
// elsewhere. The same holds for Blocks in values. A copy of a container shares its memory, so one of
// both must not be used any more. If the state has pointers, containers are not behind them: the
// engine could not restore these.
//
// # Two heaps
//
// A value of a [Heap] leaves only when its turn comes. The values of an [IndexedHeap] have handles,
// by which it removes them or gives them other keys. Handles are not free: the heap has to know
// where each value is, and to undo that. So there are two types, and a Heap costs nothing for what
// only some models need. In an optimistic run of BenchmarkHeap, a push and a pop among 48 values of
// 16 bytes take about one and a half times as long with an IndexedHeap. With values of 256 bytes both
// take the same time, because only keys move in an IndexedHeap.
//
// # Random elements
//
// [Map.Random], [Set.Random] and [Slab.Random] draw an element, all with the same probability, from a stream of the LP.
// A
// [Queue] or [Stack] has the i-th value under At, so r.Integer(0, int64(q.Len())-1) draws one.
//
// # Mistakes
//
// Nothing panics, and no operation does harm. Pop and Peek of an empty container report false. At,
// Get, Find and Edit of what is not there return nil. If memory is refused, the operation does
// nothing, [Slab.Add] and [IndexedHeap.Push] return 0 and Map.Ensure returns nil, and the error is that of
// [ross.Alloc]: in an optimistic run the event is undone and handled again, and the run ends only if that does not
// help. A change at another time or for another LP is an [ross.ErrSave].
//
// # The same everywhere
//
// The contents, iteration orders and unused memory of containers depend only on what has been done
// to them. So digests agree in all schedulers. Checkpoints store containers with the states that
// they are in, without Serialize, and a run that loads them goes on as if it had not stopped.
//
// # Memory
//
// The memory is that of [ross.Alloc], counted in Config.MaxMemory. It doubles when a container is
// full, and Clear gives it back. An emptied Queue keeps its memory, so that it need not grow again.
//
// Slots that hold no value are zero, so a push saves no value. In the history of an optimistic run,
// a push to a Queue takes 40 bytes until the event is committed, and a pop takes 40 bytes and the
// size of the value: 16 for each of two records, and 8 for the numbers of the queue. With
// SaveByDelta the numbers belong to the delta of the state. In other schedulers nothing is saved.
package container
