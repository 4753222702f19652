// What a program gets from a pool without package unsafe: bytes, and values of a type.

package buddy

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/ross-go/ross/internal/sys/plain"
)

// AllocBytes returns n bytes, at least 0, whose contents are undefined; the capacity is n as well. See [Pool.Alloc] for
// errors.
func (p *Pool) AllocBytes(n int) ([]byte, error) {
	if n < 0 {
		return nil, fmt.Errorf("buddy: %d bytes: give a number that is at least 0", n)
	}
	b, err := p.Alloc(uintptr(n))
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*byte)(b), n), nil
}

// FreeBytes takes back what AllocBytes gave. The slice may be shorter now, but must begin where it began and have
// its capacity.
func (p *Pool) FreeBytes(b []byte) { p.Free(unsafe.Pointer(unsafe.SliceData(b)), uintptr(cap(b))) }

// Objects gives values of one type that lie in a pool. Several Objects may share a pool. It is not safe for
// concurrent use.
type Objects[T any] struct{ pool *Pool }

// NewObjects returns the values of type T in a pool. T must not have pointers, strings, slices, maps, channels,
// functions or interfaces: no garbage collector looks into a pool, and what they refer to would be collected.
// The error names the field.
func NewObjects[T any](p *Pool) (Objects[T], error) {
	t := reflect.TypeFor[T]()
	if where, kind := plain.FindPointer(t, t.String()); where != "" {
		return Objects[T]{},
			fmt.Errorf("buddy: %s is a %s, and no garbage collector looks into a pool: use an index or an array instead", where,
				kind)
	}
	return Objects[T]{p}, nil
}

// New returns a new value, which is zero. See [Pool.Alloc] for errors.
func (o Objects[T]) New() (*T, error) {
	var zero T
	b, err := o.pool.Alloc(unsafe.Sizeof(zero))
	if err != nil {
		return nil, err
	}
	v := (*T)(b)
	*v = zero
	return v, nil
}

// Free takes back a value that New gave. It must not be used after that.
func (o Objects[T]) Free(v *T) { o.pool.Free(unsafe.Pointer(v), unsafe.Sizeof(*v)) }
