// This file owns what ranks gather, and combine along a tree.

package ranks

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"fmt"
)

// Fold returns, on all ranks, the values of all ranks made one by merge, which adds to the value of
// lower ranks that of the ranks that follow. A rank holds two values at a time, and there are two
// messages for each rank. As in package gob, only exported fields of T are sent. All ranks call
// Fold.
func Fold[T any](w World, own *T, merge func(to, more *T)) (*T, error) {
	rank, size := w.Rank(), w.Size()
	step := 1
	for ; step < size && rank&step == 0; step *= 2 {
		if rank+step >= size {
			continue
		}
		b, err := w.Receive(rank + step)
		if err != nil {
			return nil, fault("combine values", err)
		}
		more, err := decoded[T](b)
		if err != nil {
			return nil, broken(w, err)
		}
		merge(own, more)
	}
	b, err := encoded(own)
	if err != nil {
		return nil, broken(w, fmt.Errorf("ross: rank %d: encode its value for the others: %w", rank, err))
	}
	if rank > 0 {
		if err := w.Send(b, rank-step); err != nil {
			return nil, fault("combine values", err)
		}
	}
	if b, err = w.Bcast(b, 0); err != nil {
		return nil, fault("combine values", err)
	}
	all, err := decoded[T](b)
	return all, broken(w, err)
}

// Collect calls f on rank 0 with the bytes of each rank, in the order of ranks, its own included.
// One list is in memory at a time; f must not keep it. All ranks call Collect. Rank 0 asks for the
// lists one after the other, so that those of many ranks do not wait in its memory.
func Collect(w World, own []byte, f func(rank int, list []byte) error) error {
	if w.Rank() > 0 {
		_, err := w.Receive(0)
		if err == nil {
			err = w.Send(own, 0)
		}
		return faultIf("collect lists", err)
	}
	first := f(0, own)
	for rank := 1; rank < w.Size(); rank++ {
		err := w.Send(nil, rank)
		var list []byte
		if err == nil {
			list, err = w.Receive(rank)
		}
		if err != nil {
			return fault("collect lists", err)
		}
		if first == nil { // the other ranks wait to be asked
			first = f(rank, list)
		}
	}
	return first
}

// Before replaces each of the values by the sum of those that lower ranks have given for it. All
// ranks call it with as many values.
func Before(w World, values []int64) error {
	rank, size := w.Rank(), w.Size()
	sum := append([]int64(nil), values...) // of the last ranks up to this one
	clear(values)
	for step := 1; step < size; step *= 2 {
		// Neighbours at this distance call Send and Receive in opposite orders.
		var came []byte
		var err error
		send := func() {
			if err == nil && rank+step < size {
				err = w.Send(wordsOf(sum), rank+step)
			}
		}
		receive := func() {
			if err == nil && rank >= step {
				came, err = w.Receive(rank - step)
			}
		}
		if rank/step%2 == 0 {
			send()
			receive()
		} else {
			receive()
			send()
		}
		if err != nil {
			return fault("add up sizes", err)
		}
		if rank >= step && len(came) != 8*len(values) {
			return broken(w, fault("add up sizes", lengthError(rank-step, len(came))))
		}
		for i := range len(came) / 8 {
			n := int64(binary.LittleEndian.Uint64(came[8*i:]))
			values[i] += n
			sum[i] += n
		}
	}
	return nil
}

func encoded[T any](v *T) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(v)
	return b.Bytes(), err
}

func decoded[T any](b []byte) (*T, error) {
	v := new(T)
	if err := gob.NewDecoder(bytes.NewReader(b)).Decode(v); err != nil {
		return nil, fmt.Errorf("ross: decode the value of other ranks: %w", err)
	}
	return v, nil
}

// wordsOf returns the bytes of numbers.
func wordsOf(values []int64) (b []byte) {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	return b
}

// faultIf is fault, and nil without a cause.
func faultIf(doing string, cause error) error {
	if cause == nil {
		return nil
	}
	return fault(doing, cause)
}

// Gather, which sends a value of each rank to all.

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
