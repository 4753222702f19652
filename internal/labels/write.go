// This file owns the writing of labels.

package labels

import (
	"bufio"
	"encoding/csv"
	"io"
	"strconv"
)

// The names of the columns.
const (
	idColumn    = "id"
	labelColumn = "label"
)

// Writer writes a file of labels.
type Writer struct {
	csv *csv.Writer
	row [2]string
}

// NewWriter begins a file with its header.
func NewWriter(to io.Writer) *Writer {
	w := &Writer{csv: csv.NewWriter(bufio.NewWriterSize(to, 64<<10)), row: [2]string{idColumn, labelColumn}}
	_ = w.csv.Write(w.row[:]) // Close returns the error
	return w
}

// Add writes the label of an LP, in ascending order of the ids; "" is left out.
func (w *Writer) Add(id uint64, label string) {
	if label == "" {
		return
	}
	w.row = [2]string{strconv.FormatUint(id, 10), label}
	_ = w.csv.Write(w.row[:]) // likewise
}

// Close writes what is left, and returns the first error of all writes.
func (w *Writer) Close() error {
	w.csv.Flush()
	return w.csv.Error()
}

// Write writes a file with the labels of the LPs with ids below n.
func Write(to io.Writer, n uint64, label func(id uint64) string) error {
	w := NewWriter(to)
	for id := range n {
		w.Add(id, label(id))
	}
	return w.Close()
}
