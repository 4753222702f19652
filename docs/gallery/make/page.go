// This file owns the page, and the list of the models: the order of the page.

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"
)

// section is a part of the page.
type section struct {
	title   string
	entries []entry
}

// entry is a picture of a program in models. A second one of the same program follows the first.
type entry struct {
	name      string // of the program
	file      string // of the picture, without .svg; "": the name
	alt       string // what the picture shows, for readers who do not see it
	simulates string // line of the page: what the program simulates; "" in a second entry
	see       string // line of the page: what is worth seeing in the picture
	options   string // of the command on the page, which each run of the picture has
	small     string // options that make the command small, for the test of the page
	draw      func(r *runs) *chart
}

// pictureName returns the name of the picture's file, without .svg.
func (e *entry) pictureName() string { return cmp.Or(e.file, e.name) }

// gallery has the models in the order of the page.
var gallery = []section{
	{"First steps", firstSteps},
	{"Models of ROSS", modelsOfROSS},
	{"Networks", networks},
	{"Trials of the engine", trials},
}

const intro = `<!-- Made by "go run ./docs/gallery/make", which also draws the pictures: change its entries, not this file. -->

# The models, and what they compute

Every model in [models](../models) has a picture of results here. The results are virtual times and counts, which are
the same on every machine, and with every scheduler and number of PEs. Each command makes one of the runs of its
picture, sequentially; with ` + "`--synch=3 --pes=2`" + ` it does so optimistically on two cores. Some write files to the current
folder. Pictures of [studies](gallery/studies.md), which make many runs, and of [what happens in runs](gallery/pictures.md),
are on pages of their own.
`

// page returns the page in Markdown.
func page(sections []section) []byte {
	var b bytes.Buffer
	b.WriteString(intro)
	for _, s := range sections {
		fmt.Fprintf(&b, "\n## %s\n", s.title)
		for i, e := range s.entries {
			if i == 0 || e.name != s.entries[i-1].name {
				fmt.Fprintf(&b, "\n### [%s](../models/%s/README.md)\n", e.name, e.name)
			}
			b.WriteString("\n")
			e.write(&b)
		}
	}
	return b.Bytes()
}

// write writes the picture, its lines and its command.
func (e *entry) write(b *bytes.Buffer) {
	fmt.Fprintf(b, "![%s](gallery/%s.svg)\n\n", e.alt, e.pictureName())
	if e.simulates != "" {
		fmt.Fprintln(b, item(e.simulates))
	}
	fmt.Fprintf(b, "%s\n\n<!-- tested with %s -->\n\n    go run ./models/%s %s\n", item(e.see), e.small, e.name, e.options)
}

// lineMost is how long a line of the page is at most.
const lineMost = 120

// item returns a text as an item of a list.
func item(text string) string {
	var b strings.Builder
	column := 0
	b.WriteString("-")
	for word := range strings.FieldsSeq(text) {
		if column += 1 + utf8.RuneCountInString(word); column+1 > lineMost {
			b.WriteString("\n ")
			column = 1 + utf8.RuneCountInString(word)
		}
		b.WriteString(" " + word)
	}
	return b.String()
}
