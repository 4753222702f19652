// What of a stack is the model's.

package kernel

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const stack = `goroutine 7 [running]:
runtime/debug.Stack()
	/go/src/runtime/debug/stack.go:26 +0x5e
github.com/ross-go/ross/internal/kernel.(*PE).panicked(0xc0001, {0x1, 0x2})
	/ross/internal/kernel/errors.go:131 +0x1d
panic({0x1?, 0x2?})
	/go/src/runtime/panic.go:783 +0x132
github.com/ross-go/ross.noSuchBit(...)
	/ross/type.go:140
main.compare[...](...)
	/home/me/line.go:7
slices.SortFunc[...]({0x1, 0x2}, 0x3)
	/go/src/slices/sort.go:30 +0x44
gitlab.com/me/line.v2/pkg.(*Line[go.shape.int]).Sort.func1(0x1)
	/home/me/pkg/line.go:40 +0x99
github.com/ross-go/ross/models/phold.event(0x1)
	/ross/models/phold/phold.go:3 +0x10
github.com/ross-go/ross/internal/run.(*PE).handle(0xc0001)
	/ross/internal/run/sequential.go:80 +0x11
main.main()
	/home/me/main.go:9 +0x22
created by github.com/ross-go/ross/internal/run.(*Run).start in goroutine 1
	/ross/internal/run/run.go:9 +0x22
`

func TestFoldedStackIsTheModels(t *testing.T) {
	t.Setenv("GOTRACEBACK", "")
	require.Equal(t, `	main.compare[...]
		/home/me/line.go:7
	slices.SortFunc[...]
		/go/src/slices/sort.go:30
	gitlab.com/me/line.v2/pkg.(*Line[go.shape.int]).Sort.func1
		/home/me/pkg/line.go:40
	github.com/ross-go/ross/models/phold.event
		/ross/models/phold/phold.go:3
	(7 frames of the engine and of Go left out; GOTRACEBACK=all shows them)`, FoldStack(stack))
}

func TestStackWithoutTheModelIsWhole(t *testing.T) {
	t.Setenv("GOTRACEBACK", "")
	const own = "goroutine 7 [running]:\ngithub.com/ross-go/ross/internal/run.f()\n\t/ross/run.go:1 +0x1\n"
	for _, text := range []string{"", "garbage", own} {
		require.Equal(t, text, FoldStack(text))
	}
}
