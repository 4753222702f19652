// This file owns the blocks of a text for other commands.

package life

import (
	"os"
	"strings"
)

// Block is what the text of a watch says of an event at an LP.
type Block struct {
	Name  string // of the LP, with its label and type, as the text has it
	At    float64
	Lines []string // without the spaces around them
}

// Blocks returns the blocks of the text in a file by the ids of LPs, in the order of the text.
func Blocks(path string) (map[uint64][]Block, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	h := newTexts()
	if err := h.read(path, f); err != nil {
		return nil, err
	}
	all := map[uint64][]Block{}
	for id, t := range h.lps {
		name := lpName(id, t.label) + " (" + t.typ + ")"
		for _, b := range t.blocks {
			one := Block{Name: name, At: b.at}
			for _, l := range b.lines {
				one.Lines = append(one.Lines, strings.TrimSpace(l.String()))
			}
			all[id] = append(all[id], one)
		}
	}
	return all, nil
}
