// This file owns Gather, which sends a value of each rank to all.

package ranks

import (
	"bytes"
	"encoding/gob"
	"fmt"
)

// Gather returns the values of all ranks, in the order of ranks, on all of them. Only exported
// fields of T are sent, as in package gob. All ranks call Gather.
func Gather[T any](w World, own *T) ([]T, error) {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(own); err != nil {
		return nil, fmt.Errorf("ross: rank %d: encode its value for the others: %w", w.Rank(), err)
	}
	texts, err := w.AllGather(b.Bytes())
	if err != nil {
		return nil, err
	}
	all := make([]T, len(texts))
	for rank, text := range texts {
		if err := gob.NewDecoder(bytes.NewReader(text)).Decode(&all[rank]); err != nil {
			return nil, fmt.Errorf("ross: decode the value of rank %d: %w", rank, err)
		}
	}
	return all, nil
}
