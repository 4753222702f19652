// This file tests the output of info, as text and as JSON.

package checkpoint

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	rt "github.com/ross-go/ross/cmd/rossreader/internal/readertest"
)

func sizeOf(t testing.TB, path string) int64 {
	info, err := os.Stat(path)
	require.NoError(t, err)
	return info.Size()
}

func TestInfoTellsWhatTheManifestSays(t *testing.T) {
	c := makeContent(4)
	name := c.saved(t, layout{parts: 2, files: 2})
	want := strings.ReplaceAll(fmt.Sprintf(`NAME
  stored by      ross go-test
  model          model 7
  created        2026-05-04T03:02:01Z
  virtual time   10
  end of the run 20
  LPs            4, each with 2 streams, digests
  type           0, desk: states of 4 bytes, messages of 6 bytes
  type           1, queue: states in the model's own form, messages of 6 bytes
  partitions     2 in 2 data files
  events         8
  data           1408 bytes, not compressed
  file           NAME.txt, %d bytes
  file           NAME.rio-lp, %d bytes
  file           NAME.rio-md, %d bytes
  file           NAME.rio-data-0, 744 bytes
  file           NAME.rio-data-1, 744 bytes
`, sizeOf(t, name+".txt"), sizeOf(t, name+".rio-lp"), sizeOf(t, name+".rio-md")), "NAME", name)
	// LPs have 80+2*44+4 bytes, events 68+2, and 2 or 3 tie-breakers of 8 each; headers of data files 40.
	require.Equal(t, 1408, 4*(80+88+4)+8*(68+2)+4*8*(2+3))
	require.Equal(t, want, rt.Good(t, Command, "info", name))
}

func TestInfoTellsJobsAndCompression(t *testing.T) {
	c := makeContent(4)
	c.info.End, c.info.Model = math.Inf(1), ""
	for i := range c.lps {
		c.lps[i].State = make([]byte, 10000)
	}
	name := c.saved(t, layout{parts: 2, files: 1, compress: true})
	c.info.Clock, c.info.End, c.info.Model = 12.5, 30, "model 8"
	c.saved(t, layout{parts: 3, files: 2, add: true}, name)
	text := rt.Good(t, Command, "info", name+".rio-md")
	for _, line := range []string{
		"job            0: 4 LPs from gid 0 on, 2 partitions, virtual time 10, end none, ross go-test, model none",
		"job            1: 4 LPs from gid 4 on, 3 partitions, virtual time 12.5, end 30, ross go-test, model model 8",
		"LPs            8, each with 2 streams, digests", "partitions     5 in 3 data files", "events         16",
	} {
		require.Contains(t, text, "\n  "+line+"\n")
	}
	s := summaries(t, "info", "--json", name)[0]
	require.Equal(t, 2, s.Compressed)
	require.Greater(t, s.Ratio, 1.5)
	require.InDelta(t, float64(s.RawBytes)/float64(s.Bytes), s.Ratio, 1e-9)
	require.Contains(t, text, fmt.Sprintf("\n  data           %d bytes, %.2f times as many without compression (of 2 partitions)\n", s.Bytes, s.Ratio))
	data := sizeOf(t, name+".rio-data-0") + sizeOf(t, name+".rio-data-1") + sizeOf(t, name+".rio-data-2")
	require.EqualValues(t, data-3*40, s.Bytes)
	require.Len(t, s.Jobs, 2)
	require.Nil(t, s.Jobs[0].End)
	require.Equal(t, 30.0, *s.Jobs[1].End)
}

func summaries(t testing.TB, args ...string) (all []Summary) {
	r := run(args...)
	require.Empty(t, r.Stderr)
	require.NoError(t, json.Unmarshal([]byte(r.Stdout), &all))
	return all
}

func TestInfoAsJSONHasTheSame(t *testing.T) {
	c := makeContent(4)
	name := c.saved(t, layout{parts: 2, files: 2})
	all := summaries(t, "info", "--json", name, originalName)
	require.Len(t, all, 2)
	clock, end := 10.0, 20.0
	want := Summary{
		Name: name, Engine: "go-test", Model: "model 7", Created: &c.info.Created, Clock: &clock, End: &end, LPs: 4, Streams: 2, Digests: true,
		Types: []typeSummary{
			{Name: "desk", State: "struct a", Message: "m", StateBytes: 4, MessageBytes: 6},
			{Name: "queue", State: "own", Message: "m", MessageBytes: 6, Serialized: true},
		},
		Jobs:       []jobSummary{{LPs: 4, Partitions: 2, Clock: 10, End: &end, Engine: "go-test", Model: "model 7", Digests: true}},
		Partitions: 2, Events: 8, DataFiles: 2, Bytes: 1408, RawBytes: 1408, Ratio: 1, Files: all[0].Files,
	}
	require.Equal(t, want, all[0])
	for _, f := range all[0].Files {
		require.Equal(t, sizeOf(t, f.Name), f.Bytes)
	}
	require.Len(t, all[0].Files, 5)
	require.Equal(t, Summary{
		Name: originalName, Original: true, LPs: 8, Streams: 1, Partitions: 2, Events: 8, DataFiles: 1, Bytes: 1024, RawBytes: 1024, Ratio: 1, Files: all[1].Files,
	}, all[1])
}

func TestInfoOfADamagedCheckpointHasTheErrorAndTheFiles(t *testing.T) {
	name := makeContent(2).saved(t, plain)
	damage(t, name+".rio-md")
	writeFile(t, name+".rio-data-3.new", []byte("left by a crash"))
	writeFile(t, name+"2.rio-md", []byte("another"))
	require.NoError(t, os.Mkdir(name+".rio-data-9", 0o700))
	r := run("info", name)
	require.Equal(t, 1, r.Status)
	require.Empty(t, r.Stderr)
	require.Contains(t, r.Stdout, "\n  not readable   ross: checkpoint: "+name+".rio-md: offset ")
	require.Contains(t, r.Stdout, "\n  file           "+name+".rio-data-3.new, 15 bytes\n")
	require.Equal(t, 5, strings.Count(r.Stdout, "\n  file  "))

	missing := filepath.Join(t.TempDir(), "folder", "none")
	r = run("info", "--json", missing, name)
	require.Equal(t, 1, r.Status)
	all := summaries(t, "info", "--json", missing, name)
	require.Contains(t, all[0].Error, "there is no checkpoint of this name")
	require.NotContains(t, all[0].Error, "\n")
	require.Empty(t, all[0].Files)
	require.Contains(t, all[1].Error, name+".rio-md")
}
