// Package filehash computes the SHA-256 of files: of the executable that runs, by which a journal, a record and the
// ranks of a run know a program, and of what a record seals.
//
// Hashes are in 64 hexadecimal digits, as sha256sum prints them.
package filehash

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"sync"
)

// Hash is what is known of a file.
type Hash struct {
	Size   int64  // bytes
	SHA256 string // 64 hexadecimal digits
}

// Of returns the hash of a file.
func Of(path string) (Hash, error) {
	f, err := os.Open(path)
	if err != nil {
		return Hash{}, err
	}
	defer func() { _ = f.Close() }()
	hash := sha256.New()
	n, err := io.Copy(hash, f)
	if err != nil {
		return Hash{}, err
	}
	return Hash{n, hex.EncodeToString(hash.Sum(nil))}, nil
}

// first returns the hash of the first file that has a name and can be read, and otherwise the last error.
func first(files ...func() (string, error)) (h Hash, err error) {
	for _, name := range files {
		var path string
		if path, err = name(); err != nil {
			continue
		}
		if h, err = Of(path); err == nil {
			return h, nil
		}
	}
	return Hash{}, err
}

// Executable returns the hash of the file that the process runs. Only the first call reads it. On Linux that is the
// running file itself, not the one of its name, which may have been deleted or built anew since the program started.
func Executable() (Hash, error) { return executable() }

var executable = sync.OnceValues(func() (Hash, error) {
	return first(func() (string, error) { return "/proc/self/exe", nil }, os.Executable)
})
