// The replacements on other Unix systems for calls that only Linux has.

//go:build unix && !linux

package mem

const noReserve = 0

func adviseHuge([]byte) {}

// Available returns the bytes that a run may use if the system does not say: 8 GiB.
// --max-memory overrides it.
func Available() uint64 { return min(8<<30, most) }

// AddressSpace returns the bytes of address space that the process has left, if
// known: 64 TiB, half of what common 64-bit systems give.
func AddressSpace() uint64 { return 1 << 46 }

// resident returns 0: only Linux reports how much memory a process has.
func resident() uint64 { return 0 }
