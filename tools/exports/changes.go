// This file owns what a change means: which of those since the last version break programs.

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/exp/apidiff"
)

// incompatible prints the incompatible changes since the last tag of a version, if the repository has one.
func incompatible(root string, l *loader, now map[string][]exported, folders []string, out io.Writer) error {
	tag, err := exec.Command("git", "-C", root, "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*").Output()
	if err != nil { // there is no version yet, or no repository
		fmt.Fprintln(out, "exports: no version is tagged: nothing is incompatible with one")
		return nil
	}
	last := strings.TrimSpace(string(tag))
	folder, err := os.MkdirTemp("", "api")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	archive, err := exec.Command("git", "-C", root, "archive", last).Output()
	if err != nil {
		return fmt.Errorf("git archive %s: %w", last, err)
	}
	extract := exec.Command("tar", "-xf", "-", "-C", folder)
	extract.Stdin = bytes.NewReader(archive)
	if said, err := extract.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", extract, err, said)
	}
	then, err := l.load(folder, variants[0], folders)
	if err != nil {
		return err
	}
	found := false
	for _, m := range folders {
		have := map[string]exported{}
		for _, p := range now[m] {
			have[p.Path()] = p
		}
		for _, p := range then[m] {
			if have[p.Path()] == nil {
				fmt.Fprintf(out, "exports: incompatible with %s: %s: the package was removed\n", last, p.Path())
				found = true
				continue
			}
			for _, change := range apidiff.Changes(p, have[p.Path()]).Changes {
				if !change.Compatible {
					fmt.Fprintf(out, "exports: incompatible with %s: %s: %s\n", last, p.Path(), change.Message)
					found = true
				}
			}
		}
	}
	if !found {
		fmt.Fprintf(out, "exports: all changes since %s are compatible\n", last)
	}
	return nil
}
