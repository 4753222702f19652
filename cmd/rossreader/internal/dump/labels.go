// This file owns --labels: columns with what the model calls LPs.

package dump

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/labels"
)

// labelColumns are the columns with labels of a kind of record.
type labelColumns struct {
	names labels.Labels
	of    []int    // columns with the ids
	title []string // of the columns with the labels
}

// labelTitles are the titles, by those of the columns with ids.
var labelTitles = map[string]string{"source_lp": "source_label", "destination_lp": "destination_label", "lp_id": "lp_label"}

// readLabels reads the labels, if they are asked for.
func (o *options) readLabels(in cli.Input, stderr io.Writer) {
	if !o.labels {
		return
	}
	if !in.Stdin {
		o.names = cli.LabelsOf(in.Name, nil)
	}
	if o.names == nil {
		fmt.Fprintf(stderr, "rossreader dump: no labels of LPs for %s: the model has none, or its file *%s is missing or damaged\n", in.Name, instr.LabelsSuffix)
	}
}

// labelsOf returns the columns with labels of a kind, none unless they are asked for.
func (o *options) labelsOf(kind instr.Kind) (l labelColumns) {
	if !o.labels {
		return l
	}
	l.names = o.names
	for i, c := range columns[kind] {
		if title, ok := labelTitles[c.name]; ok {
			l.of, l.title = append(l.of, i), append(l.title, title)
		}
	}
	return l
}

// appendCSV appends the labels of a record.
func (l *labelColumns) appendCSV(dst []byte, cells []uint64) []byte {
	for _, i := range l.of {
		dst = appendText(append(dst, ','), l.names[cells[i]])
	}
	return dst
}

// appendText appends a text in the form of CSV.
func appendText(dst []byte, text string) []byte {
	if strings.ContainsAny(text, ",\"\r\n") {
		text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return append(dst, text...)
}

// appendJSON appends the labels of a record, with their keys.
func (l *labelColumns) appendJSON(dst []byte, cells []uint64) []byte {
	for k, i := range l.of {
		label, err := json.Marshal(l.names[cells[i]])
		if err != nil {
			label = []byte(`""`)
		}
		dst = append(append(dst, `,"`+l.title[k]+`":`...), label...)
	}
	return dst
}
