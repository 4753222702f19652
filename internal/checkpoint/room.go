// This file owns the memory of a copy. It counts towards the ceiling; a copy that finds no room
// under it goes to a file without a name beside the checkpoint.

package checkpoint

import (
	"path/filepath"
	"unsafe"

	"github.com/ross-go/ross/internal/mem"
	"github.com/ross-go/ross/rio"
)

// dropEach is the number of bytes of a file after which the memory of the whole is given back.
const dropEach = 4 << 20

// copyRoom is the memory of the copy of a PE.
type copyRoom struct {
	budget  *mem.Budget
	charged uint64
	filed   []byte // in a file; nil: in Go's heap
	rest    []byte // of filed, not given out yet
	touched int    // bytes of filed written or read since they were last dropped
	release func() // of filed
}

// newRoom makes room for n bytes of data, and counts beside bytes more that are there in any case.
func (k *Keeper) newRoom(n, beside int, folder string) (*copyRoom, error) {
	r := &copyRoom{budget: k.PE.Budget}
	if r.charge(n+beside) || k.relieve() && r.charge(n+beside) {
		return r, nil
	}
	r.budget.Take(uint64(beside))
	r.charged = uint64(beside)
	if n == 0 {
		return r, nil
	}
	var err error
	r.filed, r.release, err = mem.Filed(folder, n)
	if r.rest = r.filed; err != nil {
		r.give()
	}
	return r, err
}

// charge charges n bytes, unless they are too many.
func (r *copyRoom) charge(n int) bool {
	if r.budget.Charge(uint64(n)) != nil {
		return false
	}
	r.charged = uint64(n)
	return true
}

// relieve gives back what the PE can do without while it stands still: its histories are empty.
func (k *Keeper) relieve() bool {
	pe := k.PE
	pe.Arena.GiveBack()
	pe.DropHistories()
	return true
}

// bytes returns room for n bytes, to be appended to.
func (r *copyRoom) bytes(n int) []byte {
	if r.filed == nil {
		b := make([]byte, 0, n)
		mem.AdviseHuge(unsafe.Pointer(unsafe.SliceData(b)), uintptr(n))
		return b
	}
	b := r.rest[:0:n]
	r.rest = r.rest[n:]
	return b
}

// touch is called when n bytes of the room have been written or read.
func (r *copyRoom) touch(n int) {
	if r.filed == nil {
		return
	}
	if r.touched += n; r.touched >= dropEach {
		r.touched = 0
		mem.Drop(r.filed)
	}
}

// give gives the memory back. r may be nil, and nothing of it may be used afterwards.
func (r *copyRoom) give() {
	if r == nil {
		return
	}
	r.budget.Give(r.charged)
	if r.release != nil {
		r.release()
	}
	*r = copyRoom{budget: r.budget}
}

// freeRooms gives back the memory of the copy: it has been written, or will not be.
func (c *Copied) freeRooms() {
	c.lock.Lock()
	rooms := c.rooms
	c.rooms = nil
	c.lock.Unlock()
	c.parts, c.index = nil, nil
	for _, r := range rooms {
		r.give()
	}
}

// used is called when a part has been read: what is in a file need not stay in memory.
func (c *Copied) used(p *rio.Part) {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(p.Data)))
	for _, r := range c.rooms {
		if from := uintptr(unsafe.Pointer(unsafe.SliceData(r.filed))); r.filed != nil && at-from < uintptr(len(r.filed)) {
			mem.Drop(r.filed)
		}
	}
}

// folderOf returns the folder of a checkpoint with this name, or of those of the running simulation.
func (s *Checkpoints) folderOf(name string) string {
	if name == "" {
		name = s.Run.Set.IOName
	}
	return filepath.Dir(name)
}
