// This file owns Program, which identifies the running binary.

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

// Program returns the SHA-256 of the file that the process runs, in 64 hexadecimal digits.
// Only the first call reads the file.
//
// If the file cannot be read, the value is instead "build info " with the Go version and the
// SHA-256 of the linker's data on modules, settings and revision. Two builds of one revision
// with local changes may have the same value. err is not nil only if these data are missing,
// too; it says why the file cannot be read.
//
// On Linux Program reads the running file itself, not the file of that name, which may have
// been deleted or rebuilt since the program started.
func Program() (hash string, err error) { return program() }

// program is Program, computed once.
var program = sync.OnceValues(func() (string, error) {
	return identify(debug.ReadBuildInfo, func() (string, error) { return "/proc/self/exe", nil }, os.Executable)
})

// identify returns the hash of the first file that can be read, or that of the build info.
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

// hashFile returns the SHA-256 of a file in hexadecimal digits.
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
