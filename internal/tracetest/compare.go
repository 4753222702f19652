// This file owns the comparison of two traces and the text of its error.

package tracetest

import (
	"errors"
	"fmt"
	"strings"
)

// around is how many records before and after the first difference are shown.
const around = 3

// Compare returns nil if the traces hold the same records in the same order.
// Else the error names the first position, from 0, at which they differ, and
// shows the records around it.
func Compare(got, want []Record) error {
	n := min(len(got), len(want))
	i := 0
	for i < n && got[i] == want[i] {
		i++
	}
	if i == len(got) && i == len(want) {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "ross: traces of %d and %d records differ at record %d:\n", len(got), len(want), i)
	for j := max(i-around, 0); j <= i+around && j < max(len(got), len(want)); j++ {
		mark := ' '
		if at(got, j) != at(want, j) {
			mark = '!'
		}
		fmt.Fprintf(&b, "%c %6d  got %-36s want %s\n", mark, j, at(got, j), at(want, j))
	}
	return errors.New(strings.TrimSuffix(b.String(), "\n"))
}

func at(records []Record, i int) string {
	if i >= len(records) {
		return "nothing"
	}
	return records[i].String()
}
