// How the program that runs is identified.

package ranks_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/ranks"
)

func hashOfTheTest(t *testing.T) string {
	path, err := os.Executable()
	require.NoError(t, err)
	binary, err := os.ReadFile(path)
	require.NoError(t, err)
	return fmt.Sprintf("%x", sha256.Sum256(binary))
}

func TestAProgramIsKnownByTheHashOfItsFile(t *testing.T) {
	for range 2 {
		hash, err := ranks.Program()
		require.NoError(t, err)
		require.Equal(t, hashOfTheTest(t), hash)
	}
}

// deletedEnv is set in the copy of this test that deletes itself.
const deletedEnv = "ROSS_TEST_DELETED"

func TestAProgramThatIsDeletedIsStillKnown(t *testing.T) {
	if path := os.Getenv(deletedEnv); path != "" {
		require.NoError(t, os.Remove(path))
		hash, err := ranks.Program()
		require.NoError(t, err)
		fmt.Printf("it is <%s>\n", hash)
		return
	}
	if runtime.GOOS == "windows" {
		return // a program that runs cannot be deleted
	}
	path := filepath.Join(t.TempDir(), "copy")
	from, err := os.Open(os.Args[0])
	require.NoError(t, err)
	defer from.Close()
	to, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o700)
	require.NoError(t, err)
	_, err = io.Copy(to, from)
	require.NoError(t, err)
	require.NoError(t, to.Close())
	cmd := exec.Command(path, "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), deletedEnv+"="+path)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	if runtime.GOOS == "linux" {
		require.Contains(t, string(out), "<"+hashOfTheTest(t)+">")
	} else {
		require.Contains(t, string(out), "<build info go")
	}
}

func TestAProgramWithoutFileIsKnownByItsBuild(t *testing.T) {
	errNone := errors.New("no name")
	noName := func() (string, error) { return "", errNone }
	noFile := func() (string, error) { return filepath.Join(t.TempDir(), "none"), nil }
	folder := func() (string, error) { return t.TempDir(), nil }
	revision := func(text string) func() (*debug.BuildInfo, bool) {
		return func() (*debug.BuildInfo, bool) {
			return &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: text}}}, true
		}
	}
	a, err := ranks.Identify(revision("a"), noName, noFile, folder)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(a, "build info "+runtime.Version()+" "), a)
	b, err := ranks.Identify(revision("b"), noFile)
	require.NoError(t, err)
	require.NotEqual(t, a, b)
	_, err = ranks.Identify(func() (*debug.BuildInfo, bool) { return nil, false }, noFile, noName)
	require.ErrorIs(t, err, errNone)
	require.ErrorContains(t, err, "ross: start: the program cannot be identified: no name: keep its file")
	own, err := ranks.Identify(revision("a"), noFile, os.Executable)
	require.NoError(t, err)
	require.Equal(t, hashOfTheTest(t), own, "the next file counts")
}
