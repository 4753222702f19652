// This file owns the program: what it reads, and what it says.

// Command doclinks looks for links that lead nowhere, as pkg.go.dev and GitHub would show them: doc links in the
// comments of the packages of modules, and links between pages. ROOT is the folder of the repository, and FOLDER... are
// those of the modules in it:
//
//	doclinks ROOT FOLDER...
//
// A doc link leads to a package of the modules or of the standard library, to a name that it exports, or to a field.
// A link of a page leads to a file of the repository and to a heading in it. It may be relative, or be one to the
// repository on GitHub or to a package on pkg.go.dev.
package main

import (
	"fmt"
	"io"
	"os"
	"slices"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run returns the exit status of the program.
func run(args []string, out, messages io.Writer) int {
	if len(args) < 2 {
		fmt.Fprintln(messages, "usage: doclinks ROOT FOLDER...")
		return 2
	}
	all, err := read(args[0], args[1:])
	if err != nil {
		fmt.Fprintln(messages, "doclinks: error:", err)
		return 2
	}
	found, links := all.docLinks()
	more, pages, err := all.pageLinks(args[0])
	if err != nil {
		fmt.Fprintln(messages, "doclinks: error:", err)
		return 2
	}
	found = append(found, more...)
	slices.Sort(found)
	for _, one := range slices.Compact(found) {
		fmt.Fprintln(out, one)
	}
	if len(found) > 0 {
		return 1
	}
	fmt.Fprintf(out, "doclinks: %d doc links of %d packages and %d links of pages lead somewhere\n", links, len(all.own),
		pages)
	return 0
}
