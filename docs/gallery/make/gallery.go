// This file owns the list of the models: the order of the page.

package main

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
