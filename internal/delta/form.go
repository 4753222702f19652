// Forms: the encodings of a delta, for statistics and tests.

package delta

// Kind is the encoding of a delta.
type Kind uint8

// The kinds of deltas. A delta begins with its kind.
const (
	None    Kind = iota // nothing changed: the empty delta
	Raw                 // the XOR of all words
	ZeroRun             // bitmaps, and the XOR of the words that changed
	LZ4                 // an LZ4 block of one of the two
)

// Form returns the encoding of a delta that Encode wrote.
func Form(delta []byte) Kind {
	if len(delta) == 0 {
		return None
	}
	return Kind(delta[0])
}

// String returns the name of k.
func (k Kind) String() string {
	if k > LZ4 {
		return "unknown"
	}
	return [...]string{"none", "raw", "zero-run", "lz4"}[k]
}
