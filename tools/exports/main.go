// This file owns the program: which modules it reads, and what it says.

// Command exports compares the exported names of the released modules with tools/exports/*.txt, which has a file for
// each module, and a line for each name, with its type or value. ROOT is the folder of the repository:
//
//	exports ROOT           compare, and fail if a line was added or removed
//	exports -write ROOT    write the files
//
// Packages in folders internal, commands, and what calls C for the engine are left out. The packages are type-checked
// from their sources for several systems, with and without cgo, and with MPI; all have to have the same names. Where
// names have changed and the repository has a tag of a version, it also says which changes since are incompatible.
package main

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// modules are those with packages that others import, by their folders; the files have their names.
var modules = []struct{ folder, file string }{
	{".", "ross.txt"}, {"proc", "proc.txt"}, {"program/parts", "parts.txt"}, {"models", "models.txt"},
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run returns the exit status of the program.
func run(args []string, out, messages io.Writer) int {
	flags := flag.NewFlagSet("exports", flag.ContinueOnError)
	flags.SetOutput(messages)
	write := flags.Bool("write", false, "write the files")
	if flags.Parse(args) != nil || flags.NArg() != 1 {
		fmt.Fprintln(messages, "usage: exports [-write] ROOT")
		return 2
	}
	differ, err := compare(flags.Arg(0), *write, out)
	if err != nil {
		fmt.Fprintln(messages, "exports: error:", err)
		return 2
	}
	if differ && !*write {
		return 1
	}
	return 0
}

// compare compares the files with the code, or writes them, and says what differs.
func compare(root string, write bool, out io.Writer) (differ bool, err error) {
	var folders []string
	for _, m := range modules {
		folders = append(folders, m.folder)
	}
	l := newLoader()
	first, err := l.load(root, variants[0], folders)
	if err != nil {
		return false, err
	}
	names := map[string]int{}
	for _, m := range modules {
		file := filepath.Join(root, "tools", "exports", m.file)
		there, err := os.ReadFile(file)
		if err != nil && !(write && os.IsNotExist(err)) {
			return false, err
		}
		lines := namesOf(first[m.folder])
		if at := slices.IndexFunc(lines, func(s string) bool { return strings.Contains(s, "invalid type") }); at >= 0 {
			return false, fmt.Errorf("%s: this depends on a type of C: give it one of Go", lines[at])
		}
		names[m.file] = len(lines)
		changes := difference(linesOf(string(there)), lines)
		if len(changes) == 0 {
			continue
		}
		differ = true
		fmt.Fprintf(out, "tools/exports/%s:\n%s\n", m.file, strings.Join(changes, "\n"))
		if write {
			text := strings.Join(lines, "\n") + "\n"
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				return true, err
			}
		}
	}
	if !differ {
		fmt.Fprint(out, "exports: the exported names are those of tools/exports:")
		for _, file := range slices.Sorted(maps.Keys(names)) {
			fmt.Fprintf(out, " %s %d", file, names[file])
		}
		fmt.Fprintln(out)
	} else if err := incompatible(root, l, first, folders, out); err != nil {
		return true, err
	}
	if differ && !write {
		fmt.Fprintln(out, "exports: error: exported names have changed (- there, + in the code): "+
			"if that is meant, run make api, and say in CHANGELOG.md what it means for users")
	}
	return differ, sameEverywhere(root, l, first, folders)
}

// sameEverywhere is an error if a variant has other names than the first.
func sameEverywhere(root string, l *loader, first map[string][]exported, folders []string) error {
	for _, v := range variants[1:] {
		other, err := l.load(root, v, folders)
		if err != nil {
			return err
		}
		for _, folder := range folders {
			if changes := difference(namesOf(first[folder]), namesOf(other[folder])); len(changes) > 0 {
				return fmt.Errorf("%s: names differ (- with %s, + with %s): give them the same type in all builds:\n%s", folder,
					variants[0], v, strings.Join(changes, "\n"))
			}
		}
	}
	return nil
}

// linesOf returns the lines of a file.
func linesOf(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

// difference returns the lines of sorted lists that only one has, with - those of the first, and with + those of the
// second.
func difference(a, b []string) (all []string) {
	for _, line := range a {
		if _, has := slices.BinarySearch(b, line); !has && line != "" {
			all = append(all, "- "+line)
		}
	}
	for _, line := range b {
		if _, has := slices.BinarySearch(a, line); !has {
			all = append(all, "+ "+line)
		}
	}
	return all
}
