// This file owns traces: programs in files.

package workload

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Trace is a program that was read from a file.
type Trace struct{ ops [][]Op } // by rank

// Ranks implements [Program].
func (t *Trace) Ranks() int { return len(t.ops) }

// Op implements [Program].
func (t *Trace) Op(rank, index int) (Op, bool) {
	if index >= len(t.ops[rank]) {
		return Op{}, false
	}
	return t.ops[rank][index], true
}

// OpenTrace reads a trace from a file. See [ReadTrace].
func OpenTrace(path string) (*Trace, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w: name a trace file", ErrWorkload, err)
	}
	defer f.Close()
	t, err := ReadTrace(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// maxTraceRanks is the greatest number of ranks of a trace.
const maxTraceRanks = 1 << 20

// ReadTrace reads a trace: text with a line for each operation, in the order in which each rank does
// them. Operations of different ranks may be mixed. A line has words between spaces:
//
//	ranks 2            the number of ranks; the first line
//	0 compute 1500     rank 0 computes for 1500 ns
//	0 send 1 4096 7    rank 0 sends 4096 bytes to rank 1, with the tag 7
//	1 recv 0 7         rank 1 waits for a message of rank 0 with the tag 7
//	* compute 100      all ranks
//
// A tag may be left out and is then 0. Tags are at most 2^32-1, bytes at most 2^40, times at most 10^12 ns.
// What is behind # is a comment, and empty lines do not count. Each receive needs its send: a trace
// with another number of sends than receives between two ranks with a tag is refused, since it could
// not end.
func ReadTrace(r io.Reader) (*Trace, error) {
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<16)
	t := &Trace{}
	open := map[channel]int{}
	number := 0
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: trace, line %d: "+format, append([]any{ErrWorkload, number}, args...)...)
	}
	for in.Scan() {
		number++
		text, _, _ := strings.Cut(in.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		if t.ops == nil {
			n, err := 0, error(nil)
			if len(words) == 2 {
				n, err = strconv.Atoi(words[1])
			}
			if words[0] != "ranks" || err != nil || n < 1 || n > maxTraceRanks {
				return nil, bad("%q: the first line must be ranks N, with 1 to %d", text, maxTraceRanks)
			}
			t.ops = make([][]Op, n)
			continue
		}
		op, err := parseOp(words[1:], len(t.ops))
		if err != nil {
			return nil, bad("%q: %v", text, err)
		}
		first, end := 0, len(t.ops)
		if words[0] != "*" {
			rank, err := strconv.Atoi(words[0])
			if err != nil || rank < 0 || rank >= end {
				return nil, bad("%q: must begin with a rank, 0 to %d, or *", text, end-1)
			}
			first, end = rank, rank+1
		}
		for rank := first; rank < end; rank++ {
			t.ops[rank] = append(t.ops[rank], op)
			switch op.Kind {
			case Send:
				open[channel{int32(rank), op.Peer, op.Tag}]++
			case Receive:
				open[channel{op.Peer, int32(rank), op.Tag}]--
			}
		}
	}
	if err := in.Err(); err != nil {
		number++
		return nil, bad("%v", err)
	}
	if t.ops == nil {
		return nil, bad("there is no line ranks N")
	}
	if err := checkSends(open); err != nil {
		return nil, err
	}
	return t, nil
}

// channel is what messages of a trace have in common that take each other's place.
type channel struct {
	from, to int32
	tag      uint32
}

// checkSends looks for sends without a receive, and the reverse. It names the first in the order of ranks.
func checkSends(open map[channel]int) error {
	var odd []channel
	for c, n := range open {
		if n != 0 {
			odd = append(odd, c)
		}
	}
	if len(odd) == 0 {
		return nil
	}
	c := slices.MinFunc(odd, func(a, b channel) int {
		return slices.Compare([]int64{int64(a.from), int64(a.to), int64(a.tag)},
			[]int64{int64(b.from), int64(b.to), int64(b.tag)})
	})
	return fmt.Errorf("%w: trace: rank %d sends %+d messages more than rank %d receives with the tag %d", ErrWorkload,
		c.from, open[c], c.to, c.tag)
}

// parseOp returns the operation of a line, without its first word.
func parseOp(words []string, ranks int) (op Op, err error) {
	kind := -1
	if len(words) > 0 {
		kind = slices.Index(kinds[:], words[0])
	}
	if kind < 0 {
		return op, fmt.Errorf("give compute, send or recv behind the rank")
	}
	op.Kind = Kind(kind)
	words = words[1:]
	if op.Kind == Compute {
		if len(words) == 1 {
			op.Time, err = strconv.ParseFloat(words[0], 64)
		}
		if len(words) != 1 || err != nil || !(op.Time >= 0 && op.Time <= 1e12) {
			return op, fmt.Errorf("compute takes a time of 0 to 10^12 ns")
		}
		return op, nil
	}
	least, form := 2, "send takes a rank, bytes, and perhaps a tag"
	if op.Kind == Receive {
		least, form = 1, "recv takes a rank, and perhaps a tag"
	}
	if len(words) < least || len(words) > least+1 {
		return op, fmt.Errorf("%s", form)
	}
	limits := [...]uint64{uint64(ranks) - 1, 1 << 40, math.MaxUint32}
	if op.Kind == Receive {
		limits = [...]uint64{uint64(ranks) - 1, math.MaxUint32, 0}
	}
	var numbers [3]uint64
	for i, word := range words {
		if numbers[i], err = strconv.ParseUint(word, 10, 64); err != nil || numbers[i] > limits[i] {
			return op, fmt.Errorf("%s: %s must be a number of 0 to %d", form, word, limits[i])
		}
	}
	op.Peer = int32(numbers[0])
	if op.Kind == Send {
		op.Bytes, op.Tag = int64(numbers[1]), uint32(numbers[2])
	} else {
		op.Tag = uint32(numbers[1])
	}
	return op, nil
}
