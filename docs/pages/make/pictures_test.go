// This file owns the test of the commands and pictures of what rossreader draws.

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testlevel"
)

const picturesPage = "../../gallery/pictures.md"

func TestPicturesOfThePageCanBeMadeAgain(t *testing.T) {
	testlevel.Once(t, "programs that are built")
	all, err := drawings(picturesPage)
	require.NoError(t, err)
	text, err := os.ReadFile(picturesPage)
	require.NoError(t, err)
	require.Len(t, all, strings.Count(string(text), ".png)"), "each has its commands")
	programs := t.TempDir()
	for _, m := range goRun.FindAllStringSubmatch(string(text), -1) {
		folder := strings.TrimPrefix(m[0], "go run ./")
		out, err := exec.Command("go", "build", "-o", programs, "../../../"+folder).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	for _, d := range all {
		folder := t.TempDir()
		require.NoError(t, d.make(programs, folder, d.small))
		made, _, _ := strings.Cut(d.page, "#")
		require.FileExists(t, filepath.Join(folder, made))
		picture, err := os.Stat("../../gallery/" + d.name)
		require.NoError(t, err)
		require.Less(t, picture.Size(), int64(200_000))
	}
	require.Equal(t, "a --end=3 > b", insertOptions("a > b", "--end=3"))
	require.Equal(t, "a --end=3", insertOptions("a", "--end=3"))
	_, err = drawings("../README.md")
	require.ErrorContains(t, err, "../README.md: no picture: ")
}
