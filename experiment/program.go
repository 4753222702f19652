// This file owns the name of the program that runs: the hash of its executable.

package experiment

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"sync"
)

// thisProgram returns the SHA-256 hash of the executable that runs. It is computed once.
var thisProgram = sync.OnceValues(func() (string, error) { return hashOf(openExecutable) })

// openExecutable opens the executable. Linux has the one that runs even if it was built anew meanwhile;
// elsewhere its name has to do.
func openExecutable() (io.ReadCloser, error) {
	if file, err := os.Open("/proc/self/exe"); err == nil {
		return file, nil
	}
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}

func hashOf(open func() (io.ReadCloser, error)) (string, error) {
	file, err := open()
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
