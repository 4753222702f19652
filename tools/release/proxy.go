// This file owns the module proxy of files: what is in one for a version of a module.

package main

import (
	stdzip "archive/zip"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// publish adds the module in a folder of a repository, as it is tagged, to a proxy. The archive is that of
// proxy.golang.org: without the modules in folders below it, and with the licence of the repository, if it has none.
func publish(version, repository, proxy, folder string) error {
	tag := path.Join(folder, version)
	git := func(command ...string) ([]byte, error) {
		args := []string{"-C", repository, "-c", "core.autocrlf=input", "-c", "core.eol=lf"}
		cmd := exec.Command("git", append(args, command...)...)
		var messages bytes.Buffer
		cmd.Stderr = &messages
		out, err := cmd.Output()
		if err != nil {
			err = fmt.Errorf("%s: %s: %w\n%s", folder, strings.Join(cmd.Args, " "), err, &messages)
		}
		return out, err
	}
	mod, err := git("show", tag+":"+path.Join(folder, "go.mod"))
	if err != nil {
		return err
	}
	m := module.Version{Path: modfile.ModulePath(mod), Version: version}
	when, err := git("log", "-1", "--format=%cI", tag)
	if err != nil {
		return err
	}
	committed, err := time.Parse(time.RFC3339, strings.TrimSpace(string(when)))
	if err != nil {
		return err
	}
	archive, err := git("archive", "--format=zip", tag)
	if err != nil {
		return err
	}
	files, err := filesIn(archive, folder)
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	if err := zip.Create(&packed, m, files); err != nil {
		return fmt.Errorf("%s: %w", folder, err)
	}
	escaped, err := module.EscapePath(m.Path)
	if err != nil {
		return err
	}
	dir := filepath.Join(proxy, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, text := range map[string][]byte{
		"list":            []byte(version + "\n"),
		version + ".info": fmt.Appendf(nil, `{"Version":%q,"Time":%q}`, version, committed.UTC().Format(time.RFC3339)),
		version + ".mod":  mod,
		version + ".zip":  packed.Bytes(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// filesIn returns the files of a folder in an archive of a repository, and the licence of the repository if the folder
// has none.
func filesIn(archive []byte, folder string) (files []zip.File, err error) {
	all, err := stdzip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, err
	}
	var licence *stdzip.File
	own := false
	for _, f := range all.File {
		name := f.Name
		if name == "LICENSE" {
			licence = f
		}
		if folder != "." {
			rest, below := strings.CutPrefix(name, folder+"/")
			if !below {
				continue
			}
			name = rest
		}
		if f.FileInfo().IsDir() {
			continue
		}
		own = own || name == "LICENSE"
		files = append(files, archived{name, f})
	}
	if !own && licence != nil {
		files = append(files, archived{"LICENSE", licence})
	}
	return files, nil
}

// archived is a file in an archive, with its name in the module.
type archived struct {
	name string
	file *stdzip.File
}

func (a archived) Path() string                 { return a.name }
func (a archived) Lstat() (fs.FileInfo, error)  { return a.file.FileInfo(), nil }
func (a archived) Open() (io.ReadCloser, error) { return a.file.Open() }
