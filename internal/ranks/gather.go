// This file owns Gather: what each rank has to say becomes known to all.

package ranks

import (
	"bytes"
	"encoding/gob"
	"fmt"
)

// Gather returns a value of each rank, in their order, on all of them. Only exported fields
// of T travel, as package gob has it. All ranks call Gather.
func Gather[T any](w World, own *T) ([]T, error) {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(own); err != nil {
		return nil, fmt.Errorf("ross: rank %d: what it tells the others: %w", w.Rank(), err)
	}
	texts, err := w.AllGather(b.Bytes())
	if err != nil {
		return nil, err
	}
	all := make([]T, len(texts))
	for rank, text := range texts {
		if err := gob.NewDecoder(bytes.NewReader(text)).Decode(&all[rank]); err != nil {
			return nil, fmt.Errorf("ross: what rank %d tells the others: %w", rank, err)
		}
	}
	return all, nil
}
