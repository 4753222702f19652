// Package labels writes and reads files with what a model calls its LPs (ross.Type.Label), so that a
// program without the model, such as rossreader, can show LP 7 as "router (3,4,5)".
//
// A file is CSV with a header and a line for each LP that has a label, by ascending id:
//
//	id,label
//	7,"router (3,4,5)"
//
// Labels are cells of package csvtext.
//
// Such a file is a description: nothing but texts for people depends on it. So [Read] has no error:
// without a file, or with a damaged one, no LP has a label and texts show the ids alone.
package labels

import (
	"bufio"
	"encoding/csv"
	"io"
	"os"
	"strconv"

	"github.com/ross-go/ross/internal/sys/csvtext"
)

// The reading of labels, and names of LPs with them.

// Labels are labels by the ids of LPs. Nil has none.
type Labels map[uint64]string

// Read reads the labels of those LPs of a file that wanted chooses; nil chooses all. It returns nil
// if the file does not exist, cannot be read, or is damaged: not CSV with the header, an id that is
// no number or not above the one before, or a last line that does not end.
func Read(path string, wanted func(id uint64) bool) Labels {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	if !endsLine(f) {
		return nil
	}
	r := csv.NewReader(f)
	r.FieldsPerRecord, r.ReuseRecord = 2, true
	row, err := r.Read()
	if err != nil || row[0] != idColumn || row[1] != labelColumn {
		return nil
	}
	found := Labels{}
	for next := uint64(0); ; {
		row, err := r.Read()
		if err == io.EOF {
			return found
		}
		if err != nil {
			return nil
		}
		id, err := strconv.ParseUint(row[0], 10, 64)
		if err != nil || id < next {
			return nil
		}
		next = id + 1
		if wanted == nil || wanted(id) {
			found[id] = csvtext.Parse(row[1])
		}
	}
}

// endsLine reports whether the last byte of a file ends a line.
func endsLine(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return false
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], info.Size()-1)
	return err == nil && last[0] == '\n'
}

// Name returns how texts name an LP: 7, or 7 "router (3,4,5)" with its label.
func (l Labels) Name(id uint64) string { return string(l.Append(nil, id)) }

// Append appends Name to b.
func (l Labels) Append(b []byte, id uint64) []byte {
	b = strconv.AppendUint(b, id, 10)
	if label := l[id]; label != "" {
		b = strconv.AppendQuote(append(b, ' '), label)
	}
	return b
}

// The writing of labels.

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
	w.row = [2]string{strconv.FormatUint(id, 10), csvtext.Cell(label)}
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
