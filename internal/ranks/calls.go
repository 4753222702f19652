// This file owns the calls that all ranks make together: the first step of each compares what they call, so
// that ranks that call different things, or of which one leaves, get an error and do not wait.

package ranks

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/ross-go/ross/internal/mpi"
)

// Leaving is the call of a rank that makes no further calls.
const Leaving = "Close"

// Call begins a call that all ranks make, and which must not have begun to exchange anything. call says what
// this rank does, such as "Reduce of main.Sum". Call returns an error on all ranks if another one does
// something else, which names the calls of both, or if one has an error of its own. After a rank has left, each
// call of another one returns the same error at once.
func (c *Cluster) Call(call string, own error) error {
	switch {
	case c.Ranks <= 1 || c.World == nil:
		return own
	case c.over != nil && own != nil:
		return own
	case c.over != nil:
		return c.over
	}
	hash := sha256.Sum256([]byte(call))
	tag := int64(binary.LittleEndian.Uint64(hash[:]))
	words := []int64{0, tag, ^tag} // equal if the largest is that of all
	if own != nil {
		words[0] = 1
	}
	if cause := c.World.AllReduceInt64(mpi.Max, words); cause != nil {
		return untold(own, cause)
	}
	switch {
	case words[1] != ^words[2]:
		f, cause := c.differentCalls(call, own)
		if cause != nil {
			return untold(own, cause)
		}
		return f
	case words[0] != 0:
		return tell(c.World, own, c.exitCode(own))
	}
	return nil
}

// differentCalls returns the error of ranks that do not call the same. The lowest rank that does not leave
// speaks, since one that leaves may have had its say.
func (c *Cluster) differentCalls(call string, own error) (*Failure, error) {
	text := ""
	if own != nil {
		text = own.Error()
	}
	lists, err := AllGatherBytes(c.World, append(append([]byte(call), 0), text...))
	if err != nil {
		return nil, err
	}
	calls, texts := make([]string, len(lists)), make([]string, len(lists))
	for rank, list := range lists {
		name, text, _ := bytes.Cut(list, []byte{0})
		calls[rank], texts[rank] = string(name), string(text)
	}
	differ := fmt.Errorf("ross: %s: %s at the same time: let all ranks make the same calls in the same order", calls[0], others(calls))
	speaker := slices.IndexFunc(calls, func(call string) bool { return call != Leaving })
	f := &Failure{Err: differ, First: &RemoteError{Rank: speaker, Text: differ.Error(), Code: c.exitCode(differ)}, Speaks: speaker == c.Rank}
	if own != nil {
		f.Err = &unreportedError{own: differ, cause: own}
	}
	if slices.Contains(calls, Leaving) {
		c.over = f
	}
	for rank, text := range texts {
		switch {
		case text == "" || rank == c.Rank || slices.Contains(texts[:rank], text):
		case len(f.Others) == most:
			f.More++
		default:
			if len(text) > otherBytes {
				text = prefix(text, otherBytes) + "..."
			}
			f.Others = append(f.Others, &RemoteError{Rank: rank, Text: text, Code: 1})
		}
	}
	return f, nil
}

// others says what ranks call that do not call what rank 0 calls.
func others(calls []string) string {
	var texts []string
	for rank, call := range calls {
		if slices.Index(calls, call) != rank || rank == 0 {
			continue
		}
		var same []int
		for i, other := range calls {
			if other == call {
				same = append(same, i)
			}
		}
		verb := "call"
		if len(same) == 1 {
			verb = "calls"
		}
		texts = append(texts, listOf(same)+" "+verb+" "+call)
	}
	if n := len(texts) - most; n > 0 {
		texts = append(texts[:most], fmt.Sprintf("others make %d other calls", n))
	}
	return strings.Join(texts, ", and ")
}

// Gather returns the bytes of all ranks, by rank, to all of them. It is for a call that has begun.
func (c *Cluster) Gather(own []byte) (lists [][]byte, err error) {
	if c.Ranks <= 1 {
		return [][]byte{own}, nil
	}
	if c.alone() {
		return nil, c.over
	}
	return AllGatherBytes(c.World, own)
}

// Leave tells the other ranks that this one makes no further calls. It is no error here that they do something
// else, only that they cannot be reached.
func (c *Cluster) Leave() error {
	if c.over != nil { // which has been reported
		return nil
	}
	if err := c.Call(Leaving, nil); c.Broken.Load() {
		return err
	}
	return nil
}
