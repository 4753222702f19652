package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testlevel"
)

// folder is where programs has put the programs, if a test needed them.
var folder string

// programs builds the programs once, for all tests.
var programs = sync.OnceValues(func() (_ string, err error) {
	folder, err = build("../../..")
	return folder, err
})

func TestMain(m *testing.M) {
	status := m.Run()
	os.RemoveAll(folder) // nothing, if it is ""
	os.Exit(status)
}

// built returns the folder of the programs.
func built(t *testing.T) string {
	t.Helper()
	testlevel.Once(t, "all programs")
	bin, err := programs()
	require.NoError(t, err)
	return bin
}

// read returns what is in a file of docs.
func read(t *testing.T, path ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(append([]string{"..", ".."}, path...)...))
	require.NoError(t, err)
	return string(data)
}

const again = "%s is not what the models compute: if that is meant to be, go run ./docs/gallery/make, and look at it"

func TestThePageIsThatOfTheEntries(t *testing.T) {
	require.True(t, string(page(gallery)) == read(t, "gallery.md"), again, "docs/gallery.md")
}

func TestPicturesAreThoseOfTheModels(t *testing.T) {
	all, err := choose(nil)
	require.NoError(t, err)
	pictures, err := drawAll(built(t), all)
	require.NoError(t, err)
	require.Len(t, pictures, len(all))
	files, err := filepath.Glob("../*.svg")
	require.NoError(t, err)
	require.Len(t, files, len(all), "pictures in docs/gallery: one of each entry")
	for name, svg := range pictures {
		require.True(t, string(svg) == read(t, "gallery", name+".svg"), again, name+".svg")
	}
}

func TestEachProgramIsOnThePage(t *testing.T) {
	text := read(t, "gallery.md")
	mains, err := filepath.Glob("../../../models/*/main.go")
	require.NoError(t, err)
	require.NotEmpty(t, mains)
	for _, file := range mains {
		name := filepath.Base(filepath.Dir(file))
		require.FileExists(t, filepath.Join(filepath.Dir(file), "README.md"))
		require.FileExists(t, filepath.Join("..", name+".svg"))
		for _, part := range []string{"### [" + name + "](../models/" + name + "/README.md)\n", "](gallery/" + name + ".svg)\n", "    go run ./models/" + name + " --"} {
			require.Equal(t, 1, strings.Count(text, part), "%s: docs/gallery.md has %q as often as this: give the program an entry in docs/gallery/make", name, part)
		}
	}
	require.Equal(t, len(mains), strings.Count(text, "\n### "), "entries of the page")
}

func TestCommandsOfThePageSucceed(t *testing.T) {
	bin := built(t)
	commands := regexp.MustCompile(`(?m)^<!-- tested with (.+) -->\n\n    go run \./models/(\w+) (.+)$`).FindAllStringSubmatch(read(t, "gallery.md"), -1)
	require.Equal(t, strings.Count(read(t, "gallery.md"), "    go run "), len(commands))
	for _, c := range commands {
		small, name, options := c[1], c[2], c[3]
		t.Run(name, func(t *testing.T) {
			for _, scheduler := range []string{"--synch=1", "--synch=3 --pes=2"} {
				cmd := exec.Command(filepath.Join(bin, name), strings.Fields(options+" "+small+" "+scheduler)...)
				cmd.Dir = t.TempDir()
				out, err := cmd.CombinedOutput()
				require.NoError(t, err, "%s: %s", cmd, out)
				require.Regexp(t, `Net Events Processed +[1-9]`, string(out))
			}
		})
	}
}

func TestNamesThatAreNotInTheGalleryAreRefused(t *testing.T) {
	chosen, err := choose([]string{"pcs", "phold"})
	require.NoError(t, err)
	require.Len(t, chosen, 2)
	_, err = choose([]string{"pcs", "tetris"})
	require.ErrorIs(t, err, ross.ErrUsage)
	require.ErrorContains(t, err, "tetris: no such entry: give no name, or some of phold, queueing")
}

func TestARunThatFailsIsTheErrorOfItsPicture(t *testing.T) {
	bin := built(t)
	for _, c := range []struct {
		options string
		draw    func(r *runs) drawing
		want    string
	}{
		{"--remote=2", drawPHOLD, "phold --remote=2: exit status 2: phold: "},
		{"--end=1", drawPHOLD, "phold --end=1: ross: instrumentation file: open "}, // without the trace of the events
		{"--end=1", func(r *runs) drawing { r.run().figure("Speed", 0); return nil }, `phold --end=1: the report has no line "Speed"`},
		{"--end=1", func(r *runs) drawing { r.run().figure("ROSS Version:", 1); return nil }, `the line "ROSS Version:" has too few words`},
		{"--end=1", func(r *runs) drawing { r.run().figure("ROSS Version:", -1); return nil }, `parsing "go-`},
		{"--end=1", func(r *runs) drawing { r.run().named([]string{"a=1"}, "b"); return nil }, "a line has no b"},
		{"--end=1", func(r *runs) drawing { r.run().lines("states.txt"); return nil }, "no such file"},
		{"--end=1", func(r *runs) drawing { r.run().statistic("speed"); return nil }, "no such file"},
	} {
		e := entry{name: "phold", options: c.options, draw: c.draw}
		_, err := e.picture(bin)
		require.ErrorContains(t, err, c.want)
	}
	missing := entry{name: "queueing", options: "--end=10 --statistics=2", draw: func(r *runs) drawing { r.run().statistic("speed"); return nil }}
	_, err := missing.picture(bin)
	require.ErrorContains(t, err, `no statistic is called "speed"`)
	_, err = drawAll(bin, []entry{missing})
	require.ErrorContains(t, err, "gallery: queueing: queueing --end=10")
}
