// This file owns the reading of labels, and names of LPs with them.

package labels

import (
	"encoding/csv"
	"io"
	"os"
	"strconv"
)

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
			found[id] = row[1]
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
