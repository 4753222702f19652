// This file owns the test of the commands and pictures of studies.

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

const studiesPage = "../../gallery/studies.md"

func TestStudiesOfThePageSucceedAndHavePictures(t *testing.T) {
	testlevel.Once(t, "a program that is built")
	program := filepath.Join(t.TempDir(), "processes")
	out, err := exec.Command("go", "build", "-o", program, "../../../models/processes").CombinedOutput()
	require.NoError(t, err, "%s", out)
	text, err := os.ReadFile(studiesPage)
	require.NoError(t, err)
	all, err := studies(studiesPage)
	require.NoError(t, err)
	require.Len(t, all, strings.Count(string(text), "    go run "))
	for _, s := range all {
		page, err := s.make(program, t.TempDir(), strings.Fields(s.small)...)
		require.NoError(t, err)
		require.FileExists(t, page)
		require.Contains(t, string(text), "]("+s.name+".png)\n")
		picture, err := os.Stat("../../gallery/" + s.name + ".png")
		require.NoError(t, err)
		require.Less(t, picture.Size(), int64(150_000))
	}
}

func TestAPageWithoutStudiesIsRefused(t *testing.T) {
	_, err := studies("../README.md")
	require.ErrorContains(t, err, "../README.md: no study: ")
}
