// This file owns the reading of a column of numbers.

package fit

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/internal/sys/atomicfile"
)

// Column reads the numbers of a column of a CSV file whose first line has the names of the columns. column may be "" if
// there is only one; then the first line may also be a number. Empty cells are left out. Errors name file and line.
func Column(path, column string) ([]float64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("ross: fit: %w: %s", err, atomicfile.Remedy(err, "name a file that can be read"))
	}
	defer f.Close()
	return ReadColumn(f, path, column)
}

// ReadColumn is Column for what r reads; name is that of the file in errors.
func ReadColumn(r io.Reader, name, column string) ([]float64, error) {
	in := csv.NewReader(r)
	in.ReuseRecord = true
	var data []float64
	at := -1
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("ross: fit: %s: %w: give a CSV file with the same number of columns in each line", name, err)
		}
		if at < 0 {
			var first bool
			if at, first, err = find(cells, name, column); err != nil {
				return nil, err
			}
			if !first {
				continue
			}
		}
		cell := strings.TrimSpace(cells[at])
		if cell == "" {
			continue
		}
		x, err := strconv.ParseFloat(cell, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			line, _ := in.FieldPos(at)
			return nil, fmt.Errorf("ross: fit: %s:%d: %q is not a finite number: correct it, or leave the cell empty", name,
				line, cell)
		}
		data = append(data, x)
	}
	if len(data) == 0 {
		return nil, fmt.Errorf("ross: fit: %s: no numbers: give a file with some", name)
	}
	return data, nil
}

// find returns the number of a column. first says that the first line has a number in it, and no names.
func find(cells []string, name, column string) (at int, first bool, err error) {
	for i := range cells {
		cells[i] = strings.TrimSpace(strings.TrimPrefix(cells[i], "\ufeff"))
	}
	if column == "" && len(cells) == 1 {
		_, err := strconv.ParseFloat(cells[0], 64)
		return 0, err == nil, nil
	}
	at = slices.Index(cells, column)
	if at < 0 {
		return 0, false, fmt.Errorf("ross: fit: %s: no column %q: there are %q", name, column, cells)
	}
	return at, false, nil
}
