// This file owns the command line, and writing the files.

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/sys/buildinfo"
)

func main() {
	if buildinfo.Asked("make", os.Args[1:], os.Stdout) {
		return
	}
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(ross.ExitCode(err))
	}
}

// run writes the page, and the pictures of the models with the given names, or of all.
func run(names []string) error {
	chosen, err := choose(names)
	if err != nil {
		return err
	}
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	bin, err := build(root)
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)
	pictures, err := drawAll(bin, chosen)
	if err != nil {
		return err
	}
	folder := filepath.Join(root, "docs", "gallery")
	for name, svg := range pictures {
		if err := os.WriteFile(filepath.Join(folder, name+".svg"), svg, 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(root, "docs", "gallery.md"), page(gallery), 0o644)
}

// choose returns the entries with the given names, or all if there are none.
func choose(names []string) (chosen []entry, err error) {
	var known []string
	for _, s := range gallery {
		for _, e := range s.entries {
			known = append(known, e.name)
			if len(names) == 0 || slices.Contains(names, e.name) {
				chosen = append(chosen, e)
			}
		}
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("gallery: %s: no such entry: give no name, or some of %s: %w", name,
				strings.Join(slices.Compact(known), ", "), ross.ErrUsage)
		}
	}
	return chosen, nil
}

// drawAll returns the pictures of the entries by name. Two entries are at work at a time.
func drawAll(bin string, entries []entry) (map[string][]byte, error) {
	type made struct {
		name string
		svg  []byte
		err  error
	}
	all := make(chan made, len(entries))
	slots := make(chan struct{}, 2)
	var wait sync.WaitGroup
	for _, e := range entries {
		wait.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			svg, err := e.picture(bin)
			all <- made{e.pictureName(), svg, err}
		})
	}
	wait.Wait()
	close(all)
	pictures := map[string][]byte{}
	for m := range all {
		if m.err != nil {
			return nil, fmt.Errorf("gallery: %s: %w", m.name, m.err)
		}
		pictures[m.name] = m.svg
	}
	return pictures, nil
}
