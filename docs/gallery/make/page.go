// This file owns the page, and the list of the models: the order of the page.

package main

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// section is a part of the page.
type section struct {
	title   string
	entries []entry
}

// entry is a program in models, with its picture.
type entry struct {
	name      string // of the program
	alt       string // what the picture shows, for readers who do not see it
	simulates string // line of the page: what the program simulates
	see       string // line of the page: what is worth seeing in the picture
	options   string // of the command on the page, which each run of the picture has
	small     string // options that make the command small, for the test of the page
	draw      func(r *runs) drawing
}

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
folder.
`

// page returns the page in Markdown.
func page(sections []section) []byte {
	var b bytes.Buffer
	b.WriteString(intro)
	for _, s := range sections {
		fmt.Fprintf(&b, "\n## %s\n", s.title)
		for _, e := range s.entries {
			fmt.Fprintf(&b, "\n### [%s](../models/%s/README.md)\n\n", e.name, e.name)
			fmt.Fprintf(&b, "![%s](gallery/%s.svg)\n\n", e.alt, e.name)
			fmt.Fprintf(&b, "%s\n%s\n\n", item(e.simulates), item(e.see))
			fmt.Fprintf(&b, "<!-- tested with %s -->\n\n    go run ./models/%s %s\n", e.small, e.name, e.options)
		}
	}
	return b.Bytes()
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
