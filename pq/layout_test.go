// The layouts of the structs that Go and C share: each field is where C has it.

//go:build cgo && !purego

package pq

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/csrc"
	"github.com/ross-go/ross/internal/engine/event"
)

// layout is one entry of the table in csrc/layout.c, in its order.
type layout struct {
	name string
	at   uintptr
}

var (
	e event.Event
	n event.Node
	k event.Key
	w window
)

var shared = []struct {
	goType any
	size   layout
	fields []layout
}{
	{e, layout{"sizeof(ross_event)", unsafe.Sizeof(e)}, []layout{
		{"event.time", unsafe.Offsetof(e.Time)},
		{"event.tie", unsafe.Offsetof(e.Tie)},
		{"event.send_time", unsafe.Offsetof(e.SendTime)},
		{"event.src", unsafe.Offsetof(e.Src)},
		{"event.prio", unsafe.Offsetof(e.Prio)},
		{"event.dst", unsafe.Offsetof(e.Dst)},
		{"event.lineage", unsafe.Offsetof(e.Lineage)},
		{"event.bits", unsafe.Offsetof(e.Bits)},
		{"event.type", unsafe.Offsetof(e.Type)},
		{"event.state", unsafe.Offsetof(e.State)},
		{"event.size_class", unsafe.Offsetof(e.Class)},
	}},
	{n, layout{"sizeof(ross_node)", unsafe.Sizeof(n)}, []layout{
		{"node.tie", unsafe.Offsetof(n.Tie)},
		{"node.parent", unsafe.Offsetof(n.Parent)},
		{"node.jump", unsafe.Offsetof(n.Jump)},
		{"node.depth", unsafe.Offsetof(n.Depth)},
		{"node.refs", unsafe.Offsetof(n.Refs)},
	}},
	{k, layout{"sizeof(ross_key)", unsafe.Sizeof(k)}, []layout{
		{"key.ts", unsafe.Offsetof(k.TS)},
		{"key.lo", unsafe.Offsetof(k.Lo)},
	}},
	{w, layout{"sizeof(ross_window)", unsafe.Sizeof(w)}, []layout{
		{"window.keys", unsafe.Offsetof(w.keys)},
		{"window.n", unsafe.Offsetof(w.n)},
		{"window.cap", unsafe.Offsetof(w.cap)},
		{"window.bound_ts", unsafe.Offsetof(w.boundTS)},
		{"window.bound_lo", unsafe.Offsetof(w.boundLo)},
		{"window.stage", unsafe.Offsetof(w.stage)},
		{"window.staged", unsafe.Offsetof(w.staged)},
		{"window.stage_cap", unsafe.Offsetof(w.stageCap)},
		{"window.tie_min", unsafe.Offsetof(w.tieMin)},
		{"window.tie", unsafe.Offsetof(w.tie)},
		{"window.failed", unsafe.Offsetof(w.failed)},
		{"window.far", unsafe.Offsetof(w.far)},
		{"window.bytes", unsafe.Offsetof(w.bytes)},
	}},
}

func TestGoAndCShareOneLayout(t *testing.T) {
	var goSide []layout
	for _, s := range shared {
		require.Len(t, s.fields, reflect.TypeOf(s.goType).NumField(), "%T has a field that is not compared", s.goType)
		goSide = append(append(goSide, s.size), s.fields...)
	}
	goSide = append(goSide, layout{"ROSS_PENDING", event.Pending}, layout{"ROSS_TIED", event.Tied})
	inC := csrc.Layout()
	require.Len(t, inC, len(goSide), "csrc/layout.c and this table have other lengths")
	for i, l := range goSide {
		require.Equal(t, uintptr(inC[i]), l.at, "%s", l.name)
	}
	require.EqualValues(t, event.Size, unsafe.Sizeof(e))
	require.EqualValues(t, event.NodeSize, unsafe.Sizeof(n))
}
