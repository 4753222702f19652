// This file owns archives of programs, which are the same for the same files.

package main

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// pack writes the files of a folder into an archive (tar, gzip), in a folder of its name, without times and owners.
func pack(folder, file string) error {
	made, err := os.CreateTemp(filepath.Dir(file), ".pack")
	if err != nil {
		return err
	}
	defer os.Remove(made.Name())
	defer made.Close()
	compressed, err := gzip.NewWriterLevel(made, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(compressed)
	err = filepath.WalkDir(folder, func(at string, d fs.DirEntry, err error) error { // in the order of names
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(folder, at)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		mode := int64(0o644)
		if info.Mode()&0o100 != 0 {
			mode = 0o755
		}
		name := path.Join(filepath.Base(folder), filepath.ToSlash(rel))
		header := tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: mode, Size: int64(len(text))}
		if err := archive.WriteHeader(&header); err != nil {
			return err
		}
		_, err = archive.Write(text)
		return err
	})
	for _, w := range []io.Closer{archive, compressed} {
		if closed := w.Close(); err == nil {
			err = closed
		}
	}
	if err != nil {
		return err
	}
	if err := made.Chmod(0o644); err != nil {
		return err
	}
	return os.Rename(made.Name(), file)
}
