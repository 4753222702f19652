// This file owns Program: which binary runs.

package ranks

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

// Program returns the SHA-256 of the file that the process runs, in 64 hexadecimal
// digits. It reads the file in the first call, and remembers.
//
// If no file can be read the value is instead "build info " with the Go version and the
// SHA-256 of what the linker has noted about modules, settings and revision. Two builds
// of one revision with local changes may have that in common. err is why the file
// cannot be read, and only set if there is no such note either.
//
// Linux is asked for the file itself, not for its name: a program that was deleted or
// built anew since it was started is still the one that runs.
func Program() (hash string, err error) { return program() }

var program = sync.OnceValues(func() (string, error) {
	return identify(debug.ReadBuildInfo, func() (string, error) { return "/proc/self/exe", nil }, os.Executable)
})

// identify tries files, then the build info.
func identify(note func() (*debug.BuildInfo, bool), files ...func() (string, error)) (string, error) {
	var err error
	for _, file := range files {
		var path, hash string
		if path, err = file(); err == nil {
			if hash, err = hashFile(path); err == nil {
				return hash, nil
			}
		}
	}
	info, ok := note()
	if !ok {
		return "", fmt.Errorf("ross: start: the program cannot be identified: %w: keep its file until the end of the run", err)
	}
	hash := sha256.Sum256([]byte(info.String()))
	return fmt.Sprintf("build info %s %x", runtime.Version(), hash), nil
}

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
