package inside_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"reflect"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/run/inside"
)

var word byte // stands for the Go type that states and messages do not have

// The state is eight bytes that the type provides, in which each event counts.
func Example() {
	const size = 8
	count := func(state unsafe.Pointer) []byte { return unsafe.Slice((*byte)(state), size) }
	send := func(lp *kernel.LP) { lp.Schedule(lp.ID, 1, kernel.DefaultPriority, unsafe.Pointer(&word), 0) }
	m := &kernel.Message{Word: unsafe.Pointer(&word), Name: "none", Go: reflect.TypeFor[struct{}]()}
	m.Event = func(state unsafe.Pointer, lp *kernel.LP, _ unsafe.Pointer) {
		b := count(state)
		binary.LittleEndian.PutUint64(b, binary.LittleEndian.Uint64(b)+1)
		send(lp)
	}
	t := &kernel.Type{
		Name: "counter", StateType: unsafe.Pointer(&word), StateSize: size, Messages: []*kernel.Message{m},
		Saving: kernel.SaveNever,
		Init:   func(_ unsafe.Pointer, lp *kernel.LP) { send(lp) },
		Final:  func(state unsafe.Pointer, lp *kernel.LP) { fmt.Println("LP", lp.ID, "counts", count(state)[0]) },
		Slab: func(n int) (unsafe.Pointer, any) {
			all := make([]byte, n*size)
			return unsafe.Pointer(unsafe.SliceData(all)), all
		},
		Check: kernel.StateCheck{State: reflect.TypeFor[struct{}](), Digest: func(unsafe.Pointer) any { return nil }},
	}
	build := func(*settings.Settings) (*kernel.Type, error) { return t, nil }
	sim, err := ross.Run(context.Background(), ross.Config{End: 5}, inside.Ross.LPType(2, build).(ross.LPType))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sim.Close()
	// Output:
	// LP 0 counts 4
	// LP 1 counts 4
}
